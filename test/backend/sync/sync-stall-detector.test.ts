import { afterEach, expect, test } from 'vitest';
import { SyncStallDetector } from '../../../src/backend/sync/sync-stall-detector.ts';
import type { JobProgress } from '../../../src/contract/index.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';
import { proxySandbox } from './sandbox-proxy.ts';

let bench: WriterTestSite | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

const event = { kind: 'webhooks', method: 'GET', path: '/webhooks.json', attempt: 1, ms: 5 } as const;

test('a rate limit is reported at once, failures only after several in a row', () => {
  const waiting = new SyncStallDetector();
  const unreachable = { ...event, error: 'network' };
  const failing = { ...event, status: 503, error: 'service' };
  const successful = { ...event, status: 200 };
  expect(waiting.recordRequest(successful)).toBe(null);
  expect(waiting.recordRequest(unreachable)).toBe(null);
  expect(waiting.recordRequest(failing)).toBe(null);
  expect(waiting.recordRequest(unreachable)).toEqual({ reason: 'away', until: null });
  expect(waiting.recordRequest(failing)).toEqual({ reason: 'failing', until: null });
  // A 404 is an answer too.
  expect(waiting.recordRequest({ ...event, status: 404, error: 'not_found' })).toBe(null);
  expect(waiting.recordRequest(unreachable)).toBe(null);
  const paused_until = Date.parse('2026-11-01T12:00:00Z');
  const paused = { reason: 'limited', until: '2026-11-01T12:00:00.000Z' };
  expect(waiting.recordRequest({ ...event, status: 429, error: 'rate_limited', paused_until })).toEqual(
    paused,
  );
  // The answer to an earlier request does not end the pause.
  expect(waiting.recordRequest({ ...successful, paused_until })).toEqual(paused);
  expect(waiting.recordRequest(successful)).toBe(null);
});

test('a rate-limited sync shows until when it waits, and continues automatically', async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 2 }, { pacing: {} });
  bench.sandbox.setFaults({ busy_rate: 1, retry_after: 1, after: 1, times: 1 });
  const before = Date.now();
  const { job } = await bench.client.sync.start({ site: SITE });
  const seen: JobProgress['waits'][] = [];
  for await (const { progress } of await bench.client.jobs.watch({ site: SITE, job })) {
    seen.push(progress.find(({ waits }) => waits)?.waits);
  }
  const waited = seen.filter((waits) => waits != null);
  expect(waited.map(({ reason }) => reason)).toContain('limited');
  expect(Date.parse(waited[0]?.until ?? '')).toBeGreaterThanOrEqual(before + 1000);
  expect(seen.at(-1)).toBeUndefined();
});

test('a sync of a service that does not answer shows that it waits, and can be canceled at once', async () => {
  bench = await openWriterTestSite({ seed: 51, subscriptions: 2, months: 1 });
  let answer = () => {};
  const silence = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await proxySandbox(bench, { delayRequest: () => silence });
  const { job } = await bench.client.sync.start({ site: SITE });
  for await (const { progress } of await bench.client.jobs.watch({ site: SITE, job }))
    if (progress.some(({ waits }) => waits?.reason === 'slow')) break;
  expect(await bench.client.jobs.cancel({ site: SITE, job })).toMatchObject({ state: 'canceled' });
  answer();
});
