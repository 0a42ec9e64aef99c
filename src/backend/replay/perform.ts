import type { ReplayJob } from '../../contract/index.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type LogState, type StoredReplay, saveReplay, storedReplay } from '../store/replay/replay.ts';
import { logStatesOf, sentSince } from '../store/replay/replay-candidates.ts';
import { partState } from '../store/sync/sync-unit.ts';
import type { SyncContext } from '../sync/shared/context.ts';
import { createTally } from '../sync/shared/tally.ts';
import { openLog } from '../sync/webhooks/webhook-log.ts';
import { readAgain } from '../sync/webhooks/webhook-lookup.ts';
import { SAFETY_LAG_MS } from '../sync/webhooks/webhook-store.ts';
import { syncWebhooks } from '../sync/webhooks/webhooks.ts';
import { isRetryExpected, retryExpectedUntil } from './eligible.ts';
import { type ReplayEnd, type ReplayPorts, runReplay } from './engine.ts';
import { openReplayJournal, type ReplayJournal } from './journal.ts';
import { replayOutcome } from './outcome.ts';
import type { ReplayContext } from './replay-context.ts';
import { deliveryFields } from './underway.ts';

/** Runs a recorded replay against the service. */
export async function runReplayJob(tools: ReplayContext, open: OpenSite, job: JobHandle): Promise<ReplayEnd> {
  const { shell, changes, now, pacing } = tools;
  const { books } = open;
  const { signal } = job;
  const replay = storedReplay(books, job.id) as StoredReplay;
  const tally = createTally();
  const wishes = createWishes(job);
  const client = createSiteConnection({ shell, pacing, now }, open, {
    signal,
    onRequest: (event) => tally.request(event),
  });
  const context: SyncContext = {
    site: open,
    client,
    job,
    tally,
    full: false,
    since: null,
    now,
    tell: (...topics) => changes.tell(job.site, ...topics),
  };
  /** Returns the requests so far and the minimum for the same work. */
  const requests = () => ({
    requests_total: replay.requests_total + tally.requests().total,
    requests_minimum: leastRequests(journal.sent(), replay),
  });
  const journal = openReplayJournal(books, job.id);
  try {
    if (isOld(tools, open, job.site)) await syncWebhooks(context);
    const show = createShow(tools, open, job, journal, requests);
    return await runReplay(worldOf(tools, context, journal, wishes, show), replay);
  } finally {
    const stored = storedReplay(books, job.id);
    if (stored !== null) saveReplay(books, { ...stored, ...requests() });
    await client.close();
  }
}

/** Creates the engine's ports: the service, the journal and the stored log. */
function worldOf(
  { changes, now, waits }: ReplayContext,
  context: SyncContext,
  journal: ReplayJournal,
  wishes: Wishes,
  show: ReplayPorts['show'],
): ReplayPorts {
  const { site, client, job } = context;
  const { signal } = job;
  const log = openLog(context);
  const held = (ids: readonly number[]): Map<number, LogState> => logStatesOf(site.cache, ids);

  /**
   * Per webhook: until when a retry is expected (local clock), and after which attempt. The service's clock may be wrong
   * by any amount.
   */
  const waited = new Map<number, { tried: number; until: number }>();

  return {
    journal,
    signal,
    retried(ids) {
      const serviceNow = log.serviceNow();
      const young = new Map<number, number>();
      for (const each of sentSince(site.cache, ids, serviceNow - SAFETY_LAG_MS)) {
        if (!isRetryExpected(each, serviceNow, SAFETY_LAG_MS)) continue;
        const known = waited.get(each.webhook_id);
        const first = known?.tried === each.last_sent_ms ? known : null;
        const longest = first?.until ?? now() + SAFETY_LAG_MS * waits;
        waited.set(each.webhook_id, { tried: each.last_sent_ms, until: longest });
        if (longest <= now()) continue;
        const until = now() + (retryExpectedUntil(each, SAFETY_LAG_MS) - serviceNow) * waits;
        young.set(each.webhook_id, Math.min(until, longest));
      }
      return young;
    },
    waits,
    now,
    serviceNow: () => log.serviceNow(),
    stored: held,
    async post(ids) {
      await client.replayWebhooks(ids, { signal });
    },
    async look(ids, all) {
      const before = new Map(journal.in_flight().map(({ item }) => [item.webhook_id, item.before]));
      const moved = (seen: readonly number[]) =>
        [...held(seen)].some(([id, state]) => {
          const was = before.get(id);
          return was === undefined || replayOutcome(deliveryFields(was), deliveryFields(state)) !== 'queued';
        });
      const { seen } = await readAgain(log, ids, signal, (there) => all || moved(there));
      changes.tell(job.site, 'webhooks', 'replay');
      return held([...seen]);
    },
    rest: (ms) => wishes.rest(ms),
    paused: () => wishes.paused,
    resumes: () => wishes.resumes,
    show,
  };
}

/**
 * Maximum age of the stored log in milliseconds. Outcomes are detected as changes from it, and webhooks accepted
 * meanwhile must not be sent.
 */
const FRESH_MS = 600_000;

/** Returns true if the log was last read too long ago and no running sync is reading it. */
function isOld({ jobs, now }: ReplayContext, { cache }: OpenSite, site: string): boolean {
  if (jobs.running(site, 'sync') !== null) return false;
  return now() - (partState(cache, 'webhooks')?.synced_at ?? 0) > FRESH_MS;
}

/** Largest page size requested from the log. */
const ROWS_PER_PAGE = 200;

/** Returns the minimum number of requests: each id is posted once and seen once in its final state. */
function leastRequests(sent: number, { batch_size }: StoredReplay): number {
  return Math.ceil(sent / batch_size) + Math.ceil(sent / ROWS_PER_PAGE);
}

/** Saves and publishes the status of a replay. */
function createShow(
  { changes }: ReplayContext,
  { books }: OpenSite,
  job: JobHandle,
  journal: ReplayJournal,
  requests: () => Pick<StoredReplay, 'requests_total' | 'requests_minimum'>,
): ReplayPorts['show'] {
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
    if (is !== paused) job.paused(is);
    paused = is;
    changes.tell(job.site, 'replay');
  };
}

function showProgress(job: JobHandle, counts: ReplayJob['counts'], step: string): void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const failed = counts.failed + counts.refused + counts.unresolved;
  job.progress('replay', { done: counts.accepted, failed, total, current: step });
}

/** The user's commands to a running replay. */
interface Wishes {
  readonly paused: boolean;
  readonly resumes: number;
  rest(ms: number): Promise<void>;
}

function createWishes(job: JobHandle): Wishes {
  let wake = () => {};
  const wishes = {
    paused: false,
    resumes: 0,
    rest(ms: number): Promise<void> {
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
  job.onWish((wish) => {
    wishes.paused = wish === 'pause';
    if (wish === 'resume') wishes.resumes++;
    wake();
  });
  return wishes;
}
