import {
  contractError,
  type Inputs,
  type Job,
  type ReplayJob,
  type ReplayPlan,
} from '../../contract/index.ts';
import { checkAfterJob } from '../checks/checks.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import { type JobCommand, storeJobCommand } from '../jobs/job-commands.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { saveJob } from '../store/jobs/job.ts';
import { addItems, liveReplay, replayOfPlan, type StoredReplay, saveReplay } from '../store/replay/replay.ts';
import { writtenJob } from '../store/replay/replay-figures.ts';
import { replayOf } from '../store/replay/replay-list.ts';
import { commit } from '../store/sqlite/connection.ts';
import { auditReplay, cancelReason, recordJobEnd, recordReplayEnd, replaySummary } from './ending.ts';
import { defaultBatchSize } from './forecast.ts';
import { runReplayJob } from './perform.ts';
import { requireReplayPlan } from './plan.ts';
import {
  nothingToReplayError,
  planAlreadyRunError,
  replayEndedError,
  replayRunningError,
  replayStoppedError,
  requireReplay,
} from './refusals.ts';
import type { ReplayContext } from './replay-context.ts';

/**
 * Starts a plan as a job, or resumes its stopped or interrupted replay. Throws `conflict` if a replay of the site is
 * running or paused in this or another process, or if the plan was already run. If the service cannot be reached or
 * refuses the key, throws its error and starts nothing.
 */
export async function startReplay(tools: ReplayContext, input: Inputs['replay']['run']): Promise<ReplayJob> {
  const { site, mode = 'adaptive', reason } = input;
  const open = tools.stores.open(site);
  const plan = requireReplayPlan(open, site, input.plan);
  if (plan.count === 0) throw contractError(nothingToReplayError(input.plan));
  refuseSecond(tools, open, site, plan);
  await reach(tools, open);
  // Another call may have started one in the meantime.
  const earlier = refuseSecond(tools, open, site, plan);
  if (earlier !== null) return goOn(tools, open, site, earlier, reason);

  return launch(tools, open, site, (job) => {
    const replay: StoredReplay = {
      job,
      plan: plan.plan,
      mode,
      batch_size: input.batch_size ?? defaultBatchSize(mode),
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
      auditReplay(tools, open, 'replay.run', job, reason, {
        plan: plan.plan,
        count: plan.count,
        ...how,
        description: plan.description,
      });
    });
  });
}

/** Resumes a paused, interrupted or stopped replay. */
export async function resumeReplay(
  tools: ReplayContext,
  { site, job, reason }: Inputs['replay']['resume'],
): Promise<ReplayJob> {
  const { jobs, stores } = tools;
  const open = stores.open(site);
  const replay = requireReplay(open, site, job);
  if (isOver(replay)) throw contractError(replayEndedError(job, replay));
  if (jobs.live(site, job) !== null) {
    auditReplay(tools, open, 'replay.resume', job, reason);
    jobs.tell(site, job, 'resume');
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'resume', reason);
  const live = liveReplay(open.books);
  if (live !== null && live.job !== job) throw contractError(replayRunningError(site, live));
  await reach(tools, open);
  return goOn(tools, open, site, requireReplay(open, site, job), reason);
}

/** Pauses sending until it is resumed. Webhooks queued at the service cannot be recalled. */
export function pauseReplay(
  tools: ReplayContext,
  { site, job, reason }: Inputs['replay']['pause'],
): ReplayJob {
  const open = tools.stores.open(site);
  const replay = requireReplay(open, site, job);
  if (tools.jobs.live(site, job) !== null) {
    auditReplay(tools, open, 'replay.pause', job, reason);
    tools.jobs.tell(site, job, 'pause');
    const { in_flight } = shown(open, site, job);
    const told = in_flight === 0 ? 'Paused.' : `Paused; ${in_flight} are queued already and go on.`;
    saveReplay(open.books, {
      ...requireReplay(open, site, job),
      state: 'paused',
      paused_by: 'user',
      reason: told,
    });
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'pause', reason);
  if (replay.state === 'paused' || replay.state === 'interrupted') return shown(open, site, job);
  throw contractError(replayEndedError(job, replay));
}

/** Cancels a replay. Webhooks queued at the service cannot be recalled. */
export async function cancelReplay(
  tools: ReplayContext,
  { site, job, reason }: Inputs['replay']['cancel'],
): Promise<ReplayJob> {
  const { jobs, stores, now } = tools;
  const open = stores.open(site);
  const replay = requireReplay(open, site, job);
  if (isOver(replay)) return shown(open, site, job);
  if (jobs.live(site, job) !== null) {
    auditReplay(tools, open, 'replay.cancel', job, reason);
    await jobs.cancel(site, job);
    return shown(open, site, job);
  }
  if (isElsewhere(tools, site, replay)) return askElsewhere(tools, open, site, replay, 'cancel', reason);
  const kept = writtenJob(open.books, job);
  commit(open.books, () => {
    auditReplay(tools, open, 'replay.cancel', job, reason);
    recordReplayEnd(tools, open, job, 'canceled', cancelReason(open, job));
    if (kept !== null) saveJob(open.books, { ...kept, state: 'canceled', ended_at: now() });
  });
  tools.changes.tell(site, 'replay', 'jobs');
  return shown(open, site, job);
}

/** Number of requests for testing the connection. */
const REACHED_WITH = 1;

/** Reads one small page, so that an unreachable service or a refused key is reported before anything starts. */
async function reach({ shell, pacing, now }: ReplayContext, open: OpenSite): Promise<void> {
  const client = createSiteConnection({ shell, pacing, now }, open);
  try {
    await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, { maxAttempts: 1 });
  } catch (error) {
    const failure = toErrorValue(error);
    throw contractError({ ...failure, message: `The replay was not begun: ${failure.message}` });
  } finally {
    await client.close();
  }
}

/** Throws if a replay is running or the plan was already run. Returns the plan's replay if it can be resumed. */
function refuseSecond(
  tools: ReplayContext,
  open: OpenSite,
  site: string,
  plan: ReplayPlan,
): StoredReplay | null {
  const live = liveReplay(open.books);
  if (
    live !== null &&
    (live.state === 'paused' || isElsewhere(tools, site, live) || tools.jobs.live(site, live.job))
  ) {
    throw contractError(replayRunningError(site, live));
  }
  const earlier = replayOfPlan(open.books, plan.plan);
  if (earlier !== null && isOver(earlier)) throw contractError(planAlreadyRunError(plan.plan, earlier));
  return earlier;
}

function goOn(
  tools: ReplayContext,
  open: OpenSite,
  site: string,
  replay: StoredReplay,
  reason: string | undefined,
): ReplayJob {
  const begin = () =>
    commit(open.books, () => {
      auditReplay(tools, open, 'replay.resume', replay.job, reason);
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

/** Starts the job. `prepare` saves its initial state before it runs. */
function launch(
  tools: ReplayContext,
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
      const ending = await runReplayJob(tools, open, handle);
      await checkAfterJob(tools, open, handle, 'the replay');
      if (ending.state === 'stopped') {
        stopped = ending.reason;
        throw contractError(replayStoppedError(ending.reason, ending.failed));
      }
      return replaySummary(open, handle.id);
    },
    ended: (state, error) => recordJobEnd(tools, open, site, job.id, state, stopped, error),
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

/** Returns true if another process runs the replay. A crashed process leaves its state but not its lock. */
function isElsewhere({ locks }: ReplayContext, site: string, { state }: StoredReplay): boolean {
  if (state !== 'running' && state !== 'paused') return false;
  const lock = locks.take(site, 'a look');
  if ('conflict' in lock) return true;
  lock.release();
  return false;
}

function askElsewhere(
  tools: ReplayContext,
  open: OpenSite,
  site: string,
  { job }: StoredReplay,
  what: JobCommand,
  reason: string | undefined,
): ReplayJob {
  auditReplay(tools, open, `replay.${what}`, job, reason);
  storeJobCommand(tools.home, site, job, what);
  return shown(open, site, job);
}

const isOver = ({ state }: StoredReplay) => state === 'done' || state === 'canceled';

function shown({ books }: OpenSite, site: string, job: string): ReplayJob {
  return replayOf(books, site, job) as ReplayJob;
}
