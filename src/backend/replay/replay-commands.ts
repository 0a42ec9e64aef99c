import {
  type ContractInputs,
  createContractError,
  type Job,
  type ReplayJob,
  type ReplayPlan,
} from '../../contract/index.ts';
import { checkAfterJob } from '../checks/check-jobs.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import { type JobCommand, storeJobCommand } from '../jobs/job-commands.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { saveJob } from '../store/jobs/job.ts';
import { findPlanEndpoint } from '../store/replay/local-deliveries.ts';
import {
  addReplayItems,
  findActiveReplay,
  findReplayForPlan,
  type StoredReplay,
  saveReplay,
} from '../store/replay/replay.ts';
import { findStoredReplayJob } from '../store/replay/replay-figures.ts';
import { getReplay } from '../store/replay/replay-list.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { openDeliveryTarget } from './delivery-target.ts';
import {
  auditReplayAction,
  describeReplayCancellation,
  recordReplayEnd,
  recordReplayJobEnd,
  summarizeReplayOutcomes,
} from './replay-end.ts';
import {
  emptyReplayPlanError,
  replayEndedError,
  replayPlanAlreadyRunError,
  replayRunningError,
  replayStoppedError,
  requireConfirmation,
  requireReplay,
} from './replay-errors.ts';
import { DEFAULT_CONNECTIONS, getDefaultReplayBatchSize } from './replay-forecast.ts';
import { type ReplayContext, runReplayJob } from './replay-job.ts';
import { requireReplayPlan } from './replay-plan.ts';
import { describeReplayPause } from './replay-status.ts';

/** Input of the commands that resume, pause or cancel a replay. */
type ReplayCommandInput = ContractInputs['replay']['resume'];

/**
 * Starts a replay of a plan as a job, or resumes the plan's stopped or interrupted replay. Throws `conflict` if another
 * replay is active or the plan's replay has ended. Throws the service's error if the connection test fails.
 */
export async function startReplay(
  context: ReplayContext,
  { site: name, ...input }: ContractInputs['replay']['run'],
): Promise<ReplayJob> {
  const { mode = 'adaptive', reason } = input;
  const site = context.stores.open(name);
  const { plan, count, description, endpoint } = requireReplayPlan(site, input.plan);
  if (count === 0) throw emptyReplayPlanError(plan);
  const isResumed = requireNoOtherReplay(context, site, plan) !== null;
  if (endpoint !== null && !isResumed) requireConfirmation({ endpoint, count, plan }, input.confirm);
  await testPrerequisites(context, site, plan);
  // Another call may have started a replay during the connection test.
  const earlier = requireNoOtherReplay(context, site, plan);
  if (earlier !== null) return resumeStoredReplay(context, site, earlier, reason);

  return startReplayJob(context, site, (job) => {
    const isLocal = endpoint !== null;
    const options = {
      mode,
      batch_size: input.batch_size ?? getDefaultReplayBatchSize(mode),
      rate: input.rate ?? null,
      // By default, a local delivery sends a subscription's webhooks in order.
      ordered: input.ordered ?? isLocal,
      connections: isLocal ? (input.connections ?? DEFAULT_CONNECTIONS[mode]) : null,
    };
    const replay: StoredReplay = {
      ...options,
      job,
      plan,
      ordered: Number(options.ordered),
      state: 'running',
      reason: null,
      paused_by: null,
      step: 'canary',
      started_at: context.now(),
      ended_at: null,
      requests_total: isLocal ? 0 : CONNECTION_TEST_REQUESTS,
      requests_minimum: 0,
      live: null,
      counts: null,
    };
    runInTransaction(site.books, () => {
      saveReplay(site.books, replay);
      addReplayItems(site.books, job, plan);
      const detail = { plan, count, ...options, description, ...(isLocal && { endpoint }) };
      auditReplayAction(context, site, job, { action: 'replay.run', reason, detail });
    });
  });
}

/** Resumes a paused, interrupted or stopped replay. */
export async function resumeReplay(context: ReplayContext, input: ReplayCommandInput): Promise<ReplayJob> {
  const { site: name, job, reason } = input;
  const site = context.stores.open(name);
  const replay = requireReplay(site, job);
  if (isOver(replay)) throw replayEndedError(job, replay);
  if (sendToRunner(context, site, replay, { command: 'resume', reason }))
    return requireShownReplay(site, job);
  const live = findActiveReplay(site.books);
  if (live !== null && live.job !== job) throw replayRunningError(name, live);
  await testPrerequisites(context, site, replay.plan);
  return resumeStoredReplay(context, site, requireReplay(site, job), reason);
}

/** Pauses a replay. Webhooks already queued by the service cannot be recalled. */
export function pauseReplay(context: ReplayContext, input: ReplayCommandInput): ReplayJob {
  const { site: name, job, reason } = input;
  const site = context.stores.open(name);
  const replay = requireReplay(site, job);
  const runner = sendToRunner(context, site, replay, { command: 'pause', reason });
  if (runner === null && replay.state !== 'paused' && replay.state !== 'interrupted')
    throw replayEndedError(job, replay);
  if (runner === 'this process') {
    const { in_flight } = requireShownReplay(site, job);
    const paused = { state: 'paused', paused_by: 'user', reason: describeReplayPause(in_flight) } as const;
    saveReplay(site.books, { ...requireReplay(site, job), ...paused });
  }
  return requireShownReplay(site, job);
}

/** Cancels a replay. Webhooks already queued by the service cannot be recalled. */
export async function cancelReplay(context: ReplayContext, input: ReplayCommandInput): Promise<ReplayJob> {
  const { site: name, job, reason } = input;
  const { jobs, stores, changes, now } = context;
  const site = stores.open(name);
  const replay = requireReplay(site, job);
  if (isOver(replay)) return requireShownReplay(site, job);
  const runner = sendToRunner(context, site, replay, { command: 'cancel', reason });
  if (runner === 'this process') await jobs.cancel(name, job);
  if (runner !== null) return requireShownReplay(site, job);
  const storedJob = findStoredReplayJob(site.books, job);
  runInTransaction(site.books, () => {
    auditReplayAction(context, site, job, { action: 'replay.cancel', reason });
    recordReplayEnd(context, site, job, { state: 'canceled', reason: describeReplayCancellation(site, job) });
    if (storedJob !== null) saveJob(site.books, { ...storedJob, state: 'canceled', ended_at: now() });
  });
  changes.emit(name, 'replay', 'jobs');
  return requireShownReplay(site, job);
}

/**
 * Sends a command to the process that runs the replay, if any, and audits it. A job of this process is not canceled
 * here; the caller cancels it.
 */
function sendToRunner(
  context: ReplayContext,
  site: OpenSite,
  replay: StoredReplay,
  { command, reason }: { command: JobCommand; reason: string | undefined },
): 'this process' | 'another process' | null {
  const { job } = replay;
  const name = site.file.site;
  const isLive = context.jobs.findLive(name, job) !== null;
  if (!isLive && !runsInOtherProcess(context, site, replay)) return null;
  auditReplayAction(context, site, job, { action: `replay.${command}`, reason });
  if (!isLive) storeJobCommand(context.home, name, job, command);
  else if (command !== 'cancel') context.jobs.sendCommand(name, job, command);
  return isLive ? 'this process' : 'another process';
}

/** Number of requests made to test the connection before a replay starts. */
const CONNECTION_TEST_REQUESTS = 1;

/** Throws if a replay could not send anything: the service does not respond, or the shared key is missing. */
async function testPrerequisites(context: ReplayContext, site: OpenSite, plan: string): Promise<void> {
  const target = findPlanEndpoint(site.books, plan);
  if (target === null) await testConnection(context, site);
  else await openDeliveryTarget(context, site.file.site, target.endpoint);
}

/** Reads one small page, so that an unreachable service or a refused API key is reported before a replay starts. */
async function testConnection(context: ReplayContext, site: OpenSite): Promise<void> {
  const client = createSiteConnection(context, site);
  try {
    await client.listWebhooks({ page: 1, per_page: 1, order: 'newest_first' }, { maxAttempts: 1 });
  } catch (error) {
    const failure = toErrorValue(error);
    throw createContractError({ ...failure, message: `The replay was not started: ${failure.message}` });
  } finally {
    await client.close();
  }
}

/** Returns the plan's earlier replay if it can be resumed. Throws if it has ended or another replay is active. */
function requireNoOtherReplay(
  context: ReplayContext,
  site: OpenSite,
  plan: ReplayPlan['plan'],
): StoredReplay | null {
  const name = site.file.site;
  const live = findActiveReplay(site.books);
  if (
    live !== null &&
    (live.state === 'paused' ||
      runsInOtherProcess(context, site, live) ||
      context.jobs.findLive(name, live.job))
  )
    throw replayRunningError(name, live);
  const earlier = findReplayForPlan(site.books, plan);
  if (earlier !== null && isOver(earlier)) throw replayPlanAlreadyRunError(plan, earlier);
  return earlier;
}

function resumeStoredReplay(
  context: ReplayContext,
  site: OpenSite,
  replay: StoredReplay,
  reason: string | undefined,
): ReplayJob {
  const prepare = () =>
    runInTransaction(site.books, () => {
      auditReplayAction(context, site, replay.job, { action: 'replay.resume', reason });
      saveReplay(site.books, {
        ...replay,
        state: 'running',
        reason: null,
        paused_by: null,
        ended_at: null,
        counts: null,
        requests_total: replay.requests_total + (replay.connections === null ? CONNECTION_TEST_REQUESTS : 0),
      });
    });
  return startReplayJob(context, site, prepare, replay.job);
}

/** Starts the job of a replay. `prepare` saves the replay's initial state before the job runs. */
function startReplayJob(
  context: ReplayContext,
  site: OpenSite,
  prepare: (job: string) => void,
  id?: string,
): ReplayJob {
  const name = site.file.site;
  let stopReason: string | null = null;
  const job: Job = context.jobs.start({
    site: name,
    kind: 'replay',
    noun: 'a replay',
    books: site.books,
    ...(id === undefined ? {} : { id }),
    async run(handle) {
      const result = await runReplayJob(context, site, handle);
      await checkAfterJob(context, site, handle, 'the replay');
      if (result.state === 'stopped') {
        stopReason = result.reason;
        throw replayStoppedError(result.reason, result.failed);
      }
      return summarizeReplayOutcomes(site, handle.id);
    },
    ended: (state, error) => recordReplayJobEnd(context, site, job.id, { state, error, stopReason }),
  });
  try {
    prepare(job.id);
  } catch (error) {
    void context.jobs.cancel(name, job.id);
    throw error;
  }
  context.changes.emit(name, 'replay');
  return requireShownReplay(site, job.id);
}

/** Returns true if another process runs the replay. A crashed process leaves the stored state, but not the lock. */
function runsInOtherProcess({ locks }: ReplayContext, { file }: OpenSite, { state }: StoredReplay): boolean {
  if (state !== 'running' && state !== 'paused') return false;
  const lock = locks.acquire(file.site, 'a status check');
  if ('conflict' in lock) return true;
  lock.release();
  return false;
}

const isOver = ({ state }: StoredReplay) => state === 'done' || state === 'canceled';

function requireShownReplay({ books, file }: OpenSite, job: string): ReplayJob {
  return getReplay(books, file.site, job) as ReplayJob;
}
