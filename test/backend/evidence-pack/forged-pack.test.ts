import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getSourceFilePath } from '../../../src/backend/bank/bank-file-uploads.ts';
import { insertComment } from '../../../src/backend/store/comments/comment.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { PackDecisions } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';
import { readZip, sha256, type UnpackedPack, unpackPack } from './unpacked-pack.ts';

const on = { site: SITE };
const april = { ...on, period: '2026-04' };
const TEXT = 'letter of the acquirer';

let sender: PeriodBench;
let receiver: PeriodBench;
let folder: string;
let pack: UnpackedPack;

beforeEach(async () => {
  [sender, receiver] = [await openPeriodBench(), await openPeriodBench()];
  for (const bench of [sender, receiver]) {
    bench.addStatements({ id: 31, on: '2026-04-02', cents: 4480 });
    await bench.client.periods.open(april);
  }
  await sender.import(standardCsv([['2026-04-08', '13.20', 'UNKNOWN']]), { name: 'april.csv' });
  const data = Buffer.from(TEXT).toString('base64');
  const { upload } = await sender.client.bank.upload({ ...on, name: 'letter.txt', data });
  const subjects = [{ kind: 'period' as const, id: '2026-04' }];
  await sender.client.comments.add({ ...on, subjects, text: 'See letter.', uploads: [upload] });
  folder = join(sender.outputs, 'unpacked');
  pack = await unpackPack(await writePack(sender, 'april.zip'), folder);
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

async function writePack(bench: PeriodBench, name: string): Promise<string> {
  const path = join(bench.outputs, name);
  const { job } = await bench.client.packs.write({ ...april, path });
  expect((await bench.waitForJob(job)).error).toBeNull();
  return path;
}

/** Changes the pack's comment and its file, and restores the decisions on the other computer. */
async function restore(change: (decisions: PackDecisions) => void) {
  pack.changeDecisions(change);
  expect(await receiver.client.packs.verify({ path: folder })).toMatchObject({ ok: true });
  const { fingerprint } = await receiver.client.packs.compareDecisions({ ...on, path: folder });
  return await receiver.client.packs.restoreDecisions({
    ...on,
    path: folder,
    fingerprint,
    reason: 'New computer.',
  });
}
const changeFile = (change: object) => (decisions: PackDecisions) => {
  Object.assign(decisions.comments[0]!.files[0]!, change);
};
const listImports = async () => (await receiver.client.bank.imports(on)).rows;

it('restores an unchanged pack', async () => {
  const { restored } = await restore(() => undefined);
  expect(restored).toBe(2);
  expect(await listImports()).toMatchObject([{ file: 'april.csv' }]);
});

it.each<[string, (decisions: PackDecisions) => void]>([
  ['a name that leaves the folder', changeFile({ name: 'a/../../../../.profile' })],
  ['a name of a Windows device', changeFile({ name: 'aux.txt' })],
  ['a path instead of a checksum', changeFile({ sha256: '..b/../settings.json', path: null })],
  ['a checksum in capital letters', changeFile({ sha256: sha256(TEXT).toUpperCase() })],
  ['an empty file', changeFile({ bytes: 0 })],
  ['a file of 26 MB', changeFile({ bytes: 26_000_000 })],
  [
    '21 files of a comment',
    ({ comments: [comment] }) => {
      comment!.files = Array.from({ length: 21 }, () => comment!.files[0]!);
    },
  ],
  [
    'a comment without a time',
    ({ comments: [comment] }) => {
      comment!.at = 'some day';
    },
  ],
  [
    'a path instead of the checksum of an imported file',
    ({ imports: [source] }) => {
      source!.sha256 = '../../secrets';
    },
  ],
])('refuses a pack with %s, and restores nothing', async (_, change) => {
  await expect(restore(change)).rejects.toMatchObject({ code: 'validation' });
  expect(await listImports()).toEqual([]);
});

it.each<[string, object]>([
  ['another size', { bytes: TEXT.length + 1 }],
  ['another checksum', { sha256: sha256('something else') }],
  ['a path outside the pack', { path: '../outside.txt' }],
])('refuses an attached file with %s, before any file is imported', async (_, change) => {
  writeFileSync(join(folder, '..', 'outside.txt'), TEXT);
  await expect(restore(changeFile(change))).rejects.toMatchObject({ code: 'corrupt' });
  expect(await listImports()).toEqual([]);
});

it('does not import a source file whose size is not as stated', async () => {
  const { difference } = await restore(({ imports: [source] }) => {
    source!.bytes += 1;
  });
  expect(difference.parts.find(({ part }) => part === 'imports')).toMatchObject({ not_stored: 1 });
  expect(await listImports()).toEqual([]);
});

it('does not offer a stored file whose content is not as attached', async () => {
  await restore(() => undefined);
  const subject = { kind: 'period' as const, id: '2026-04' };
  const [comment] = await receiver.client.comments.list({ ...on, subject });
  const path = getSourceFilePath(join(receiver.home, 'sites', SITE), sha256(TEXT));
  writeFileSync(path, 'letter of a forger here');
  await expect(
    receiver.client.comments.file({ ...on, comment: comment!.id, number: 1 }),
  ).rejects.toMatchObject({ code: 'corrupt', message: 'The attached file letter.txt was changed.' });
});

/** Adds a comment with a file to the books, as a restored backup of a forger would contain. */
function addForgedFile(file: { name: string; sha256: string; bytes: number }): number {
  const books = openStore(join(receiver.home, 'sites', SITE, 'books.db'), 'books') as WritableDb;
  const subject = { kind: 'period' as const, id: '2026-04' };
  const id = runInTransaction(books, () =>
    insertComment(books, { subject, at: 1, user: 'eve', text: '', files: [file] }),
  );
  closeStore(books);
  return id;
}

it('offers and packs no file outside the stored files, even if the books name one', async () => {
  const siteFolder = join(receiver.home, 'sites', SITE);
  writeFileSync(join(siteFolder, '..', 'settings.json'), '{"secret":1}');
  mkdirSync(join(siteFolder, '..x'));
  const comment = addForgedFile({ name: 'settings', sha256: '..x/../../settings.json', bytes: 12 });
  await expect(receiver.client.comments.file({ ...on, comment, number: 1 })).rejects.toMatchObject({
    code: 'corrupt',
  });
  const path = join(receiver.outputs, 'next.zip');
  const { job } = await receiver.client.packs.write({ ...april, path });
  expect((await receiver.waitForJob(job)).error).toMatchObject({ code: 'corrupt' });
  expect(existsSync(path)).toBe(false);
});

it('writes a pack whose paths stay in its folder, whatever names the books contain', async () => {
  const stored = getSourceFilePath(join(receiver.home, 'sites', SITE), sha256(TEXT));
  mkdirSync(join(stored, '..'), { recursive: true });
  writeFileSync(stored, TEXT);
  addForgedFile({ name: 'x/../../../../evil.txt', sha256: sha256(TEXT), bytes: TEXT.length });
  const paths = [...(await readZip(await writePack(receiver, 'next.zip'))).keys()];
  expect(paths).toContain(`data/attachments/${sha256(TEXT).slice(0, 16)}-x-..-..-..-..-evil.txt`);
});
