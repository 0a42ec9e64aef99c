import { afterEach, expect, test } from 'vitest';
import { listSyncCheckpointsByPrefix } from '../../../../src/backend/store/sync/sync-checkpoints.ts';
import { listSyncRuns } from '../../../../src/backend/store/sync/sync-status.ts';
import { readSyncPartState } from '../../../../src/backend/store/sync/sync-unit.ts';
import { addDays } from '../../../../src/backend/sync/shared/days-in-all-time-zones.ts';
import type { ClosedWebhookWindow } from '../../../../src/backend/sync/webhooks/closed-webhook-window.ts';
import {
  appendPageFingerprint,
  isLogPageUnchanged,
} from '../../../../src/backend/sync/webhooks/closed-webhook-window.ts';
import type { WebhookLogState } from '../../../../src/backend/sync/webhooks/webhook-log.ts';
import type { PageFingerprint } from '../../../../src/backend/sync/webhooks/webhook-window.ts';
import { findWebhookDifferences } from '../../find-differences.ts';
import { openWriterTestSite, type WriterTestSite } from '../../writer-test-site.ts';
import { replayOutsideApp } from '../replay-outside-app.ts';

let bench: WriterTestSite;
let ahead = 0;
afterEach(() => bench.close());

async function open(): Promise<void> {
  ahead = 0;
  bench = await openWriterTestSite(
    { subscriptions: 30, months: 3, outage: false, settings: { maxPerPage: 25, queueDelay: 1 } },
    { pacing: { delayScale: 0.001 }, delayScale: 0.01, now: () => Date.now() + ahead },
  );
  await bench.sync({ only: ['webhooks'] });
}

/**
 * Syncs once a day until the complete log was read again. Returns the maximum number of requests per day, the number of
 * days and the rows written.
 */
async function rereadWholeLog(): Promise<{ requests: number; days: number; written: number }> {
  const took = { requests: 0, days: 0, written: 0 };
  do {
    took.days++;
    ahead += 86_400_000;
    bench.sandbox.requests.reset();
    await bench.sync({ only: ['webhooks'] });
    took.requests = Math.max(took.requests, bench.sandbox.requests.total);
    took.written += listSyncRuns(bench.cache(), 1)[0]?.rows['webhook'] ?? 0;
  } while (readSyncPartState<WebhookLogState>(bench.cache(), 'webhooks')?.checkpoint.audit_from !== null);
  return took;
}

/** Makes another client resend old accepted webhooks, which are accepted again. No list of changes shows this. */
async function changeUnnoticed(): Promise<number> {
  const all = [...bench.sandbox.truth.webhooks()].slice(0, -40);
  const some = all.filter((_, index) => index % 9 === 0).map(({ id }) => id as number);
  await replayOutsideApp(bench, some);
  await bench.sync({ only: ['webhooks'] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth).length).toBeGreaterThan(0);
  return some.length;
}

const closed = () => listSyncCheckpointsByPrefix<ClosedWebhookWindow>(bench.cache(), 'webhooks', 'closed ');

test('a part of the log is read again each day, so that every change is found within a month', async () => {
  await open();
  await changeUnnoticed();
  const { requests, days } = await rereadWholeLog();
  expect(days).toBeGreaterThan(5);
  expect(days).toBeLessThanOrEqual(31);
  expect(requests).toBeLessThanOrEqual(2 + 6);
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('closed windows stay the same, count all rows and detect changed pages by checksums', async () => {
  await open();
  expect(await rereadWholeLog()).toMatchObject({ written: 0 });
  const first = closed();
  const over = Date.parse(`${addDays(first.at(-1)?.until ?? '', 1)}T00:00:00Z`);
  const all = [...bench.sandbox.truth.webhooks()].map(({ created_at }) => Date.parse(String(created_at)));
  expect(first.reduce((sum, { rows }) => sum + rows, 0)).toBe(all.filter((at) => at < over).length);
  for (const [at, { since, rows, per_page, pages }] of first.entries()) {
    if (at > 0) expect(since).toBe(addDays(first[at - 1]?.until ?? '', 1));
    expect(pages).toHaveLength(Math.floor(rows / per_page) + 1);
  }

  expect(await rereadWholeLog()).toMatchObject({ written: 0 });
  const checksums = (windows: readonly ClosedWebhookWindow[]) =>
    windows.map(({ pages }) => pages.map((page) => page?.checksum));
  expect(checksums(closed())).toEqual(checksums(first));

  const changed = await changeUnnoticed();
  const { written } = await rereadWholeLog();
  expect(written).toBeGreaterThan(changed / 2);
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  expect(checksums(closed())).not.toEqual(checksums(first));
});

test('a page is unchanged if its checksum is the same and its rows were not stored again', async () => {
  await open();
  const cache = bench.cache();
  const ids = [...bench.sandbox.truth.webhooks()].slice(0, 3).map(({ id }) => id as number);
  const request = { page: 1, per_page: 3 };
  const mark: PageFingerprint = { checksum: 'abc', read_at: Date.now() };
  const known = { per_page: 3, pages: [mark] };
  const page = { request, mark, ids };
  expect(isLogPageUnchanged(cache, known, page)).toBe(true);
  expect(isLogPageUnchanged(cache, known, { ...page, mark: { ...mark, checksum: 'abd' } })).toBe(false);
  expect(isLogPageUnchanged(cache, known, { ...page, mark: null })).toBe(false);
  expect(isLogPageUnchanged(cache, known, { ...page, request: { page: 1, per_page: 4 } })).toBe(false);
  expect(isLogPageUnchanged(cache, known, { ...page, request: { page: 2, per_page: 3 } })).toBe(false);
  const older = { per_page: 3, pages: [{ ...mark, read_at: 0 }] };
  expect(isLogPageUnchanged(cache, older, page)).toBe(false);
  expect(isLogPageUnchanged(cache, known, { ...page, ids: [...ids, 999_999_999] })).toBe(false);
  expect(isLogPageUnchanged(cache, undefined, page)).toBe(false);
});

test('fingerprints need consecutive pages of one size; an incomplete page has none', () => {
  const mark: PageFingerprint = { checksum: 'abc', read_at: 1 };
  const none = { per_page: 200, pages: [] };
  const one = appendPageFingerprint(none, { page: 1, per_page: 25 }, mark);
  expect(one).toEqual({ per_page: 25, pages: [mark] });
  expect(appendPageFingerprint(one ?? none, { page: 2, per_page: 25 }, null)).toEqual({
    per_page: 25,
    pages: [mark, null],
  });
  expect(appendPageFingerprint(one ?? none, { page: 2, per_page: 24 }, mark)).toBeNull();
  expect(appendPageFingerprint(one ?? none, { page: 3, per_page: 25 }, mark)).toBeNull();
});
