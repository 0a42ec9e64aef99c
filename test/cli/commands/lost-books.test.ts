import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BooksBackup, BooksDifference } from '../../../src/contract/app/backups.ts';
import { addSite, SITE, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, temporaryFolder } from '../run-tieout.ts';

/** Removes the books, or puts other books in their place. */
type Loss = (books: string, site: string) => void | Promise<void>;

/** Creates a site with two imports. A backup and `earlier.db` were made after the first import. */
async function createSite(): Promise<CommandEnvironment & { site: string; books: string }> {
  const at = { home: temporaryFolder(onTestFinished) };
  addSite(at.home);
  const site = join(at.home, 'sites', SITE);
  const books = join(site, 'books.db');
  await importFile(at, '2026-08-14', '73.10');
  await runForDocument(['backup'], at);
  copyFileSync(books, join(at.home, 'earlier.db'));
  await importFile(at, '2026-08-19', '12.05');
  await importFile(at, '2026-08-21', '12.06');
  return { ...at, site, books };
}

async function importFile(at: CommandEnvironment, date: string, amount: string): Promise<void> {
  const file = join(at.home, `${date}.csv`);
  writeFileSync(file, standardCsv([[date, amount, 'CARD PAYMENT']]));
  await runForDocument(['bank', 'import', file, '--account', 'Giro', '--profile', 'standard'], at);
}

function removeBooks(books: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(books + suffix, { force: true });
}

/** Replaces the books by a copy of another file, or by an empty file. */
function replaceBooks(books: string, from?: string): void {
  removeBooks(books);
  if (from === undefined) writeFileSync(books, '');
  else copyFileSync(from, books);
}

const losses: [name: string, says: RegExp, loss: Loss][] = [
  ['missing', /missing/, removeBooks],
  ['empty', /empty/, (books) => replaceBooks(books)],
  ['truncated by one page', /damaged/, (books) => truncateSync(books, statSync(books).size - 4096)],
  ['cut in the middle of a page', /damaged/, (books) => truncateSync(books, 6000)],
  ['older', /older/, (books) => replaceBooks(books, join(books, '..', '..', '..', 'earlier.db'))],
  [
    'those of another site',
    /another|different/,
    async (books) => {
      const other = { home: temporaryFolder(onTestFinished) };
      addSite(other.home);
      for (const day of ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06'])
        await importFile(other, day, '5.00');
      replaceBooks(books, join(other.home, 'sites', SITE, 'books.db'));
    },
  ],
];

test.each(losses)('books that are %s stop every command and start no backup', async (_name, says, loss) => {
  const { site, books, ...at } = await createSite();
  await loss(books, site);
  const before = existsSync(books) ? readFileSync(books) : null;
  const copies = (await runForDocument<{ rows: BooksBackup[] }>(['backup', 'list'], at, 5)).rows;
  expect(copies.length).toBeGreaterThan(0);

  for (const args of [
    ['status'],
    ['exceptions', 'list'],
    ['webhooks', 'list'],
    ['bank', 'accounts'],
    ['backup'],
  ]) {
    const { code, message, hint } = await runForError(args, at, 5);
    expect({ args, code, message, hint }).toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(says),
      hint: expect.stringMatching(/\d of \d+ audit log entries.*tieout restore \S+$/s),
    });
  }
  expect((await runInProcess(['status'], at)).code).toBe(5);
  const doctor = await runInProcess(['doctor', '--offline'], at);
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(says) });

  const after = (await runForDocument<{ rows: BooksBackup[] }>(['backup', 'list'], at, 5)).rows;
  expect(after).toEqual(copies);
  expect(existsSync(books) ? readFileSync(books) : null).toEqual(before);
});

test.each(losses)('books that are %s are restored from the offered backup', async (_name, _says, loss) => {
  const { site, books, ...at } = await createSite();
  await loss(books, site);
  const { hint } = await runForError(['bank', 'accounts'], at, 5);
  const [, name = ''] = /tieout restore (\S+)$/.exec(hint ?? '') ?? [];
  const shown = await runForDocument<{ difference: BooksDifference }>(['restore', name], at, 1);
  expect(shown.difference).toMatchObject({ books: 'damaged', anchor: { entries: expect.any(Number) } });
  await runForDocument(['restore', name, '--confirm', '--reason', 'The file was gone.'], at);
  expect(await runForDocument(['bank', 'accounts'], at)).toMatchObject({ rows: [{ name: 'Giro' }] });
  expect(await runForDocument(['audit', 'verify'], at)).toMatchObject({ ok: true });
});

test('the backup with the most entries of the known history is offered, not the newest file', async () => {
  const { site, books, ...at } = await createSite();
  const { rows } = await runForDocument<{ rows: BooksBackup[] }>(['backup', 'list'], at);
  const longest = rows.reduce((best, row) => ((row.entries ?? 0) > (best.entries ?? 0) ? row : best));
  const older = join(site, 'backups', 'books-20991231T000000000Z-manual.db');
  copyFileSync(join(at.home, 'earlier.db'), older);
  writeFileSync(join(site, 'backups', 'books-20991230T000000000Z-manual.db'), 'no database');
  removeBooks(books);
  const { hint } = await runForError(['bank', 'accounts'], at, 5);
  expect(hint).toContain(longest.name);
});

test('a lost audit anchor is replaced by the longest backup', async () => {
  const { site, books, ...at } = await createSite();
  await runForDocument(['backup'], at);
  writeFileSync(join(site, 'audit.json'), '{"entries":');
  removeBooks(books);
  expect(await runForError(['exceptions', 'list'], at, 5)).toMatchObject({
    message: expect.stringContaining('missing'),
  });
  copyFileSync(join(at.home, 'earlier.db'), books);
  expect(await runForError(['exceptions', 'list'], at, 5)).toMatchObject({
    message: expect.stringContaining('older'),
  });
});
