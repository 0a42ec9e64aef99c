import type { ReplayJob } from '../../contract/index.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import { type LogState, type StoredReplay, saveReplay, storedReplay } from '../store/replay.ts';
import { candidatesAt } from '../store/replayCandidates.ts';
import { countSent } from '../store/replayFigures.ts';
import { replayOf } from '../store/replayList.ts';
import type { SyncContext } from '../sync/context.ts';
import { createTally } from '../sync/tally.ts';
import { openLog } from '../sync/webhookLog.ts';
import { readAgain } from '../sync/webhookLookup.ts';
import { type Ending, runReplay, type World } from './engine.ts';
import { deliveryFields, openJournal } from './journal.ts';
import { outcomeOf } from './outcome.ts';
import type { ReplayTools } from './replay.ts';

/** Runs a replay that stands in the books against the service. */
export async function performReplay(tools: ReplayTools, open: OpenSite, job: JobHandle): Promise<Ending> {
  const { shell, changes, now, waits, pacing } = tools;
  const { books, cache } = open;
  const { signal } = job;
  const replay = storedReplay(books, job.id) as StoredReplay;
  const tally = createTally();
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
  const log = openLog(context);
  const journal = openJournal(books, job.id);
  const wishes = createWishes(job);

  const held = (ids: readonly number[]): Map<number, LogState> =>
    new Map(candidatesAt(cache, ids).map((each) => [each.webhook_id, each]));

  const requests = () => ({
    requests_total: replay.requests_total + tally.requests().total,
    requests_minimum: leastRequests(countSent(books, job.id), replay.batch_size, log.perPage()),
  });

  const world: World = {
    journal,
    signal,
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
    show: createShow(tools, open, job, requests),
  };
  try {
    return await runReplay(world, replay);
  } finally {
    const stored = storedReplay(books, job.id);
    if (stored !== null) saveReplay(books, { ...stored, ...requests() });
    await client.close();
  }
}

/** Each id must be named once, and be seen once in its final state. */
function leastRequests(sent: number, batchSize: number, rowsPerPage: number): number {
  return Math.ceil(sent / batchSize) + Math.ceil(sent / rowsPerPage);
}

/** Writes down how the replay stands, where that has changed, and shows it. */
function createShow(
  { changes }: ReplayTools,
  { books }: OpenSite,
  job: JobHandle,
  requests: () => Pick<StoredReplay, 'requests_total' | 'requests_minimum'>,
): World['show'] {
  let before = '';
  let paused = false;
  return ({ state, reason, step, unresolved }) => {
    const counts = replayOf(books, job.site, job.id)?.counts;
    const now = JSON.stringify([state, reason, step, unresolved, counts, requests()]);
    if (now === before) return;
    before = now;
    const stored = storedReplay(books, job.id);
    if (stored === null) return;
    saveReplay(books, { ...stored, state, reason, step, ...requests() });
    showProgress(job, counts, step);
    const is = state === 'paused';
    if (is !== paused) job.paused(is);
    paused = is;
    changes.tell(job.site, 'replay');
  };
}

function showProgress(job: JobHandle, counts: ReplayJob['counts'] | undefined, step: string): void {
  if (counts === undefined) return;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const failed = counts.failed + counts.refused + counts.unresolved;
  job.progress('replay', { done: counts.accepted, failed, total, current: step });
}

/** What the user wishes of a running replay, and waiting that a wish ends. */
function createWishes(job: JobHandle) {
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
