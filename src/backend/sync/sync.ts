import type { PacingOptions } from '../../billing/index.ts';
import {
  contractError,
  type ErrorValue,
  type Job,
  type Progress,
  type SyncPart,
} from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { checkAfter } from '../checks/checks.ts';
import type { Changes } from '../jobs/changes.ts';
import type { JobHandle, Jobs } from '../jobs/jobs.ts';
import { renewFor } from '../matching/renew.ts';
import { noticeAfter } from '../periods/notice.ts';
import { steadyClock } from '../sites/clock.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { interruptRuns, type StoredRun, saveRun } from '../store/sync/sync-run.ts';
import { latestDay } from './any-zone.ts';
import type { SyncContext } from './context.ts';
import { inOrder, syncParts } from './parts.ts';
import { createTally, type RunTally } from './tally.ts';
import { createWaiting } from './waiting.ts';

/** What starting a sync needs of the writer. */
export interface SyncTools {
  shell: ShellClient;
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
  user: string;
  now: () => number;
  pacing?: PacingOptions | undefined;
}

export interface SyncOrder {
  site: string;
  only?: readonly SyncPart[] | undefined;
  full?: boolean | undefined;
  since?: string | undefined;
}

const BY_DEFAULT: readonly SyncPart[] = ['webhooks', 'statements', 'allocations'];
/** Most often that a run's figures are written down while it goes on. */
const KEPT_MS = 1000;

/** Starts a sync as a job. Throws `conflict` where one runs, here or elsewhere. */
export function startSync(tools: SyncTools, order: SyncOrder): Job {
  const open = tools.stores.open(order.site);
  const parts = inOrder(order.only ?? BY_DEFAULT);
  if (parts.length === 0) {
    throw contractError({
      code: 'validation',
      message: 'Nothing was named to sync.',
      hint: 'Name webhooks, statements, allocations or pdf, or none for the usual ones.',
      retryable: false,
    });
  }
  // A day ahead, because the zone of the service's days is not known.
  if (order.since !== undefined && order.since > latestDay(tools.now())) {
    throw contractError({
      code: 'validation',
      message: `The day ${order.since} has not come yet.`,
      hint: 'Name the day from which on webhooks are wanted.',
      retryable: false,
    });
  }
  const tally = createTally();
  const now = steadyClock(open.cache, tools.now);
  let run: StoredRun | null = null;
  const keep = (change: Partial<StoredRun>) => {
    if (run === null) return;
    run = { ...run, requests: tally.requests(), rows: tally.written(), bytes: tally.bytes, ...change };
    saveRun(open.cache, run);
  };
  return tools.jobs.start({
    site: order.site,
    kind: 'sync',
    what: 'a sync',
    books: open.books,
    parts,
    async run(job) {
      // Only one sync of a site goes on at a time: what another process left was cut off with it.
      interruptRuns(open.cache, now());
      run = newRun(job.id, now(), tally);
      saveRun(open.cache, run);
      const complete = await runParts({ ...tools, now }, open, order, parts, job, tally, keep);
      keep({ complete });
      const checked = await checkAfter(tools, open, job, 'the sync');
      await renewFor(tools, open, job, 'sync');
      await noticeAfter(tools, open, job, 'sync');
      return [summaryOf(tally, complete), checked].filter((each) => each !== null).join(' ');
    },
    ended(state: Job['state'], error: ErrorValue | null) {
      if (state !== 'paused' && state !== 'running') keep({ state, error, ended_at: now() });
    },
  });
}

async function runParts(
  { shell, changes, now, pacing }: SyncTools,
  site: OpenSite,
  order: SyncOrder,
  parts: readonly SyncPart[],
  job: JobHandle,
  tally: RunTally,
  keep: (change: Partial<StoredRun>) => void,
): Promise<boolean> {
  const waiting = createWaiting();
  let moving: string = parts[0] ?? 'webhooks';
  let waits: Progress['waits'] = null;
  const client = connectSite({ shell, pacing, now }, site, {
    signal: job.signal,
    onRequest(event) {
      tally.request(event);
      const before = waits;
      waits = waiting.after(event);
      if (waits !== before) job.progress(moving, { waits });
    },
  });
  let keptAt = 0;
  const context: SyncContext = {
    site,
    client,
    job: {
      ...job,
      progress(part, known) {
        if (part !== moving && waits !== null) job.progress(moving, { waits: null });
        moving = part;
        job.progress(part, known);
      },
    },
    tally,
    full: order.full ?? false,
    since: order.since ?? null,
    now,
    tell(...topics) {
      changes.tell(order.site, ...topics);
      if (performance.now() - keptAt < KEPT_MS) return;
      keptAt = performance.now();
      keep({});
      changes.tell(order.site, 'sync');
    },
  };
  try {
    return await syncParts(context, parts);
  } finally {
    await client.close();
  }
}

function newRun(job: string, started_at: number, tally: RunTally): StoredRun {
  return {
    job,
    started_at,
    ended_at: null,
    state: 'running',
    requests: tally.requests(),
    rows: {},
    bytes: 0,
    complete: false,
    error: null,
  };
}

function summaryOf(tally: RunTally, complete: boolean): string {
  const rows = Object.values(tally.written()).reduce((sum, count) => sum + count, 0);
  const { total } = tally.requests();
  const changed = rows === 0 ? 'Nothing had changed' : `${counted(rows, 'record')} new or changed`;
  const failed = complete ? '' : `; not complete, ${tally.failed} could not be read`;
  return `${changed}, with ${counted(total, 'request')}${failed}.`;
}
