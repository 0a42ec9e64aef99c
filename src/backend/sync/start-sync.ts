import {
  type ContractInputs,
  createNonRetryableError,
  type ErrorValue,
  type Job,
  type JobProgress,
  type SyncPart,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { updateAlertsAfterSync } from '../alerts/update-alerts.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import { checkAfterJob } from '../checks/check-jobs.ts';
import { updateIncidentsAfterJob } from '../incidents/update-incidents.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import { createMonotonicClock } from '../sites/monotonic-clock.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  listClosedFiguresInForce,
  markClosedFiguresRead,
  type StoredClosedFigures,
} from '../store/periods/closed-figures.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { getDefaultSyncParts } from '../store/sync/default-sync-parts.ts';
import { interruptSyncRuns, type StoredSyncRun, saveSyncRun } from '../store/sync/sync-run.ts';
import { readListedEndpoints } from './read-listed-endpoints.ts';
import { runSyncParts, sortSyncParts } from './run-sync-parts.ts';
import { getLatestLocalDay } from './shared/days-in-all-time-zones.ts';
import type { SyncContext } from './shared/sync-context.ts';
import { SyncTotals } from './shared/sync-totals.ts';
import { SyncStallDetector } from './sync-stall-detector.ts';

type SyncRequest = ContractInputs['sync']['start'];

/** Milliseconds without any response after which a sync shows that the service is slow. Chosen by judgment. */
const SLOW_SERVICE_MS = 5000;
/** Minimum interval between saves of a running sync's figures, in milliseconds. */
const MIN_SAVE_INTERVAL_MS = 1000;

/** Starts a sync as a job. Throws `conflict` if this or another process already syncs the site. */
export function startSync(context: CommandContext, request: SyncRequest): Job {
  const site = context.stores.open(request.site);
  const parts = sortSyncParts(request.only ?? [...getDefaultSyncParts(site.file)]);
  requireValidRequest(parts, request.since, context.now());
  const tally = new SyncTotals();
  const rereadsClosed = request.full === true || request.closed_periods === true;
  const now = createMonotonicClock(site.cache, context.now);
  let run: StoredSyncRun | null = null;
  const save = (change: Partial<StoredSyncRun>) => {
    if (run === null) return;
    run = {
      ...run,
      requests: tally.countRequests(),
      rows: tally.countWrittenRows(),
      bytes: tally.bytes,
      ...change,
    };
    saveSyncRun(site.cache, run);
  };
  return context.jobs.start({
    site: request.site,
    kind: 'sync',
    noun: 'a sync',
    books: site.books,
    parts,
    async run(job) {
      // Only one sync of a site runs at a time, so other runs still marked as running belong to a crashed process.
      interruptSyncRuns(site.cache, now());
      run = {
        job: job.id,
        started_at: now(),
        ended_at: null,
        state: 'running',
        requests: tally.countRequests(),
        rows: {},
        bytes: 0,
        complete: false,
        error: null,
      };
      saveSyncRun(site.cache, run);
      const began = now();
      const closedPeriods = rereadsClosed ? listClosedFiguresInForce(site.books) : [];
      const complete = await runParts(
        { context: { ...context, now }, site, request, closedPeriods, parts, tally, save },
        job,
      );
      save({ complete });
      const checked = await checkAfterJob(context, site, job, 'the sync');
      await updatePaymentsAfterJob(context, site, job, 'sync');
      await detectChangesAfterJob(context, site, job, 'sync');
      updateIncidentsAfterJob(context, site);
      if (parts.includes('webhooks'))
        await updateAlertsAfterSync(context, site, () => readListedEndpoints(context, site, job, tally));
      if (complete && parts.includes('statements')) recordReading(context, site, closedPeriods, began);
      return [summarizeSync(tally, complete), checked].filter((each) => each !== null).join(' ');
    },
    ended(state: Job['state'], error: ErrorValue | null) {
      if (state !== 'paused' && state !== 'running') save({ state, error, ended_at: now() });
    },
  });
}

/** Records that a sync started at `began` has read every statement of the closed periods again. */
function recordReading(
  { changes }: CommandContext,
  { books, file: { site } }: OpenSite,
  closedPeriods: readonly StoredClosedFigures[],
  began: number,
): void {
  if (closedPeriods.length === 0) return;
  runInTransaction(books, () => {
    for (const { id } of closedPeriods) markClosedFiguresRead(books, id, began);
  });
  changes.emit(site, 'periods');
}

/** Throws `validation` if the request names no parts or if its first day is in the future. */
function requireValidRequest(parts: readonly SyncPart[], since: string | undefined, now: number): void {
  if (parts.length === 0) {
    throw createNonRetryableError(
      'validation',
      'There is nothing to sync.',
      'Choose webhooks, statements, allocations or pdf. Without a choice, the default parts are synced.',
    );
  }
  // The time zone of the service's days is unknown, so tomorrow's date is accepted.
  if (since !== undefined && since > getLatestLocalDay(now)) {
    throw createNonRetryableError(
      'validation',
      `The date ${since} is in the future.`,
      'Enter the first day of the webhooks to sync.',
    );
  }
}

interface RequestedSync {
  readonly context: CommandContext;
  readonly site: OpenSite;
  readonly request: SyncRequest;
  readonly closedPeriods: readonly StoredClosedFigures[];
  readonly parts: readonly SyncPart[];
  readonly tally: SyncTotals;
  /** Saves the stored run with the current totals. */
  readonly save: (change: Partial<StoredSyncRun>) => void;
}

async function runParts(sync: RequestedSync, job: JobHandle): Promise<boolean> {
  const { context, site, request, closedPeriods, parts, tally, save } = sync;
  const { changes, now } = context;
  const stallDetector = new SyncStallDetector();
  let currentPart: string = parts[0] ?? 'webhooks';
  let waits: JobProgress['waits'] = null;
  const silence = setTimeout(
    () => {
      waits ??= { reason: 'slow', until: null };
      job.progress(currentPart, { waits });
    },
    SLOW_SERVICE_MS * (context.pacing?.delayScale ?? 1),
  ).unref();
  const client = createSiteConnection(context, site, {
    signal: job.signal,
    onRequest(event) {
      tally.recordRequest(event);
      silence.refresh();
      const before = waits;
      waits = stallDetector.recordRequest(event);
      if (waits !== before) job.progress(currentPart, { waits });
    },
  });
  let savedAt = 0;
  const syncContext: SyncContext = {
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
    full: request.full ?? false,
    closedPeriods,
    since: request.since ?? null,
    now,
    emit(...topics) {
      changes.emit(request.site, ...topics);
      if (performance.now() - savedAt < MIN_SAVE_INTERVAL_MS) return;
      savedAt = performance.now();
      save({});
      changes.emit(request.site, 'sync');
    },
  };
  try {
    return await runSyncParts(syncContext, parts);
  } finally {
    clearTimeout(silence);
    await client.close();
  }
}

function summarizeSync(tally: SyncTotals, complete: boolean): string {
  const rows = Object.values(tally.countWrittenRows()).reduce((sum, count) => sum + count, 0);
  const { total } = tally.countRequests();
  const changed = rows === 0 ? 'No records changed' : `${formatCount(rows, 'record')} new or changed`;
  const unread = tally.failed === 0 ? '' : `: ${formatCount(tally.failed, 'item')} could not be read`;
  const failed = complete ? '' : `. Incomplete${unread}`;
  return `${changed}, with ${formatCount(total, 'request')}${failed}.`;
}
