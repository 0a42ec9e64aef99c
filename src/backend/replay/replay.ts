import type { PacingOptions } from '../../billing/index.ts';
import {
  contractError,
  type Inputs,
  type Job,
  type ReplayJob,
  type ReplayPlan,
} from '../../contract/index.ts';
import { checkAfter } from '../checks/checks.ts';
import type { Changes } from '../jobs/changes.ts';
import { failureOf } from '../jobs/failure.ts';
import type { JobHandle, Jobs } from '../jobs/jobs.ts';
import type { SiteLocks } from '../jobs/site-lock.ts';
import { type Wish, wish } from '../jobs/wishes.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { saveJob } from '../store/books/job.ts';
import { commit } from '../store/database.ts';
import { addItems, liveReplay, replayOfPlan, type StoredReplay, saveReplay } from '../store/replay/replay.ts';
import { writtenJob } from '../store/replay/replay-figures.ts';
import { replayOf } from '../store/replay/replay-list.ts';
import { cancelReason, endAs, endReplay, note, summary } from './ending.ts';
import { batchSize } from './forecast.ts';
import { performReplay } from './perform.ts';
import { wantedPlan } from './plan.ts';
import { carriedOut, nothingToReplay, oneAtATime, over, stoppedError, wantedReplay } from './refusals.ts';

export interface ReplayTools {
  home: string;
  shell: ShellClient;
  stores: Stores;
  jobs: Jobs;
  locks: SiteLocks;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
  user: string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  waits: number;
}

/**
 * Starts a plan as a job; one whose replay stopped or was interrupted goes on with that. Throws `conflict` where a replay runs
 * or is paused on the site, here or elsewhere, or where the plan was carried out; and what the service fails with where it
 * cannot be reached or refuses the key: then nothing is begun.
 */
export async function startReplay(tools: ReplayTools, input: Inputs['replay']['run']): Promise<ReplayJob> {
  const { site, mode = 'adaptive', reason } = input;
  const open = tools.stores.open(site);
  const plan = wantedPlan(open, site, input.plan);
  if (plan.count === 0) throw contractError(nothingToReplay(input.plan));
  refuseSecond(tools, open, site, plan);
  await reach(tools, open);
  // Meanwhile another may have begun one.
  const earlier = refuseSecond(tools, open, site, plan);
  if (earlier !== null) return goOn(tools, open, site, earlier, reason);

  return launch(tools, open, site, (job) => {
    const replay: StoredReplay = {
      job,
      plan: plan.plan,
      mode,
      batch_size: input.batch_size ?? batchSize(mode),
      rate: input.rate ?? null,
      ordered: input.ordered === true ? 1 : 0,
      state: 'running',
      reason: null,
      paused_by: null,
      step: 'canary',
      started_at: tools.now(),
      ended_at: null,
      requests_total: REACHED_WITH,
      requests_minimum: 0,
      live: null,
      counts: null,
    };
    commit(open.books, () => {
      saveReplay(open.books, replay);
      addItems(open.books, job, plan.plan);
      const { batch_size, rate, ordered } = replay;
      const how = { mode, batch_size, rate, ordered: ordered === 1 };
      note(tools, open, 'replay.run', job, reason, {
        plan: plan.plan,
        count: plan.count,
        ...how,
        description: plan.description,
      });
    });
  });
}

/** Goes on with a replay that is paused, was interrupted or stopped. */
export async function resumeReplay(
  tools: ReplayTools,
  { site, job, reason }: Inputs['replay']['resume'],
): Promise<ReplayJob> {
  const { jobs, stores } = tools;
  const open = stores.open(site);
  const replay = wantedReplay(open, site, job);
  if (isOver(replay)) throw contractError(over(job, replay));
  if (jobs.live(site, job) !== null) {
    note(tools, open, 'replay.resume', job, reason);
    jobs.tell(site, job, 'resume');
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'resume', reason);
  const live = liveReplay(open.books);
  if (live !== null && live.job !== job) throw contractError(oneAtATime(site, live));
  await reach(tools, open);
  return goOn(tools, open, site, wantedReplay(open, site, job), reason);
}

/** Sends nothing more until it is told to go on; what is queued at the service cannot be called back. */
export function pauseReplay(tools: ReplayTools, { site, job, reason }: Inputs['replay']['pause']): ReplayJob {
  const open = tools.stores.open(site);
  const replay = wantedReplay(open, site, job);
  if (tools.jobs.live(site, job) !== null) {
    note(tools, open, 'replay.pause', job, reason);
    tools.jobs.tell(site, job, 'pause');
    const { underway } = shown(open, site, job);
    const told = underway === 0 ? 'Paused.' : `Paused; ${underway} are queued already and go on.`;
    saveReplay(open.books, {
      ...wantedReplay(open, site, job),
      state: 'paused',
      paused_by: 'user',
      reason: told,
    });
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'pause', reason);
  if (replay.state === 'paused' || replay.state === 'interrupted') return shown(open, site, job);
  throw contractError(over(job, replay));
}

/** Ends a replay; what is queued at the service cannot be called back. */
export async function cancelReplay(
  tools: ReplayTools,
  { site, job, reason }: Inputs['replay']['cancel'],
): Promise<ReplayJob> {
  const { jobs, stores, now } = tools;
  const open = stores.open(site);
  const replay = wantedReplay(open, site, job);
  if (isOver(replay)) return shown(open, site, job);
  if (jobs.live(site, job) !== null) {
    note(tools, open, 'replay.cancel', job, reason);
    await jobs.cancel(site, job);
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'cancel', reason);
  const kept = writtenJob(open.books, job);
  commit(open.books, () => {
    note(tools, open, 'replay.cancel', job, reason);
    endAs(tools, open, job, 'cancelled', cancelReason(open, job));
    if (kept !== null) saveJob(open.books, { ...kept, state: 'cancelled', ended_at: now() });
  });
  tools.changes.tell(site, 'replay', 'jobs');
  return shown(open, site, job);
}

/** Requests of finding out whether the service is there. */
const REACHED_WITH = 1;

/** One small read: what the service cannot be asked, or does not let us, is said before anything is begun. */
async function reach({ shell, pacing, now }: ReplayTools, open: OpenSite): Promise<void> {
  const client = connectSite({ shell, pacing, now }, open);
  try {
    await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, { tries: 1 });
  } catch (error) {
    const failure = failureOf(error);
    throw contractError({ ...failure, message: `The replay was not begun: ${failure.message}` });
  } finally {
    await client.close();
  }
}

/** Throws where a replay is under way, or the plan was carried out; gives the plan's replay where that can be gone on with. */
function refuseSecond(
  tools: ReplayTools,
  open: OpenSite,
  site: string,
  plan: ReplayPlan,
): StoredReplay | null {
  const live = liveReplay(open.books);
  if (
    live !== null &&
    (live.state === 'paused' || isElsewhere(tools, site, live) || tools.jobs.live(site, live.job))
  ) {
    throw contractError(oneAtATime(site, live));
  }
  const earlier = replayOfPlan(open.books, plan.plan);
  if (earlier !== null && isOver(earlier)) throw contractError(carriedOut(plan.plan, earlier));
  return earlier;
}

function goOn(
  tools: ReplayTools,
  open: OpenSite,
  site: string,
  replay: StoredReplay,
  reason: string | undefined,
): ReplayJob {
  const begin = () =>
    commit(open.books, () => {
      note(tools, open, 'replay.resume', replay.job, reason);
      saveReplay(open.books, {
        ...replay,
        state: 'running',
        reason: null,
        paused_by: null,
        ended_at: null,
        counts: null,
        requests_total: replay.requests_total + REACHED_WITH,
      });
    });
  return launch(tools, open, site, begin, replay.job);
}

/** Starts the job; `prepare` writes what it begins from before anything runs. */
function launch(
  tools: ReplayTools,
  open: OpenSite,
  site: string,
  prepare: (job: string) => void,
  id?: string,
): ReplayJob {
  let stopped: string | null = null;
  const job: Job = tools.jobs.start({
    site,
    kind: 'replay',
    what: 'a replay',
    books: open.books,
    ...(id === undefined ? {} : { id }),
    async run(handle: JobHandle) {
      const ending = await performReplay(tools, open, handle);
      await checkAfter(tools, open, handle, 'the replay');
      if (ending.state === 'stopped') {
        stopped = ending.reason;
        throw contractError(stoppedError(ending.reason, ending.failed));
      }
      return summary(open, handle.id);
    },
    ended: (state, error) => endReplay(tools, open, site, job.id, state, stopped, error),
  });
  try {
    prepare(job.id);
  } catch (error) {
    void tools.jobs.cancel(site, job.id);
    throw error;
  }
  tools.changes.tell(site, 'replay');
  return shown(open, site, job.id);
}

/** Whether another process carries a replay out. One that is gone leaves its state behind, but not its lock. */
function isElsewhere({ locks }: ReplayTools, site: string, { state }: StoredReplay): boolean {
  if (state !== 'running' && state !== 'paused') return false;
  const lock = locks.take(site, 'a look');
  if ('held' in lock) return true;
  lock.release();
  return false;
}

function askElsewhere(
  tools: ReplayTools,
  open: OpenSite,
  site: string,
  { job }: StoredReplay,
  what: Wish,
  reason: string | undefined,
): ReplayJob {
  note(tools, open, `replay.${what}`, job, reason);
  wish(tools.home, site, job, what);
  return shown(open, site, job);
}

const isOver = ({ state }: StoredReplay) => state === 'done' || state === 'cancelled';

function shown({ books }: OpenSite, site: string, job: string): ReplayJob {
  return replayOf(books, site, job) as ReplayJob;
}
