import type { ReplayJob } from '../../contract/index.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type LogState, type StoredReplay, saveReplay, storedReplay } from '../store/replay/replay.ts';
import { logStatesOf, sentSince } from '../store/replay/replay-candidates.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { createRunTally } from '../sync/shared/run-tally.ts';
import type { SyncContext } from '../sync/shared/sync-context.ts';
import { openWebhookLog } from '../sync/webhooks/webhook-log.ts';
import { lookUpWebhooks } from '../sync/webhooks/webhook-lookup.ts';
import { WEBHOOK_SETTLING_MS } from '../sync/webhooks/webhook-store.ts';
import { syncWebhooks } from '../sync/webhooks/webhooks.ts';
import type { ReplayContext } from './replay-context.ts';
import { type ReplayPorts, type ReplayResult, runReplay } from './replay-engine.ts';
import { openReplayJournal, type ReplayJournal } from './replay-journal.ts';
import { detectReplayOutcome } from './replay-outcome.ts';
import { isRetryExpected, retryExpectedUntil } from './service-retries.ts';
import { toDeliveryFields } from './unresolved-webhook.ts';

/** Runs a replay as a job and saves its request counts at the end. */
export async function runReplayJob(
  tools: ReplayContext,
  open: OpenSite,
  job: JobHandle,
): Promise<ReplayResult> {
  const { shell, changes, now, pacing } = tools;
  const { books } = open;
  const { signal } = job;
  const replay = storedReplay(books, job.id) as StoredReplay;
  const tally = createRunTally();
  const commands = subscribeToReplayCommands(job);
  const client = createSiteConnection({ shell, pacing, now }, open, {
    signal,
    onRequest: (event) => tally.recordRequest(event),
  });
  const context: SyncContext = {
    site: open,
    client,
    job,
    tally,
    full: false,
    since: null,
    now,
    emit: (...topics) => changes.emit(job.site, ...topics),
  };
  /** Returns the number of requests so far and the theoretical minimum. */
  const requests = () => ({
    requests_total: replay.requests_total + tally.requestCounts().total,
    requests_minimum: minimumReplayRequests(journal.sentCount(), replay),
  });
  const journal = openReplayJournal(books, job.id);
  try {
    if (isLogOutdated(tools, open, job.site)) await syncWebhooks(context);
    const show = createStatusPublisher(tools, open, job, journal, requests);
    return await runReplay(createPorts(tools, context, journal, commands, show), replay);
  } finally {
    const stored = storedReplay(books, job.id);
    if (stored !== null) saveReplay(books, { ...stored, ...requests() });
    await client.close();
  }
}

/** Creates the engine's ports, which connect it to the service, the journal and the stored webhooks. */
function createPorts(
  { changes, now, waits }: ReplayContext,
  context: SyncContext,
  journal: ReplayJournal,
  commands: ReplayCommands,
  show: ReplayPorts['publishStatus'],
): ReplayPorts {
  const { site, client, job } = context;
  const { signal } = job;
  const log = openWebhookLog(context);
  const storedStates = (ids: readonly number[]): Map<number, LogState> => logStatesOf(site.cache, ids);

  /**
   * Per webhook: the latest delivery attempt and the time until which the service is expected to retry it (local clock).
   * The service's clock may be wrong by any amount, so the wait is limited by the local clock.
   */
  const expectedRetries = new Map<number, { tried: number; until: number }>();

  return {
    journal,
    signal,
    retriedByService(ids) {
      const serviceNow = log.serviceNow();
      const young = new Map<number, number>();
      for (const each of sentSince(site.cache, ids, serviceNow - WEBHOOK_SETTLING_MS)) {
        if (!isRetryExpected(each, serviceNow, WEBHOOK_SETTLING_MS)) continue;
        const known = expectedRetries.get(each.webhook_id);
        const first = known?.tried === each.last_sent_ms ? known : null;
        const longest = first?.until ?? now() + WEBHOOK_SETTLING_MS * waits;
        expectedRetries.set(each.webhook_id, { tried: each.last_sent_ms, until: longest });
        if (longest <= now()) continue;
        const until = now() + (retryExpectedUntil(each, WEBHOOK_SETTLING_MS) - serviceNow) * waits;
        young.set(each.webhook_id, Math.min(until, longest));
      }
      return young;
    },
    delayScale: waits,
    now,
    serviceNow: () => log.serviceNow(),
    storedStates: storedStates,
    async post(ids) {
      await client.replayWebhooks(ids, { signal });
    },
    async fetchDeliveryStates(ids, all) {
      const before = new Map(journal.unresolved().map(({ item }) => [item.webhook_id, item.before]));
      const moved = (seen: readonly number[]) =>
        [...storedStates(seen)].some(([id, state]) => {
          const was = before.get(id);
          return (
            was === undefined ||
            detectReplayOutcome(toDeliveryFields(was), toDeliveryFields(state)) !== 'queued'
          );
        });
      const { seen } = await lookUpWebhooks(log, ids, signal, (there) => all || moved(there));
      changes.emit(job.site, 'webhooks', 'replay');
      return storedStates([...seen]);
    },
    sleep: (ms) => commands.sleep(ms),
    isPaused: () => commands.isPaused,
    resumeCount: () => commands.resumeCount,
    publishStatus: show,
  };
}

/**
 * Maximum age of the stored webhook log in milliseconds before a replay syncs it. Outcomes are detected by comparison
 * with it, and webhooks accepted in the meantime must not be sent.
 */
const MAX_LOG_AGE_MS = 600_000;

/** Returns true if the stored webhook log is too old and no running sync is updating it. */
function isLogOutdated({ jobs, now }: ReplayContext, { cache }: OpenSite, site: string): boolean {
  if (jobs.findRunning(site, 'sync') !== null) return false;
  return now() - (partState(cache, 'webhooks')?.synced_at ?? 0) > MAX_LOG_AGE_MS;
}

/** Largest page size that is requested from the webhook log. */
const ROWS_PER_PAGE = 200;

/** Returns the minimum number of requests: each webhook is posted once and its outcome is read once. */
function minimumReplayRequests(sent: number, { batch_size }: StoredReplay): number {
  return Math.ceil(sent / batch_size) + Math.ceil(sent / ROWS_PER_PAGE);
}

/** Creates the function that saves and publishes the status of a replay. */
function createStatusPublisher(
  { changes }: ReplayContext,
  { books }: OpenSite,
  job: JobHandle,
  journal: ReplayJournal,
  requests: () => Pick<StoredReplay, 'requests_total' | 'requests_minimum'>,
): ReplayPorts['publishStatus'] {
  let paused = false;
  return ({ state, reason, paused_by, step, live }) => {
    const stored = storedReplay(books, job.id);
    if (stored === null) return;
    saveReplay(books, {
      ...stored,
      state,
      reason,
      paused_by,
      step,
      live: JSON.stringify(live),
      ...requests(),
    });
    showProgress(job, journal.counts(), step);
    const is = state === 'paused';
    if (is !== paused) job.setPaused(is);
    paused = is;
    changes.emit(job.site, 'replay');
  };
}

function showProgress(job: JobHandle, counts: ReplayJob['counts'], step: string): void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const failed = counts.failed + counts.refused + counts.unresolved;
  job.progress('replay', { done: counts.accepted, failed, total, current: step });
}

/** Commands of the user to a running replay. */
interface ReplayCommands {
  readonly isPaused: boolean;
  readonly resumeCount: number;
  sleep(ms: number): Promise<void>;
}

function subscribeToReplayCommands(job: JobHandle): ReplayCommands {
  let wake = () => {};
  const commands = {
    isPaused: false,
    resumeCount: 0,
    sleep(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          job.signal.removeEventListener('abort', end);
          wake = () => {};
          resolve();
        };
        const timer = setTimeout(end, ms);
        if (job.signal.aborted) end();
        job.signal.addEventListener('abort', end);
        wake = end;
      });
    },
  };
  job.onCommand((command) => {
    commands.isPaused = command === 'pause';
    if (command === 'resume') commands.resumeCount++;
    wake();
  });
  return commands;
}
