import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { BackendClient, Job } from '../../../src/contract/index.ts';
import { showJobs } from '../../../src/main/jobs/show-jobs.ts';
import { app, BrowserWindow, recorded, resetElectron } from '../../doubles/electron.ts';
import { pretendPlatform } from '../pretend-platform.ts';

beforeEach(async () => {
  await app.whenReady();
  resetElectron();
  BrowserWindow.focused = null;
});

const runningJob: Job = {
  ...{ id: 'j1', site: 'harbor', kind: 'sync', state: 'running', ended_at: null },
  ...{ started_at: '2026-09-14T08:00:00.000Z', rate: null, remaining_ms: null, summary: null, error: null },
  progress: [{ part: 'statements', done: 30, total: 120, failed: 0, current: null }],
};
const endJob = (fields: Partial<Job>): Job => ({ ...runningJob, state: 'done', ...fields });
/** A minute after the start. */
const LATE = '2026-09-14T08:01:00.000Z';

/** Shows a job that runs, and ends it when `end` is called. */
async function showJob(running: Job = runningJob) {
  let job = running;
  const listeners: (() => void)[] = [];
  async function* watch(_input: object, { signal }: { signal?: AbortSignal } = {}) {
    while (!signal?.aborted) {
      await new Promise<void>((resolve) => listeners.push(resolve));
      yield { site: job.site, topics: ['jobs' as const] };
    }
  }
  const target = (kind: string, path: string) => ({ job: 'j1', target: { kind, path } });
  const client = {
    jobs: { list: async () => [job] },
    changes: { watch: async (...given: [object, object]) => watch(...given) },
    packs: { result: async () => ({ path: '/work/september-evidence.zip' }) },
    archive: {
      exports: async () => [
        { ...target('zip', '/work/other.zip'), job: 'j0' },
        target('zip', '/work/all.zip'),
      ],
    },
  } as unknown as BackendClient;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let shown = 0;
  const countSending = showJobs({
    client: Promise.resolve(client),
    signal: stop.signal,
    showWindow: () => {
      shown += 1;
    },
  });
  const window = new BrowserWindow({});
  await expect.poll(() => window.progress).not.toBe(-1);
  return {
    window,
    countSending,
    countShown: () => shown,
    async end(ended: Job) {
      job = ended;
      for (const notify of listeners.splice(0)) notify();
      await expect.poll(() => window.progress).toBe(-1);
    },
  };
}

test('the taskbar shows the share of a running job until its end', async () => {
  const { window, countSending, end } = await showJob();
  expect(window.progress).toBe(0.25);
  expect([countSending(), recorded.powerSaveBlockers]).toEqual([0, 0]);
  await end(endJob({ ended_at: LATE }));
});

test('a job of unknown size shows a bar without a share', async () => {
  const { window } = await showJob({ ...runningJob, progress: [] });
  expect(window.progress).toBeGreaterThan(1);
});

test('the computer stays awake only while a job is sending', async () => {
  const { countSending, end } = await showJob({ ...runningJob, kind: 'allocations' });
  expect([countSending(), recorded.powerSaveBlockers]).toEqual([1, 1]);
  await end(endJob({ kind: 'allocations', ended_at: LATE }));
  expect([countSending(), recorded.powerSaveBlockers]).toEqual([0, 0]);
});

test('the end of a long job in the background is notified, and a click shows the window', async () => {
  const { countShown, end } = await showJob();
  await end(endJob({ ended_at: LATE, summary: '120 statements read.' }));
  expect(recorded.notifications.map(({ options }) => options)).toEqual([
    { title: 'Tieout: a job has finished (harbor)', body: '120 statements read.' },
  ]);
  expect(countShown()).toBe(0);
  recorded.notifications[0]?.emit('click');
  expect(countShown()).toBe(1);
});

test('a failed job is notified with its reason', async () => {
  const { end } = await showJob();
  const error = { code: 'service' as const, message: 'The service does not respond.', retryable: true };
  await end(endJob({ state: 'failed', ended_at: LATE, error }));
  expect(recorded.notifications.map(({ options }) => options)).toEqual([
    { title: 'Tieout: a job has failed (harbor)', body: 'The service does not respond.' },
  ]);
});

test('no notification follows a short job, or a job whose end the user sees', async () => {
  const short = await showJob();
  await short.end(endJob({ ended_at: '2026-09-14T08:00:09.000Z' }));
  const seen = await showJob();
  BrowserWindow.focused = seen.window;
  await seen.end(endJob({ ended_at: LATE }));
  expect(recorded.notifications).toEqual([]);
});

test.each([
  ['pack', 'done', ['/work/september-evidence.zip']],
  ['archive', 'done', ['/work/all.zip']],
  ['pack', 'failed', []],
  ['sync', 'done', []],
] as const)('files written by a %s job that is %s are recent files', async (kind, state, expected) => {
  pretendPlatform('win32');
  const { end } = await showJob({ ...runningJob, kind });
  await end(endJob({ kind, state, ended_at: LATE }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(recorded.recentDocuments).toEqual(expected);
});
