import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewFile } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const february = { site: SITE, period: '2026-02' };

/** Computer of the preparer, with the books. */
let preparer: PeriodBench;
/** Computer of the reviewer, which has other data and another keychain. */
let reviewer: PeriodBench;
let pack: string;

beforeEach(async () => {
  [preparer, reviewer] = [await openPeriodBench(), await openPeriodBench()];
  await prepare();
});
afterEach(async () => {
  await preparer.close();
  await reviewer.close();
});

/** Submits February on the computer of the preparer and writes its pack. */
async function prepare(): Promise<void> {
  preparer.addStatements({ id: 21, on: '2026-02-03', cents: 6175 });
  await preparer.import(standardCsv([['2026-02-04', '61.75', 'CARD', 'ch_x210']]));
  await preparer.match();
  await preparer.client.periods.open(february);
  await submit();
  pack = await writePack('submitted.zip');
}

const submit = () =>
  preparer.client.periods.submit({ ...february, by: 'Ada Byron', comment: 'As far as is known.' });

async function writePack(name: string): Promise<string> {
  const path = join(preparer.outputs, name);
  await preparer.waitForJob((await preparer.client.packs.write({ ...february, path })).job);
  return path;
}

/** Reviews a pack on the reviewer's computer. Returns the text of the review file. */
async function review(options: Partial<Parameters<typeof reviewer.client.packs.review>[0]> = {}) {
  const output = join(reviewer.outputs, 'review.json');
  const result = await reviewer.client.packs.review({
    ...{ path: pack, output, replace: true, verdict: 'approve', by: 'Bo Diddley' },
    ...options,
  });
  return { ...result, text: readFileSync(output, 'utf8') };
}
const importReview = (text: string, key?: string) =>
  preparer.client.periods.importReview({ site: SITE, review: text, ...(key === undefined ? {} : { key }) });

it('approves a period on another computer, and closes it with that approval', async () => {
  const { text, key, figures, receipt } = await review({ comment: 'Agrees with the bank.' });
  expect(text.length).toBeLessThan(2000);
  const { state, reviewed, history } = await importReview(text, key.slice(0, 24));
  expect(state).toBe('reviewed');
  expect(reviewed).toMatchObject({ name: 'Bo Diddley', key, figures, comment: 'Agrees with the bank.' });
  expect(history.findLast(({ action }) => action === 'approved')).toMatchObject({
    key,
    is_self_review: false,
  });
  const { job } = await preparer.client.periods.close({ ...february, by: 'Ada Byron' });
  expect(await preparer.waitForJob(job)).toMatchObject({ state: 'done' });
  expect(await preparer.client.audit.verify({ site: SITE, known_hash: receipt.hash })).toMatchObject({
    ...{ ok: true, differences: [], known_hash_seq: receipt.entries },
  });
  const verdict = await reviewer.client.packs.verify({
    path: await writePack('closed.zip'),
    receipt: receipt.hash,
  });
  expect(verdict).toMatchObject({ ok: true, problems: [], audit: { proven_entries: receipt.entries } });
  expect(verdict.pack?.signatures.map(({ role, user }) => [role, user])).toEqual([
    ['prepared', 'Ada Byron'],
    ['reviewed', 'Bo Diddley'],
    ['closed', 'Ada Byron'],
  ]);
});

it('sends a period back on another computer', async () => {
  await expect(review({ verdict: 'reject' })).rejects.toMatchObject({ code: 'validation' });
  const { text } = await review({ verdict: 'reject', comment: 'Line 4 is missing.' });
  const { state, history } = await importReview(text);
  expect(state).toBe('open');
  expect(history.at(-1)).toMatchObject({
    action: 'rejected',
    name: 'Bo Diddley',
    text: 'Line 4 is missing.',
  });
  await expect(importReview(text)).rejects.toMatchObject({ code: 'conflict' });
});

it.each<[string, (file: ReviewFile) => void]>([
  ['name', ({ entry }) => (entry.detail.name = 'Eve')],
  ['comment', ({ entry }) => (entry.reason = 'All fine.')],
  ['decision', ({ entry }) => (entry.action = 'periods.approve')],
  ['period', (file) => (file.period = file.entry.subject = '2026-01')],
  ['figures', ({ entry }) => (entry.detail.figures = 'ab'.repeat(32))],
  ['time', ({ entry }) => (entry.detail.signed_at -= 86_400_000)],
  ['log', ({ entry }) => (entry.detail.log.entries -= 1)],
])('refuses a review with another %s', async (_, change) => {
  const { text } = await review({ verdict: 'reject', comment: 'See line 4.' });
  const file = JSON.parse(text) as ReviewFile;
  change(file);
  await expect(importReview(JSON.stringify(file))).rejects.toMatchObject({ code: 'corrupt' });
});

it('refuses a file that is no review, and a key that is not the reviewer’s', async () => {
  await expect(importReview('{}')).rejects.toMatchObject({ code: 'validation' });
  await expect(importReview('PK')).rejects.toMatchObject({ code: 'validation' });
  const { text } = await review();
  await expect(importReview(text, '0123456789abcdef01234567')).rejects.toMatchObject({ code: 'conflict' });
});

it('refuses a review of an earlier submission or of other figures', async () => {
  const { text } = await review();
  await preparer.client.periods.review({ ...february, by: 'Cy', verdict: 'reject', comment: 'Not yet.' });
  await submit();
  await expect(importReview(text)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('earlier submission'),
  });
  pack = await writePack('second.zip');
  const { text: second } = await review();
  await preparer.import(standardCsv([['2026-02-05', '7.77', 'WHO IS THIS']]));
  await expect(importReview(second)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('have changed'),
  });
});

it('refuses a review of a copy of the books that went another way', async () => {
  const { text } = await review();
  const other = reviewer;
  other.addStatements({ id: 21, on: '2026-02-03', cents: 6175 });
  await other.import(standardCsv([['2026-02-04', '61.75', 'CARD', 'ch_x210']]));
  await other.match();
  await other.client.periods.open(february);
  await other.client.periods.submit({ ...february, by: 'Ada Byron', comment: 'As far as is known.' });
  await expect(other.client.periods.importReview({ site: SITE, review: text })).rejects.toMatchObject({
    message: expect.stringContaining('another site'),
  });
});

it('requires another person, or the reason for a self-review', async () => {
  await expect(review({ by: 'ada byron' })).rejects.toMatchObject({ code: 'conflict' });
  const { text } = await review({ by: 'ada byron', self_review: 'Nobody else is here.' });
  expect((await importReview(text, JSON.parse(text).entry.detail.key)).reviewed).toMatchObject({
    self_review: 'Nobody else is here.',
  });
});

it('requires the key if the reviewer has another one than before', async () => {
  await preparer.client.periods.review({ ...february, by: 'Bo Diddley', verdict: 'reject', comment: 'No.' });
  await submit();
  pack = await writePack('again.zip');
  const { text, key } = await review();
  await expect(importReview(text)).rejects.toMatchObject({
    message: expect.stringContaining('another key'),
  });
  expect((await importReview(text, key)).state).toBe('reviewed');
  expect(await preparer.client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
});

it('reviews only intact packs of submitted periods that lead to the receipt', async () => {
  await expect(review({ receipt: 'ab'.repeat(32) })).rejects.toMatchObject({
    message: expect.stringContaining('receipt'),
  });
  await preparer.client.periods.review({ ...february, by: 'Cy', verdict: 'approve' });
  pack = await writePack('reviewed.zip');
  await expect(review()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('reviewed'),
  });
  await expect(review({ path: join(preparer.outputs, 'nothing.zip') })).rejects.toThrow();
});

describe('a site that refuses self-reviews', () => {
  beforeEach(() => {
    const settings = { self_review: 'refused' } as const;
    return preparer.client.workpapers.saveSettings({ site: SITE, settings });
  });

  it('trusts the key of a reviewer only if it was given before or is given now', async () => {
    const rejected = await review({ verdict: 'reject', comment: 'Line 4 is missing.' });
    const unknown = { code: 'conflict', message: expect.stringContaining('no key of Bo Diddley') };
    await expect(importReview(rejected.text)).rejects.toMatchObject(unknown);
    expect((await importReview(rejected.text, rejected.key)).state).toBe('open');
    await submit();
    pack = await writePack('second.zip');
    expect((await importReview((await review()).text)).state).toBe('reviewed');
  });

  it('refuses a reviewer whose key was created in another data folder of the same computer', async () => {
    const keys = new Map<string, string>();
    const [mine, alias] = [await openPeriodBench(undefined, keys), await openPeriodBench(undefined, keys)];
    const others = [preparer, reviewer];
    [preparer, reviewer] = [mine, alias];
    try {
      await prepare();
      await preparer.client.workpapers.saveSettings({ site: SITE, settings: { self_review: 'refused' } });
      const { text, key } = await review();
      await expect(importReview(text, key)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('both in the keychain of this computer'),
      });
    } finally {
      await mine.close();
      await alias.close();
      [preparer, reviewer] = others as [PeriodBench, PeriodBench];
    }
  });
});
