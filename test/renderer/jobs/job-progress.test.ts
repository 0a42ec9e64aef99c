import { expect, test } from 'vitest';
import type { Job } from '../../../src/contract/index.ts';
import { formatJobRate, getTotalJobProgress } from '../../../src/renderer/jobs/job-progress.ts';

const job: Job = {
  id: 'j',
  site: 'acme',
  kind: 'sync',
  state: 'running',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  progress: [
    { part: 'webhooks', done: 400, total: 1_000, failed: 1, current: null },
    { part: 'statements', done: 10, total: 50, failed: 0, current: null },
  ],
  rate: 1_204.6,
  remaining_ms: 12_400,
  summary: null,
  error: null,
};

test('job progress adds up its parts', () =>
  expect(getTotalJobProgress(job)).toEqual({ done: 410, total: 1_050, failed: 1, estimated: false }));

test('job progress has no total if the total of one part is unknown', () => {
  const [first] = job.progress;
  const unknown = { ...job, progress: [...job.progress, { ...first!, total: null }] };
  expect(getTotalJobProgress(unknown).total).toBeNull();
  expect(getTotalJobProgress({ ...job, progress: [] }).total).toBeNull();
  expect(getTotalJobProgress({ ...job, progress: [first!, { ...first!, estimated: true }] }).estimated).toBe(
    true,
  );
});

test('the pace text shows the rate and the remaining time if they are known', () => {
  expect(formatJobRate(job)).toBe('1,205/s · about 12 s left');
  expect(formatJobRate({ ...job, remaining_ms: null })).toBe('1,205/s');
  expect(formatJobRate({ ...job, rate: null, remaining_ms: null })).toBe('');
});

test('a waiting job shows the reason instead of a pace', () => {
  const [first] = job.progress;
  const waiting = (waits: Job['progress'][number]['waits']) =>
    formatJobRate({ ...job, progress: [first!, { ...first!, waits }] });
  expect(waiting(null)).toBe('1,205/s · about 12 s left');
  expect(waiting({ reason: 'away', until: null })).toBe('The service does not respond. Retrying');
  expect(waiting({ reason: 'failing', until: null })).toBe('The service returns errors. Retrying');
  expect(waiting({ reason: 'limited', until: '2026-01-01T12:00:00Z' })).toMatch(
    /^The service limits the request rate\. Waiting until Jan 1, 2026, \d\d:00$/,
  );
});
