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
import { checkAfterJob } from '../checks/check-jobs.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import type { ShellClient } from '../shared/start-options.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { createSteadyClock } from '../sites/steady-clock.ts';
import { interruptRuns, type StoredRun, saveRun } from '../store/sync/sync-run.ts';
import { latestLocalDay } from './shared/days-in-any-zone.ts';
import { createRunTally, type RunTally } from './shared/run-tally.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { createStallDetector } from './stall-detector.ts';
import { sortSyncParts, syncParts } from './sync-parts.ts';

/** Dependencies for starting a sync. */
export interface SyncDependencies {
  shell: ShellClient;
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
  user: string;
  now: () => number;
  pacing?: PacingOptions | undefined;
}

export interface SyncRequest {
  site: string;
  only?: readonly SyncPart[] | undefined;
  full?: boolean | undefined;
  since?: string | undefined;
}

const DEFAULT_PARTS: readonly SyncPart[] = ['webhooks', 'statements', 'allocations'];
/** Minimum interval between saves of a running sync's figures, in milliseconds. */
const MIN_SAVE_INTERVAL_MS = 1000;

/** Starts a sync as a job. Throws `conflict` if this or another process already syncs the site. */
export function startSync(tools: SyncDependencies, order: SyncRequest): Job {
  const open = tools.stores.open(order.site);
  const parts = sortSyncParts(order.only ?? DEFAULT_PARTS);
  if (parts.length === 0) {
    throw contractError({
      code: 'validation',
      message: 'There is nothing to sync.',
      hint: 'Choose webhooks, statements, allocations or pdf, or omit the choice to sync the default parts.',
      retryable: false,
    });
  }
  // The time zone of the service's days is unknown, so a date of tomorrow is accepted.
  if (order.since !== undefined && order.since > latestLocalDay(tools.now())) {
    throw contractError({
      code: 'validation',
      message: `The date ${order.since} is in the future.`,
      hint: 'Enter the first day of the webhooks to sync.',
      retryable: false,
    });
  }
  const tally = createRunTally();
  const now = createSteadyClock(open.cache, tools.now);
  let run: StoredRun | null = null;
  const saveProgress = (change: Partial<StoredRun>) => {
    if (run === null) return;
    run = { ...run, requests: tally.requestCounts(), rows: tally.written(), bytes: tally.bytes, ...change };
    saveRun(open.cache, run);
  };
  return tools.jobs.start({
    site: order.site,
    kind: 'sync',
    noun: 'a sync',
    books: open.books,
    parts,
    async run(job) {
      // Only one sync of a site runs at a time, so runs still marked as running belong to a crashed process.
      interruptRuns(open.cache, now());
      run = createRun(job.id, now(), tally);
      saveRun(open.cache, run);
      const complete = await runParts({ ...tools, now }, open, order, parts, job, tally, saveProgress);
      saveProgress({ complete });
      const checked = await checkAfterJob(tools, open, job, 'the sync');
      await updatePaymentsAfterJob(tools, open, job, 'sync');
      await detectChangesAfterJob(tools, open, job, 'sync');
      return [syncSummary(tally, complete), checked].filter((each) => each !== null).join(' ');
    },
    ended(state: Job['state'], error: ErrorValue | null) {
      if (state !== 'paused' && state !== 'running') saveProgress({ state, error, ended_at: now() });
    },
  });
}

async function runParts(
  { shell, changes, now, pacing }: SyncDependencies,
  site: OpenSite,
  order: SyncRequest,
  parts: readonly SyncPart[],
  job: JobHandle,
  tally: RunTally,
  keep: (change: Partial<StoredRun>) => void,
): Promise<boolean> {
  const stallDetector = createStallDetector();
  let currentPart: string = parts[0] ?? 'webhooks';
  let waits: Progress['waits'] = null;
  const client = createSiteConnection({ shell, pacing, now }, site, {
    signal: job.signal,
    onRequest(event) {
      tally.recordRequest(event);
      const before = waits;
      waits = stallDetector.recordRequest(event);
      if (waits !== before) job.progress(currentPart, { waits });
    },
  });
  let savedAt = 0;
  const context: SyncContext = {
    site,
    client,
    job: {
      ...job,
      progress(part, known) {
        if (part !== currentPart && waits !== null) job.progress(currentPart, { waits: null });
        currentPart = part;
        job.progress(part, known);
      },
    },
    tally,
    full: order.full ?? false,
    since: order.since ?? null,
    now,
    emit(...topics) {
      changes.emit(order.site, ...topics);
      if (performance.now() - savedAt < MIN_SAVE_INTERVAL_MS) return;
      savedAt = performance.now();
      keep({});
      changes.emit(order.site, 'sync');
    },
  };
  try {
    return await syncParts(context, parts);
  } finally {
    await client.close();
  }
}

function createRun(job: string, started_at: number, tally: RunTally): StoredRun {
  return {
    job,
    started_at,
    ended_at: null,
    state: 'running',
    requests: tally.requestCounts(),
    rows: {},
    bytes: 0,
    complete: false,
    error: null,
  };
}

function syncSummary(tally: RunTally, complete: boolean): string {
  const rows = Object.values(tally.written()).reduce((sum, count) => sum + count, 0);
  const { total } = tally.requestCounts();
  const changed = rows === 0 ? 'No records changed' : `${formatCount(rows, 'record')} new or changed`;
  const failed = complete ? '' : `. Not complete: ${tally.failed} could not be read`;
  return `${changed}, with ${formatCount(total, 'request')}${failed}.`;
}
