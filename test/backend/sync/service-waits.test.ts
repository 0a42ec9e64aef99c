import { afterEach, expect, test } from 'vitest';
import { createWaiting } from '../../../src/backend/sync/service-waits.ts';
import type { Progress } from '../../../src/contract/index.ts';
import { openWorkbench, SITE, type Workbench } from '../workbench.ts';

let bench: Workbench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

const event = { kind: 'webhooks', method: 'GET', path: '/webhooks.json', attempt: 1, ms: 5 } as const;

test('what is waited for is told: a pause at once, failures where they come one after the other', () => {
  const waiting = createWaiting();
  const away = { ...event, error: 'network' };
  const failing = { ...event, status: 503, error: 'service' };
  const good = { ...event, status: 200 };
  expect(waiting.after(good)).toBe(null);
  expect(waiting.after(away)).toBe(null);
  expect(waiting.after(failing)).toBe(null);
  expect(waiting.after(away)).toEqual({ reason: 'away', until: null });
  expect(waiting.after(failing)).toEqual({ reason: 'failing', until: null });
  // That there is nothing is an answer too.
  expect(waiting.after({ ...event, status: 404, error: 'not_found' })).toBe(null);
  expect(waiting.after(away)).toBe(null);
  const paused_until = Date.parse('2026-11-01T12:00:00Z');
  const paused = { reason: 'limited', until: '2026-11-01T12:00:00.000Z' };
  expect(waiting.after({ ...event, status: 429, error: 'rate_limited', paused_until })).toEqual(paused);
  // One that was on its way already ends no pause.
  expect(waiting.after({ ...good, paused_until })).toEqual(paused);
  expect(waiting.after(good)).toBe(null);
});

test('a sync that the service asks to wait says so, until when, and goes on by itself', async () => {
  bench = await openWorkbench({ subscriptions: 8, months: 2 }, { pacing: {} });
  bench.sandbox.setFaults({ busy_rate: 1, retry_after: 1, after: 1, times: 1 });
  const before = Date.now();
  const { job } = await bench.client.sync.start({ site: SITE });
  const seen: Progress['waits'][] = [];
  for await (const { progress } of await bench.client.jobs.watch({ site: SITE, job })) {
    seen.push(progress.find(({ waits }) => waits)?.waits);
  }
  const waited = seen.filter((waits) => waits != null);
  expect(waited.map(({ reason }) => reason)).toContain('limited');
  expect(Date.parse(waited[0]?.until ?? '')).toBeGreaterThanOrEqual(before + 1000);
  expect(seen.at(-1)).toBeUndefined();
});
