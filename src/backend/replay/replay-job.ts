import { openWebhookEndpoint } from '../../billing/index.ts';
import { sleep } from '../jobs/change-events.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findPlanEndpoint, listWebhooksAcceptedByAddress } from '../store/replay/local-deliveries.ts';
import { type DeliveryFields, findReplay, type StoredReplay, saveReplay } from '../store/replay/replay.ts';
import { listWebhooksSentSince, readStoredDeliveryStates } from '../store/replay/replay-candidates.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import type { SyncContext } from '../sync/shared/sync-context.ts';
import { SyncTotals } from '../sync/shared/sync-totals.ts';
import { WEBHOOK_SETTLING_MS } from '../sync/webhooks/store-webhook-page.ts';
import { syncWebhooks } from '../sync/webhooks/sync-webhooks.ts';
import { WebhookLog } from '../sync/webhooks/webhook-log.ts';
import { lookUpWebhooks } from '../sync/webhooks/webhook-lookup.ts';
import { openDeliveryTarget } from './delivery-target.ts';
import { getExpectedServiceRetryEnd, isServiceRetryExpected } from './expected-service-retries.ts';
import { LocalDeliveries } from './local-deliveries.ts';
import { type ReplayPorts, type ReplayResult, runReplay } from './replay-engine.ts';
import { DEFAULT_CONNECTIONS } from './replay-forecast.ts';
import { ReplayJournal } from './replay-journal.ts';
import { detectReplayOutcome } from './replay-outcome.ts';

export interface ReplayContext extends CommandContext {
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
}

/** Runs a replay as a job and saves its request counts at the end. */
export async function runReplayJob(
  context: ReplayContext,
  site: OpenSite,
  job: JobHandle,
): Promise<ReplayResult> {
  const replay = findReplay(site.books, job.id) as StoredReplay;
  const target = findPlanEndpoint(site.books, replay.plan);
  return target === null
    ? await runServiceReplay(context, site, { job, replay })
    : await runLocalDelivery(context, site, { job, replay, ...target });
}

interface ReplayRun {
  job: JobHandle;
  replay: StoredReplay;
}

/** Requests the service to resend the webhooks, and reads their outcomes from the service's log. */
async function runServiceReplay(
  context: ReplayContext,
  site: OpenSite,
  { job, replay }: ReplayRun,
): Promise<ReplayResult> {
  const { changes, now } = context;
  const { books } = site;
  const { signal } = job;
  const tally = new SyncTotals();
  const commands = subscribeToReplayCommands(job);
  const client = createSiteConnection(context, site, {
    signal,
    onRequest: (event) => tally.recordRequest(event),
  });
  const syncContext: SyncContext = {
    site,
    client,
    job,
    tally,
    full: false,
    closedPeriods: [],
    since: null,
    now,
    emit: (...topics) => changes.emit(job.site, ...topics),
  };
  const journal = new ReplayJournal(books, job.id);
  const save = createReplaySaver(books, replay, () => ({
    requests_total: replay.requests_total + tally.countRequests().total,
    requests_minimum: countMinimumRequests(journal.sentCount(), replay),
  }));
  try {
    if (isLogOutdated(context, site)) await syncWebhooks(syncContext);
    const publishStatus = createStatusPublisher(context, job, journal, save);
    const ports = createPorts(context, syncContext, journal);
    return await runReplay({ ...ports, ...commands, publishStatus }, replay);
  } finally {
    save({});
    await client.close();
  }
}

/** Maximum milliseconds to wait for pending responses when a local delivery is interrupted. */
const RESPONSE_GRACE_MS = 700;

/** Posts the stored bodies to the endpoint. Needs neither the service nor its API key. */
async function runLocalDelivery(
  context: ReplayContext,
  site: OpenSite,
  {
    job,
    replay,
    endpoint,
    include_unverified,
  }: ReplayRun & { endpoint: string; include_unverified: boolean },
): Promise<ReplayResult> {
  const { now, delayScale } = context;
  const { books, cache } = site;
  const { endpoint: address, sharedKey } = await openDeliveryTarget(context, site.file.site, endpoint);
  const journal = new ReplayJournal(books, job.id);
  journal.requeueWithoutResponse();
  let posts = 0;
  const save = createReplaySaver(books, replay, () => ({
    requests_total: replay.requests_total + posts,
    requests_minimum: journal.sentCount(),
  }));
  const commands = subscribeToReplayCommands(job, () => deliveries.sendQueued());
  const connections = replay.connections ?? DEFAULT_CONNECTIONS[replay.mode];
  const connection = openWebhookEndpoint(address, connections);
  const deliveries = new LocalDeliveries({
    cache,
    endpoint: {
      ...connection,
      post(webhook) {
        posts++;
        return connection.post(webhook);
      },
    },
    sharedKey,
    connections,
    includeUnverified: include_unverified,
    now,
    isPaused: commands.isPaused,
    onReady: commands.wake,
  });
  const ports: ReplayPorts = {
    ...commands,
    journal,
    responses: deliveries,
    post: async (ids) => deliveries.post(ids),
    // The endpoint's responses are the outcomes, so the service's log is not read.
    fetchDeliveryStates: async () => new Map(),
    retriedByService: () => new Map(),
    storedStates: (ids) =>
      readStoredDeliveryStates(cache, listWebhooksAcceptedByAddress(cache, ids, address.address)),
    now,
    serviceNow: now,
    publishStatus: createStatusPublisher(context, job, journal, save),
    signal: job.signal,
    delayScale,
  };
  try {
    return await runReplay(ports, replay);
  } finally {
    await deliveries.stop(RESPONSE_GRACE_MS);
    journal.recordResponses(deliveries.take(), now());
    await connection.close();
    save({});
  }
}

/**
 * Creates the function that saves a change of the stored replay with its request counts. The function returns false if
 * the replay no longer exists.
 */
function createReplaySaver(
  books: OpenSite['books'],
  { job }: StoredReplay,
  countRequests: () => Pick<StoredReplay, 'requests_total' | 'requests_minimum'>,
): (change: Partial<StoredReplay>) => boolean {
  return (change) => {
    const stored = findReplay(books, job);
    if (stored === null) return false;
    saveReplay(books, { ...stored, ...change, ...countRequests() });
    return true;
  };
}

/** Creates the ports that connect the engine to the service, the journal and the stored webhooks. */
function createPorts(
  { changes, now, delayScale }: ReplayContext,
  context: SyncContext,
  journal: ReplayJournal,
): Omit<ReplayPorts, keyof ReplayCommands | 'publishStatus' | 'responses'> {
  const { site, client, job } = context;
  const { signal } = job;
  const log = new WebhookLog(context);
  const storedStates = (ids: readonly number[]): Map<number, DeliveryFields> =>
    readStoredDeliveryStates(site.cache, ids);

  /** Per webhook: time of its latest attempt, and expected end of its retries by the local clock. */
  const expectedRetries = new Map<number, { tried: number; until: number }>();

  return {
    journal,
    signal,
    retriedByService(ids) {
      const serviceNow = log.serviceNow();
      const retried = new Map<number, number>();
      for (const each of listWebhooksSentSince(site.cache, ids, serviceNow - WEBHOOK_SETTLING_MS)) {
        if (!isServiceRetryExpected(each, serviceNow, WEBHOOK_SETTLING_MS)) continue;
        const known = expectedRetries.get(each.webhook_id);
        const first = known?.tried === each.last_sent_ms ? known : null;
        const limit = first?.until ?? now() + WEBHOOK_SETTLING_MS * delayScale;
        expectedRetries.set(each.webhook_id, { tried: each.last_sent_ms, until: limit });
        if (limit <= now()) continue;
        const until =
          now() + (getExpectedServiceRetryEnd(each, WEBHOOK_SETTLING_MS) - serviceNow) * delayScale;
        retried.set(each.webhook_id, Math.min(until, limit));
      }
      return retried;
    },
    delayScale,
    now,
    serviceNow: () => log.serviceNow(),
    storedStates,
    async post(ids) {
      await client.replayWebhooks(ids, { signal });
    },
    async fetchDeliveryStates(ids, all) {
      const before = new Map(journal.unresolved().map(({ item }) => [item.webhook_id, item.before]));
      const hasOutcome = (seen: readonly number[]) =>
        [...storedStates(seen)].some(([id, state]) => {
          const stateBefore = before.get(id);
          return stateBefore === undefined || detectReplayOutcome(stateBefore, state) !== 'queued';
        });
      const { seen } = await lookUpWebhooks(log, ids, signal, (found) => all || hasOutcome(found));
      changes.emit(job.site, 'webhooks', 'replay');
      return storedStates([...seen]);
    },
  };
}

/** Age of the stored log in milliseconds above which a replay syncs it first, because outcomes are differences. */
const MAX_LOG_AGE_MS = 600_000;

/** Returns true if the stored webhook log is too old and no running sync is updating it. */
function isLogOutdated({ jobs, now }: ReplayContext, { cache, file }: OpenSite): boolean {
  if (jobs.findRunning(file.site, 'sync') !== null) return false;
  return now() - (readSyncPartState(cache, 'webhooks')?.synced_at ?? 0) > MAX_LOG_AGE_MS;
}

/** Largest page size that is requested from the webhook log. */
const ROWS_PER_PAGE = 200;

/** Returns the theoretical minimum number of requests: each webhook is posted once and its outcome is read once. */
function countMinimumRequests(sent: number, { batch_size }: StoredReplay): number {
  return Math.ceil(sent / batch_size) + Math.ceil(sent / ROWS_PER_PAGE);
}

/** Creates the function that saves and publishes the status of a replay. */
function createStatusPublisher(
  { changes }: ReplayContext,
  job: JobHandle,
  journal: ReplayJournal,
  save: (change: Partial<StoredReplay>) => boolean,
): ReplayPorts['publishStatus'] {
  let wasPaused = false;
  return ({ live, ...status }) => {
    if (!save({ ...status, live: JSON.stringify(live) })) return;
    const counts = journal.counts();
    job.progress('replay', {
      done: counts.accepted,
      failed: counts.failed + counts.refused + counts.unresolved,
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      current: status.step,
    });
    const isPaused = status.state === 'paused';
    if (isPaused !== wasPaused) job.setPaused(isPaused);
    wasPaused = isPaused;
    changes.emit(job.site, 'replay');
  };
}

type ReplayCommands = Pick<ReplayPorts, 'isPaused' | 'resumeCount' | 'sleep'> & {
  /** Ends the current sleep. */
  wake(): void;
};

/** Subscribes to the user's commands for a running replay. A command ends the current sleep. */
function subscribeToReplayCommands(job: JobHandle, onCommand = () => {}): ReplayCommands {
  let isPaused = false;
  let resumeCount = 0;
  let wake = () => {};
  job.onCommand((command) => {
    isPaused = command === 'pause';
    if (command === 'resume') resumeCount++;
    onCommand();
    wake();
  });
  return {
    isPaused: () => isPaused,
    resumeCount: () => resumeCount,
    wake: () => wake(),
    sleep(ms) {
      const command = new AbortController();
      wake = () => command.abort();
      return sleep(ms, AbortSignal.any([job.signal, command.signal]));
    },
  };
}
