import { expect, test } from 'vitest';
import type { Job, JobProgress } from '../../../src/contract/index.ts';
import {
  findEndedJobs,
  type JobSummary,
  observeJobs,
  summarizeJobs,
} from '../../../src/main/jobs/job-observer.ts';

const part = (done: number, total: number | null): JobProgress => ({
  ...{ part: 'webhooks', done, total, failed: 0, current: null },
});

const job = (fields: Partial<Job>): Job => ({
  ...{
    id: 'j1',
    site: 'harbor',
    kind: 'sync',
    state: 'running',
    started_at: '2026-10-01T00:00:00.000Z',
    ended_at: null,
  },
  ...{ progress: [], rate: null, remaining_ms: null, summary: null, error: null },
  ...fields,
});

test('the taskbar shows the share of all running jobs', () => {
  expect(summarizeJobs([]).progress).toBeNull();
  expect(summarizeJobs([job({ state: 'done', progress: [part(5, 5)] })]).progress).toBeNull();
  const running = [
    job({ progress: [part(10, 40)] }),
    job({ id: 'j2', progress: [part(30, 60), part(0, 0)] }),
  ];
  expect(summarizeJobs(running).progress).toBe(0.4);
});

test('the share is unknown if a total is unknown or a job has not started counting', () => {
  expect(summarizeJobs([job({ progress: [part(10, null)] })]).progress).toBe('unknown');
  expect(summarizeJobs([job({})]).progress).toBe('unknown');
});

test('only running replays and allocation changes count as sending', () => {
  const jobs = [
    job({ id: 'a', kind: 'replay' }),
    job({ id: 'b', kind: 'allocations' }),
    job({ id: 'c', kind: 'replay', state: 'paused' }),
    job({ id: 'd', kind: 'sync' }),
  ];
  expect(summarizeJobs(jobs).sending.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('a job has ended if it ran before, unless the user canceled it', () => {
  const before = [job({ id: 'a' }), job({ id: 'b' }), job({ id: 'c' }), job({ id: 'd', state: 'done' })];
  const after = [
    job({ id: 'a', state: 'done' }),
    job({ id: 'b', state: 'failed' }),
    job({ id: 'c', state: 'canceled' }),
    job({ id: 'd', state: 'done' }),
    job({ id: 'e', state: 'done' }),
  ];
  expect(findEndedJobs(before, after).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('jobs are observed from change events until the signal aborts', async () => {
  const lists = [[job({})], [job({ state: 'done', summary: '12 webhooks read.' })]];
  let listed = 0;
  const list = async () => lists[Math.min(listed++, lists.length - 1)] ?? [];
  async function* watch(_input: object, { signal }: { signal?: AbortSignal } = {}) {
    yield { site: 'harbor', topics: ['jobs' as const] };
    await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
  const controller = new AbortController();
  const summaries: JobSummary[] = [];
  const ended: Job[] = [];
  const observing = observeJobs({
    client: {
      jobs: { list },
      changes: { watch: async (...given: [object, object]) => watch(...given) },
    } as never,
    signal: controller.signal,
    onSummary: (summary) => summaries.push(summary),
    onEnded: (end) => ended.push(end),
  });
  await expect.poll(() => ended.map(({ summary }) => summary)).toEqual(['12 webhooks read.']);
  expect(summaries.at(-1)?.progress).toBeNull();
  controller.abort();
  await observing;
});
