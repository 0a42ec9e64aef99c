import { existsSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BooksBackup, BooksDifference } from '../../../src/contract/app/backups.ts';
import { addSite, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;

beforeAll(() => {
  at = { home: temporaryFolder(afterwards) };
  addSite(at.home);
  writeFileSync(join(at.home, 'october.csv'), standardCsv([['2026-10-02', '19.00', 'CARD PAYMENT']]));
});

const document = <Document>(...args: string[]): Promise<Document> => runForDocument<Document>(args, at);
const runRestore = (name: string, code: number, ...more: string[]) =>
  runForDocument<{ restored: boolean; saved_as?: string; difference: BooksDifference }>(
    ['restore', name, ...more],
    at,
    code,
  );

test('creates, lists and compares a backup, and restores it only with --confirm and a reason', async () => {
  const copy = await document<BooksBackup>('backup');
  expect(copy).toMatchObject({ reason: 'manual', problem: null });
  await document(
    'bank',
    'import',
    join(at.home, 'october.csv'),
    '--account',
    'Main',
    '--profile',
    'standard',
  );
  const { rows } = await document<{ rows: BooksBackup[] }>('backup', 'list');
  expect(rows.map(({ name }) => name)).toContain(copy.name);

  const shown = await runRestore(copy.name, 1);
  expect(shown).toMatchObject({ restored: false, difference: { same: false } });
  const table = await runInProcess(['restore', copy.name], at);
  expect(table.stdout).toMatch(/Imports +1 +0 +0/);
  expect(table.stdout).toContain('- october.csv, 1 lines');
  expect(table.stdout).toContain('Nothing was changed.');
  expect((await runForError(['restore', copy.name, '--confirm'], at, 2)).message).toContain('reason');
  expect(await runForError(['restore', 'books-none.db'], at, 2)).toMatchObject({ code: 'not_found' });

  const done = await runRestore(copy.name, 0, '--confirm', '--reason', 'The wrong file.');
  expect(done).toMatchObject({ restored: true, saved_as: expect.stringContaining('-restore.db') });
  expect(await document('bank', 'accounts')).toMatchObject({ rows: [] });
  await runRestore(String(done.saved_as), 0, '--confirm', '--reason', 'It was the right one.');
  expect(await document('bank', 'accounts')).toMatchObject({ rows: [{ name: 'Main', lines: 1 }] });
  expect(await document('audit', 'verify')).toMatchObject({ ok: true });
});

test('if the books are damaged, the error and doctor name the backup to restore', async () => {
  const file = join(temporaryFolder(), 'books of october.db');
  await document('backup', '-o', file);
  expect(await runForError(['backup', '-o', file], at, 2)).toMatchObject({ code: 'conflict' });
  const books = openSync(join(at.home, 'sites', 'acme', 'books.db'), 'r+');
  writeSync(books, Buffer.alloc(8192, 0x5a), 0, 8192, 0);
  const refused = await runForError(['bank', 'accounts'], at, 5);
  expect(refused).toMatchObject({ code: 'corrupt' });
  const [, name = ''] = /tieout restore (\S+)$/.exec(refused.hint ?? '') ?? [];
  const doctor = await runInProcess(['doctor'], at);
  expect(doctor.stdout).toContain(`tieout restore ${name}`);
  const difference = await runRestore(file, 1);
  expect(difference).toMatchObject({
    difference: { books: 'damaged', anchor: { entries: expect.any(Number) } },
  });
  const { saved_as } = await runRestore(file, 0, '--confirm', '--reason', 'The disk failed.');
  expect(existsSync(join(at.home, 'sites', 'acme', String(saved_as)))).toBe(true);
  expect(await document('bank', 'accounts')).toMatchObject({ rows: [{ name: 'Main', lines: 1 }] });
});
