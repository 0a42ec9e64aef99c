import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { getSourceFilePath } from '../../../src/backend/bank/bank-file-uploads.ts';
import type { CommentSubject, PackDecisions } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const on = { site: SITE };
const november = { ...on, period: '2026-11' };
let bench: PeriodBench;

beforeEach(async () => {
  bench = await openPeriodBench();
  bench.addStatements({ id: 41, on: '2026-11-04', cents: 6100 }, { id: 42, on: '2026-12-02', cents: 900 });
  await bench.import(
    standardCsv([
      ['2026-11-05', '61.00', 'CARD', 'ch_x410'],
      ['2026-11-17', '8.40', 'WHO PAID THIS'],
      ['2026-12-09', '3.00', 'LATER'],
    ]),
  );
  await bench.match();
});
afterEach(() => bench.close());

const folder = () => join(bench.home, 'sites', SITE);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function upload(name: string, content: Buffer): Promise<string> {
  const piece = 900_000;
  let id: string | undefined;
  for (let at = 0; at === 0 || at < content.length; at += piece) {
    const data = content.subarray(at, at + piece).toString('base64');
    ({ upload: id } = await bench.client.bank.upload({ ...on, name, data, ...(id && { upload: id }) }));
  }
  return id as string;
}

const findLine = async (text: string): Promise<CommentSubject> => {
  const { rows } = await bench.client.bank.lines({ ...on });
  return { kind: 'line', id: String(rows.find(({ description }) => description === text)!.id) };
};

it('stores comments with files on every kind of record, and returns the files unchanged', async () => {
  await bench.client.periods.open(november);
  const [match] = (await bench.client.match.list({ ...on, filter: { status: ['confirmed'] } })).rows;
  const subjects: CommentSubject[] = [
    await findLine('WHO PAID THIS'),
    { kind: 'match', id: String(match!.id) },
    { kind: 'payment', id: '410' },
    { kind: 'statement', id: '41' },
    { kind: 'period', id: '2026-11' },
  ];
  const content = Buffer.from('<script>alert(1)</script>\0 not a page');
  const file = await upload('..\\..\\Überweisung\u202egnp.html', content);
  const added = await bench.client.comments.add({
    ...on,
    subjects,
    text: ' Letter of the bank. ',
    uploads: [file],
  });
  expect(added.map(({ subject }) => subject)).toEqual(subjects);
  for (const subject of subjects) {
    const [comment] = await bench.client.comments.list({ ...on, subject });
    expect(comment).toMatchObject({ user: 'ada', text: 'Letter of the bank.' });
    expect(comment!.files).toEqual([
      { name: 'Überweisunggnp.html', bytes: content.length, sha256: sha256(content) },
    ]);
    const offered = await bench.client.comments.file({ ...on, comment: comment!.id, number: 1 });
    expect(offered).toMatchObject({ type: 'application/octet-stream', sha256: sha256(content) });
  }
  expect(readFileSync(getSourceFilePath(folder(), sha256(content)))).toEqual(content);
  expect(await bench.client.bank.getLine({ ...on, id: Number(subjects[0]!.id) })).toMatchObject({
    comments: 1,
  });
  const { rows } = await bench.client.audit.list({ ...on, filter: { action: 'comments' } });
  expect(rows.map(({ subject }) => subject)).toEqual(
    subjects.map(({ kind, id }) => `${kind}:${id}`).toReversed(),
  );
  expect(rows[0]!.detail).toMatchObject({
    text: 'Letter of the bank.',
    files: [{ sha256: sha256(content) }],
  });
  expect(await bench.client.audit.verify(on)).toMatchObject({ ok: true, differences: [] });
});

it('refuses empty comments, empty or large files, and records that do not exist', async () => {
  const subjects = [await findLine('LATER')];
  const refuse = async (input: Partial<Parameters<typeof bench.client.comments.add>[0]>, message: RegExp) =>
    expect(bench.client.comments.add({ ...on, subjects, ...input })).rejects.toThrow(message);
  await refuse({}, /The comment is empty/);
  await refuse({ text: '  \n' }, /The comment is empty/);
  await refuse({ uploads: [await upload('blank.pdf', Buffer.alloc(0))] }, /blank\.pdf is empty/);
  const large = await upload('scan.tiff', Buffer.alloc(25_000_001, 1));
  await refuse({ uploads: [large] }, /scan\.tiff is larger than 25 MB/);
  await refuse({ uploads: ['unknown'] }, /no longer available/);
  await refuse({ text: 'x', subjects: [...subjects, { kind: 'match', id: '777' }] }, /no match 777/);
  await refuse({ text: 'x', subjects: [{ kind: 'period', id: '2031-01' }] }, /no period 2031-01/);
  expect(await bench.client.comments.list({ ...on, subject: subjects[0]! })).toEqual([]);
  expect((await bench.client.audit.list({ ...on, filter: { action: 'comments' } })).rows).toEqual([]);
});

it.each<CommentSubject>([
  { kind: 'line', id: '01' },
  { kind: 'line', id: '1-2' },
  { kind: 'line', id: '2026-11' },
  { kind: 'match', id: '+1' },
  { kind: 'payment', id: '410.0' },
  { kind: 'exception', id: '' },
  { kind: 'statement', id: '41-' },
  { kind: 'payout', id: '99999999999999999' },
  { kind: 'period', id: '1' },
  { kind: 'period', id: '2026-13' },
  { kind: 'period', id: '2026-1' },
])('refuses $kind “$id”, which would be another spelling of a record', async (subject) => {
  await bench.client.periods.open(november);
  await expect(bench.client.comments.add({ ...on, subjects: [subject], text: 'x' })).rejects.toMatchObject({
    code: 'validation',
  });
  await expect(bench.client.comments.list({ ...on, subject })).rejects.toMatchObject({ code: 'validation' });
});

it('puts the comments of a period into its pack, also those made after closing, with their files', async () => {
  await bench.client.periods.open(november);
  const open = await findLine('WHO PAID THIS');
  const other = await findLine('LATER');
  const letter = Buffer.from('a letter');
  await bench.client.comments.add({ ...on, subjects: [open], uploads: [await upload('letter.txt', letter)] });
  await bench.client.comments.add({ ...on, subjects: [other], text: 'Of December.' });
  await bench.sign('2026-11');
  await bench.client.comments.add({
    ...on,
    subjects: [{ kind: 'period', id: '2026-11' }],
    text: '=Asked again.',
    uploads: [await upload('letter.txt', letter)],
  });
  const path = join(bench.outputs, 'november.zip');
  const { job } = await bench.client.packs.write({ ...november, path });
  await bench.waitForJob(job);
  const packed = `data/attachments/${sha256(letter).slice(0, 16)}-letter.txt`;
  await withOpenBag(
    path,
    ['data/decisions.json', 'data/index.csv', 'data/tables/comments.csv', packed],
    async (bag) => {
      const decisions = JSON.parse(await readBagText(bag, 'data/decisions.json', 1e7)) as PackDecisions;
      expect(decisions.comments).toMatchObject([
        { line: { booked_on: '2026-11-17' }, text: '', files: [{ name: 'letter.txt', path: packed }] },
        { period: '2026-11', text: '=Asked again.', files: [{ path: packed }] },
      ]);
      expect(await readBagText(bag, packed, 1000)).toBe('a letter');
      expect(await readBagText(bag, 'data/index.csv', 1e6)).toContain(
        `attachment,1,${packed},8,${sha256(letter)}`,
      );
      const table = await readBagText(bag, 'data/tables/comments.csv', 1e6);
      expect(table).toContain(`line:${open.id},`);
      expect(table).toContain("'=Asked again.");
      expect(table).not.toContain('Of December.');
    },
  );
  expect(await bench.client.packs.verify({ path })).toMatchObject({ ok: true });
});

it('restores comments with their files from a pack, and nothing when repeated', async () => {
  await bench.client.periods.open(november);
  const scan = Buffer.from('a scan');
  const subject = await findLine('WHO PAID THIS');
  const subjects: CommentSubject[] = [subject, { kind: 'period', id: '2026-11' }];
  await bench.client.comments.add({
    ...on,
    subjects,
    text: 'See scan.',
    uploads: [await upload('scan.png', scan)],
  });
  const path = join(bench.outputs, 'first.zip');
  await bench.waitForJob((await bench.client.packs.write({ ...november, path })).job);

  const other = await openPeriodBench();
  try {
    other.addStatements({ id: 41, on: '2026-11-04', cents: 6100 }, { id: 42, on: '2026-12-02', cents: 900 });
    await other.client.periods.open(november);
    const { fingerprint, parts } = await other.client.packs.compareDecisions({ ...on, path });
    expect(parts.find(({ part }) => part === 'comments')).toMatchObject({ missing: 2 });
    await other.client.packs.restoreDecisions({ ...on, path, fingerprint, reason: 'New computer.' });
    const [restored] = await other.client.comments.list({
      ...on,
      subject: { kind: 'period', id: '2026-11' },
    });
    expect(restored).toMatchObject({ user: 'ada', text: 'See scan.', files: [{ name: 'scan.png' }] });
    const stored = getSourceFilePath(join(other.home, 'sites', SITE), sha256(scan));
    expect(readFileSync(stored)).toEqual(scan);
    const again = await other.client.packs.compareDecisions({ ...on, path });
    expect(again.parts.find(({ part }) => part === 'comments')).toMatchObject({ same: 2, missing: 0 });
    expect(await other.client.audit.verify(on)).toMatchObject({ ok: true, differences: [] });
  } finally {
    await other.close();
  }
});

it('names a lost or changed attached file', async () => {
  const content = Buffer.from('original');
  const subjects = [await findLine('LATER')];
  const [comment] = await bench.client.comments.add({
    ...on,
    subjects,
    uploads: [await upload('a.txt', content)],
  });
  const path = getSourceFilePath(folder(), sha256(content));
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, 'another text');
  const [check] = (await bench.client.app.doctor({ quick: false })).filter(({ name }) =>
    name.includes('attached files'),
  );
  expect(check).toMatchObject({ ok: false, message: 'a.txt was changed.' });
  await expect(bench.client.comments.file({ ...on, comment: comment!.id, number: 2 })).rejects.toThrow(
    /file 2 of comment/,
  );
});
