import {
  contractError,
  type Inputs,
  type Job,
  type ReplayJob,
  type ReplayPlan,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { checkAfterJob } from '../checks/check-jobs.ts';
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
import type { ReplayContext } from './replay-context.ts';
import {
  auditReplay,
  recordReplayEnd,
  recordReplayJobEnd,
  replayCancelReason,
  replaySummary,
} from './replay-end.ts';
import {
  emptyPlanError,
  planAlreadyRunError,
  replayEndedError,
  replayRunningError,
  replayStoppedError,
  requireReplay,
} from './replay-errors.ts';
import { defaultReplayBatchSize } from './replay-forecast.ts';
import { runReplayJob } from './replay-job.ts';
import { requireReplayPlan } from './replay-plan.ts';

/**
 * Starts a replay of a plan as a job, or resumes the plan's stopped or interrupted replay. Throws `conflict` if another
 * replay of the site is running or paused in any process, or if the plan's replay has ended. Throws the service's error
 * if the service cannot be reached or refuses the API key.
 */
export async function startReplay(tools: ReplayContext, input: Inputs['replay']['run']): Promise<ReplayJob> {
  const { site, mode = 'adaptive', reason } = input;
  const open = tools.stores.open(site);
  const plan = requireReplayPlan(open, site, input.plan);
  if (plan.count === 0) throw contractError(emptyPlanError(input.plan));
  requireNoOtherReplay(tools, open, site, plan);
  await testConnection(tools, open);
  // Another call may have started a replay in the meantime.
  const earlier = requireNoOtherReplay(tools, open, site, plan);
  if (earlier !== null) return resumeStoredReplay(tools, open, site, earlier, reason);

  return startReplayJob(tools, open, site, (job) => {
    const replay: StoredReplay = {
      job,
      plan: plan.plan,
      mode,
      batch_size: input.batch_size ?? defaultReplayBatchSize(mode),
      rate: input.rate ?? null,
      ordered: input.ordered === true ? 1 : 0,
      state: 'running',
      reason: null,
      paused_by: null,
      step: 'canary',
      started_at: tools.now(),
      ended_at: null,
      requests_total: CONNECTION_TEST_REQUESTS,
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
  if (jobs.findLive(site, job) !== null) {
    auditReplay(tools, open, 'replay.resume', job, reason);
    jobs.sendCommand(site, job, 'resume');
    return requireShownReplay(open, site, job);
  }
  if (runsInOtherProcess(tools, site, replay))
    return sendCommandToOtherProcess(tools, open, site, replay, 'resume', reason);
  const live = liveReplay(open.books);
  if (live !== null && live.job !== job) throw contractError(replayRunningError(site, live));
  await testConnection(tools, open);
  return resumeStoredReplay(tools, open, site, requireReplay(open, site, job), reason);
}

/** Pauses a replay. Webhooks that the service has already queued cannot be recalled. */
export function pauseReplay(
  tools: ReplayContext,
  { site, job, reason }: Inputs['replay']['pause'],
): ReplayJob {
  const open = tools.stores.open(site);
  const replay = requireReplay(open, site, job);
  if (tools.jobs.findLive(site, job) !== null) {
    auditReplay(tools, open, 'replay.pause', job, reason);
    tools.jobs.sendCommand(site, job, 'pause');
    const { in_flight } = requireShownReplay(open, site, job);
    const pauseReason =
      in_flight === 0 ? 'Paused.' : `Paused. ${formatCount(in_flight, 'queued webhook')} cannot be recalled.`;
    saveReplay(open.books, {
      ...requireReplay(open, site, job),
      state: 'paused',
      paused_by: 'user',
      reason: pauseReason,
    });
    return requireShownReplay(open, site, job);
  }
  if (runsInOtherProcess(tools, site, replay))
    return sendCommandToOtherProcess(tools, open, site, replay, 'pause', reason);
  if (replay.state === 'paused' || replay.state === 'interrupted') return requireShownReplay(open, site, job);
  throw contractError(replayEndedError(job, replay));
}

/** Cancels a replay. Webhooks that the service has already queued cannot be recalled. */
export async function cancelReplay(
  tools: ReplayContext,
  { site, job, reason }: Inputs['replay']['cancel'],
): Promise<ReplayJob> {
  const { jobs, stores, now } = tools;
  const open = stores.open(site);
  const replay = requireReplay(open, site, job);
  if (isOver(replay)) return requireShownReplay(open, site, job);
  if (jobs.findLive(site, job) !== null) {
    auditReplay(tools, open, 'replay.cancel', job, reason);
    await jobs.cancel(site, job);
    return requireShownReplay(open, site, job);
  }
  if (runsInOtherProcess(tools, site, replay))
    return sendCommandToOtherProcess(tools, open, site, replay, 'cancel', reason);
  const kept = writtenJob(open.books, job);
  commit(open.books, () => {
    auditReplay(tools, open, 'replay.cancel', job, reason);
    recordReplayEnd(tools, open, job, 'canceled', replayCancelReason(open, job));
    if (kept !== null) saveJob(open.books, { ...kept, state: 'canceled', ended_at: now() });
  });
  tools.changes.emit(site, 'replay', 'jobs');
  return requireShownReplay(open, site, job);
}

/** Number of requests made to test the connection before a replay starts. */
const CONNECTION_TEST_REQUESTS = 1;

/** Reads one small page, so that an unreachable service or a refused API key is reported before a replay starts. */
async function testConnection({ shell, pacing, now }: ReplayContext, open: OpenSite): Promise<void> {
  const client = createSiteConnection({ shell, pacing, now }, open);
  try {
    await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, { maxAttempts: 1 });
  } catch (error) {
    const failure = toErrorValue(error);
    throw contractError({ ...failure, message: `The replay was not started: ${failure.message}` });
  } finally {
    await client.close();
  }
}

/**
 * Throws if another replay is running or paused, or if the plan's replay has ended. Returns the plan's earlier replay if
 * it can be resumed, or null if there is none.
 */
function requireNoOtherReplay(
  tools: ReplayContext,
  open: OpenSite,
  site: string,
  plan: ReplayPlan,
): StoredReplay | null {
  const live = liveReplay(open.books);
  if (
    live !== null &&
    (live.state === 'paused' || runsInOtherProcess(tools, site, live) || tools.jobs.findLive(site, live.job))
  ) {
    throw contractError(replayRunningError(site, live));
  }
  const earlier = replayOfPlan(open.books, plan.plan);
  if (earlier !== null && isOver(earlier)) throw contractError(planAlreadyRunError(plan.plan, earlier));
  return earlier;
}

function resumeStoredReplay(
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
        requests_total: replay.requests_total + CONNECTION_TEST_REQUESTS,
      });
    });
  return startReplayJob(tools, open, site, begin, replay.job);
}

/** Starts the job of a replay. `prepare` saves the replay's initial state before the job runs. */
function startReplayJob(
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
    noun: 'a replay',
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
    ended: (state, error) => recordReplayJobEnd(tools, open, site, job.id, state, stopped, error),
  });
  try {
    prepare(job.id);
  } catch (error) {
    void tools.jobs.cancel(site, job.id);
    throw error;
  }
  tools.changes.emit(site, 'replay');
  return requireShownReplay(open, site, job.id);
}

/** Returns true if another process runs the replay. A crashed process leaves the stored state but not the lock. */
function runsInOtherProcess({ locks }: ReplayContext, site: string, { state }: StoredReplay): boolean {
  if (state !== 'running' && state !== 'paused') return false;
  const lock = locks.acquire(site, 'a status check');
  if ('conflict' in lock) return true;
  lock.release();
  return false;
}

function sendCommandToOtherProcess(
  tools: ReplayContext,
  open: OpenSite,
  site: string,
  { job }: StoredReplay,
  what: JobCommand,
  reason: string | undefined,
): ReplayJob {
  auditReplay(tools, open, `replay.${what}`, job, reason);
  storeJobCommand(tools.home, site, job, what);
  return requireShownReplay(open, site, job);
}

const isOver = ({ state }: StoredReplay) => state === 'done' || state === 'canceled';

function requireShownReplay({ books }: OpenSite, site: string, job: string): ReplayJob {
  return replayOf(books, site, job) as ReplayJob;
}
