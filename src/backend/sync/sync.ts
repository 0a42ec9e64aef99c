import type { PacingOptions } from '../../billing/index.ts';
import {
  contractError,
  type ErrorValue,
  type Job,
  type Progress,
  type SyncPart,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes.ts';
import { checkAfterJob } from '../checks/checks.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { updatePaymentsAfterJob } from '../matching/renew.ts';
import type { ShellClient } from '../shared/start-options.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { createSteadyClock } from '../sites/steady-clock.ts';
import { interruptRuns, type StoredRun, saveRun } from '../store/sync/sync-run.ts';
import { createWaiting } from './service-waits.ts';
import { latestDay } from './shared/any-zone.ts';
import type { SyncContext } from './shared/context.ts';
import { createTally, type RunTally } from './shared/tally.ts';
import { inOrder, syncParts } from './sync-parts.ts';

/** Dependencies for starting a sync. */
export interface SyncTools {
  shell: ShellClient;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
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
/** Minimum milliseconds between saves of a running sync's figures. */
const KEPT_MS = 1000;

/** Starts a sync as a job. Throws `conflict` if one is running in this or another process. */
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
  // One day ahead, because the time zone of the service's days is unknown.
  if (order.since !== undefined && order.since > latestDay(tools.now())) {
    throw contractError({
      code: 'validation',
      message: `The day ${order.since} has not come yet.`,
      hint: 'Name the day from which on webhooks are wanted.',
      retryable: false,
    });
  }
  const tally = createTally();
  const now = createSteadyClock(open.cache, tools.now);
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
      // Only one sync of a site runs at a time, so runs still marked as running belong to a crashed process.
      interruptRuns(open.cache, now());
      run = newRun(job.id, now(), tally);
      saveRun(open.cache, run);
      const complete = await runParts({ ...tools, now }, open, order, parts, job, tally, keep);
      keep({ complete });
      const checked = await checkAfterJob(tools, open, job, 'the sync');
      await updatePaymentsAfterJob(tools, open, job, 'sync');
      await detectChangesAfterJob(tools, open, job, 'sync');
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
  const client = createSiteConnection({ shell, pacing, now }, site, {
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
  const changed = rows === 0 ? 'Nothing had changed' : `${formatCount(rows, 'record')} new or changed`;
  const failed = complete ? '' : `; not complete, ${tally.failed} could not be read`;
  return `${changed}, with ${formatCount(total, 'request')}${failed}.`;
}
