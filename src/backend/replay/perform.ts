import type { ReplayJob } from '../../contract/index.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import { type LogState, type StoredReplay, saveReplay, storedReplay } from '../store/replay/replay.ts';
import { logStatesOf, sentSince } from '../store/replay/replay-candidates.ts';
import { partState } from '../store/sync/sync-unit.ts';
import type { SyncContext } from '../sync/context.ts';
import { createTally } from '../sync/tally.ts';
import { openLog } from '../sync/webhook-log.ts';
import { readAgain } from '../sync/webhook-lookup.ts';
import { SAFETY_LAG_MS } from '../sync/webhook-store.ts';
import { syncWebhooks } from '../sync/webhooks.ts';
import { isRetrying, retriedUntil } from './eligible.ts';
import { type Ending, runReplay, type World } from './engine.ts';
import { deliveryFields, type Journal, openJournal } from './journal.ts';
import { outcomeOf } from './outcome.ts';
import type { ReplayTools } from './replay.ts';

/** Runs a replay that stands in the books against the service. */
export async function performReplay(tools: ReplayTools, open: OpenSite, job: JobHandle): Promise<Ending> {
  const { shell, changes, now, pacing } = tools;
  const { books } = open;
  const { signal } = job;
  const replay = storedReplay(books, job.id) as StoredReplay;
  const tally = createTally();
  const wishes = createWishes(job);
  const client = connectSite({ shell, pacing, now }, open, {
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
  /** Requests so far, and the least that could have done it. */
  const requests = () => ({
    requests_total: replay.requests_total + tally.requests().total,
    requests_minimum: leastRequests(journal.sent(), replay),
  });
  const journal = openJournal(books, job.id);
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

/** The world as the engine sees it: the service, the journal, and what is held of the log. */
function worldOf(
  { changes, now, waits }: ReplayTools,
  context: SyncContext,
  journal: Journal,
  wishes: Wishes,
  show: World['show'],
): World {
  const { site, client, job } = context;
  const { signal } = job;
  const log = openLog(context);
  const held = (ids: readonly number[]): Map<number, LogState> => logStatesOf(site.cache, ids);

  /** Up to when, by our clock, each is waited for, and behind which of its tries: the service's clock may be wrong by any amount. */
  const waited = new Map<number, { tried: number; until: number }>();

  return {
    journal,
    signal,
    retried(ids) {
      const serviceNow = log.serviceNow();
      const young = new Map<number, number>();
      for (const each of sentSince(site.cache, ids, serviceNow - SAFETY_LAG_MS)) {
        if (!isRetrying(each, serviceNow, SAFETY_LAG_MS)) continue;
        const known = waited.get(each.webhook_id);
        const first = known?.tried === each.last_sent_ms ? known : null;
        const longest = first?.until ?? now() + SAFETY_LAG_MS * waits;
        waited.set(each.webhook_id, { tried: each.last_sent_ms, until: longest });
        if (longest <= now()) continue;
        const until = now() + (retriedUntil(each, SAFETY_LAG_MS) - serviceNow) * waits;
        young.set(each.webhook_id, Math.min(until, longest));
      }
      return young;
    },
    waits,
    now,
    serviceNow: () => log.serviceNow(),
    held,
    async post(ids) {
      await client.replayWebhooks(ids, { signal });
    },
    async look(ids, all) {
      const before = new Map(journal.underway().map(({ item }) => [item.webhook_id, item.before]));
      const moved = (seen: readonly number[]) =>
        [...held(seen)].some(([id, state]) => {
          const was = before.get(id);
          return was === undefined || outcomeOf(deliveryFields(was), deliveryFields(state)) !== 'queued';
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

/** What is held must be fresh: outcomes are told by what changes from it, and what was accepted meanwhile is not sent. */
const FRESH_MS = 600_000;

/** Whether the log was last read too long ago; a sync that runs now is reading it. */
function isOld({ jobs, now }: ReplayTools, { cache }: OpenSite, site: string): boolean {
  if (jobs.running(site, 'sync') !== null) return false;
  return now() - (partState(cache, 'webhooks')?.synced_at ?? 0) > FRESH_MS;
}

/** The largest page the log is asked for. */
const ROWS_PER_PAGE = 200;

/** Each id must be named once, and be seen once in its final state. */
function leastRequests(sent: number, { batch_size }: StoredReplay): number {
  return Math.ceil(sent / batch_size) + Math.ceil(sent / ROWS_PER_PAGE);
}

/** Writes down how the replay stands, and shows it. */
function createShow(
  { changes }: ReplayTools,
  { books }: OpenSite,
  job: JobHandle,
  journal: Journal,
  requests: () => Pick<StoredReplay, 'requests_total' | 'requests_minimum'>,
): World['show'] {
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

/** What the user wishes of a running replay, and waiting that a wish ends. */
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
