import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../backend/writer-test-site.ts';
import { runForDocument, runForError } from '../run-in-process.ts';
import { cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let site: WriterTestSite;
let at: { home: string; key: string };
let commands: Record<string, string[]>;

beforeAll(async () => {
  site = await openWriterTestSite({ seed: 11, subscriptions: 2, months: 2 });
  afterwards(() => site.close());
  await site.sync();
  const statement = site.cache().prepare('SELECT max(id) FROM statement').pluck().get();
  at = { home: site.home, key: site.sandbox.apiKey };
  const csv = join(site.outputs, 'march.csv');
  writeFileSync(csv, 'date,amount,currency,description,reference\n2026-03-05,4.20,USD,TILL,\n');
  const imported = await runForDocument<{ import?: { id: number } }>(
    ['bank', 'import', csv, '--account', 'Till', '--profile', 'standard'],
    at,
  );
  commands = {
    'statements pdf': ['statements', 'pdf', String(statement)],
    'bank source': ['bank', 'source', String(imported.import?.id ?? 1)],
    'a backup': ['backup'],
    'a report': ['report', '--period', '2026-03', '--format', 'csv'],
    'a pack': ['pack', '--period', '2026-03'],
    'an archive export': ['archive', 'export'],
  };
});

const names = ['statements pdf', 'bank source', 'a backup', 'a report', 'a pack', 'an archive export'];

test.each(names)('%s is never written into the data directory', async (name) => {
  const books = join(site.home, 'sites', SITE, 'books.db');
  const listing = readdirSync(join(site.home, 'sites', SITE));
  const link = join(temporaryFolder(), 'work');
  symlinkSync(join(site.home, 'sites'), link);
  for (const path of [books, `${books}.zip`, join(site.home, 'new.zip'), join(link, SITE, 'x.zip')]) {
    const before = existsSync(path) ? readFileSync(path) : null;
    const refused = await runForError([...commands[name]!, '-o', path, '--replace'], at, 5);
    expect(refused.message).toMatch(/own data directory|is not a folder/);
    expect(existsSync(path) ? readFileSync(path) : null).toEqual(before);
  }
  expect(readdirSync(join(site.home, 'sites', SITE)).filter((file) => !listing.includes(file))).toEqual([]);
});

test.each(names)('%s replaces an existing file only on request, and follows a link', async (name) => {
  const folder = temporaryFolder();
  const extension = name === 'a report' ? 'csv' : 'zip';
  const target = join(folder, `target.${extension}`);
  writeFileSync(target, 'mine');
  symlinkSync(target, join(folder, `link.${extension}`));
  const command = [...commands[name]!, '-o', join(folder, `link.${extension}`)];
  expect(await runForError(command, at, 2)).toMatchObject({ code: 'conflict' });
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('a PDF written through a link replaces the file, not the link, and a device stays a device', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'real.pdf'), 'old');
  symlinkSync('real.pdf', join(folder, 'link.pdf'));
  const pdf = commands['statements pdf']!;
  await runForDocument([...pdf, '-o', join(folder, 'link.pdf'), '--replace'], at);
  expect(lstatSync(join(folder, 'link.pdf')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  await runForDocument([...pdf, '-o', '/dev/null'], at);
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  expect((await runForError(['backup', '-o', '/dev/null', '--replace'], at, 5)).message).toContain('device');
});
