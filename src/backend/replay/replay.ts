import type { PacingOptions } from '../../billing/index.ts';
import {
  contractError,
  type ErrorValue,
  type Inputs,
  type Job,
  type ReplayJob,
} from '../../contract/index.ts';
import { checkAfter } from '../checks/checks.ts';
import type { Changes } from '../jobs/changes.ts';
import type { JobHandle, Jobs } from '../jobs/jobs.ts';
import { type Wish, wish } from '../jobs/wishes.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { addAudit } from '../store/audit.ts';
import { commit } from '../store/database.ts';
import { saveJob } from '../store/job.ts';
import { addItems, liveReplay, type StoredReplay, saveReplay, storedReplay } from '../store/replay.ts';
import { countItems, writtenJob } from '../store/replayFigures.ts';
import { replayOf } from '../store/replayList.ts';
import { batchSize } from './forecast.ts';
import { performReplay } from './perform.ts';
import { wantedPlan } from './plan.ts';

export interface ReplayTools {
  home: string;
  shell: ShellClient;
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
  user: string;
  now: () => number;
  pacing?: PacingOptions | undefined;
  waits: number;
}

/** Starts a plan as a job. Throws `conflict` where a replay runs or is paused on the site, here or elsewhere. */
export function startReplay(tools: ReplayTools, input: Inputs['replay']['run']): ReplayJob {
  const { stores, now } = tools;
  const { site, mode = 'adaptive' } = input;
  const open = stores.open(site);
  const plan = wantedPlan(open, site, input.plan);
  if (plan.count === 0) throw contractError(nothingToReplay(input.plan));
  const live = liveReplay(open.books);
  if (live !== null) throw contractError(oneAtATime(site, live));

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
      started_at: now(),
      ended_at: null,
      requests_total: 0,
      requests_minimum: 0,
      live: null,
      counts: null,
    };
    commit(open.books, () => {
      saveReplay(open.books, replay);
      addItems(open.books, job, plan.plan);
      const detail = { plan: plan.plan, count: plan.count, mode: replay.mode, description: plan.description };
      addAudit(open.books, { at: now(), who: tools.user, action: 'replay.run', subject: job, detail });
    });
  });
}

/** Goes on with a replay that is paused, was interrupted or stopped. */
export function resumeReplay(tools: ReplayTools, { site, job }: Inputs['replay']['resume']): ReplayJob {
  const { jobs, stores, now } = tools;
  const open = stores.open(site);
  const replay = wantedReplay(open, site, job);
  note(tools, open, 'replay.resume', job);
  if (jobs.tell(site, job, 'resume')) return shown(open, site, job);
  if (replay.state === 'running') return askElsewhere(tools, open, site, job, 'resume');
  if (replay.state === 'done' || replay.state === 'cancelled') throw contractError(over(job, replay));
  const live = liveReplay(open.books);
  if (live !== null && live.job !== job) throw contractError(oneAtATime(site, live));
  return launch(
    tools,
    open,
    site,
    () =>
      saveReplay(open.books, {
        ...replay,
        state: 'running',
        reason: null,
        ended_at: null,
        started_at: now(),
      }),
    job,
  );
}

/** Sends nothing more until it is told to go on; what is queued at the service cannot be called back. */
export function pauseReplay(tools: ReplayTools, { site, job }: Inputs['replay']['pause']): ReplayJob {
  const open = tools.stores.open(site);
  const replay = wantedReplay(open, site, job);
  note(tools, open, 'replay.pause', job);
  if (tools.jobs.tell(site, job, 'pause')) {
    saveReplay(open.books, { ...wantedReplay(open, site, job), state: 'paused', reason: 'Paused.' });
    return shown(open, site, job);
  }
  if (replay.state === 'running') return askElsewhere(tools, open, site, job, 'pause');
  if (replay.state === 'paused') return shown(open, site, job);
  throw contractError(over(job, replay));
}

/** Ends a replay; what is queued at the service cannot be called back. */
export async function cancelReplay(
  tools: ReplayTools,
  { site, job }: Inputs['replay']['cancel'],
): Promise<ReplayJob> {
  const { jobs, stores, now } = tools;
  const open = stores.open(site);
  const replay = wantedReplay(open, site, job);
  note(tools, open, 'replay.cancel', job);
  const here = jobs.cancel(site, job);
  if (here !== null) {
    await here;
    return shown(open, site, job);
  }
  if (replay.state === 'running') return askElsewhere(tools, open, site, job, 'cancel');
  if (replay.state === 'done' || replay.state === 'cancelled') return shown(open, site, job);
  const kept = writtenJob(open.books, job);
  commit(open.books, () => {
    saveReplay(open.books, {
      ...replay,
      state: 'cancelled',
      ended_at: now(),
      reason: cancelReason(open, job),
    });
    if (kept !== null) saveJob(open.books, { ...kept, state: 'cancelled', ended_at: now() });
  });
  tools.changes.tell(site, 'replay', 'jobs');
  return shown(open, site, job);
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
      if (ending.state === 'stopped') stopped = ending.reason;
      if (stopped !== null) throw contractError(stoppedError(stopped));
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

function endReplay(
  tools: ReplayTools,
  open: OpenSite,
  site: string,
  job: string,
  state: Job['state'],
  stopped: string | null,
  error: ErrorValue | null,
): void {
  const replay = storedReplay(open.books, job);
  if (replay === null) return;
  const ended_at = tools.now();
  if (stopped !== null) saveReplay(open.books, { ...replay, state: 'stopped', reason: stopped, ended_at });
  else if (state === 'done') saveReplay(open.books, { ...replay, state: 'done', reason: null, ended_at });
  else if (state === 'cancelled') {
    saveReplay(open.books, { ...replay, state: 'cancelled', reason: cancelReason(open, job), ended_at });
  } else if (state === 'interrupted') {
    // One that was paused stays so: going on with it is the user's to say.
    const kept = replay.state === 'paused' ? 'paused' : 'interrupted';
    saveReplay(open.books, { ...replay, state: kept, ended_at });
  } else saveReplay(open.books, { ...replay, state: 'stopped', reason: error?.message ?? null, ended_at });
  tools.changes.tell(site, 'replay', 'webhooks');
}

function cancelReason({ books }: OpenSite, job: string): string {
  const queued = countItems(books, job, 'queued') + countItems(books, job, 'sending');
  return queued === 0
    ? 'Cancelled; nothing was underway.'
    : `Cancelled; ${queued} ${queued === 1 ? 'webhook was' : 'webhooks were'} queued already and cannot be called back.`;
}

function summary({ books }: OpenSite, job: string): string {
  const count = (outcome: Parameters<typeof countItems>[2]) => countItems(books, job, outcome);
  const parts = [`${count('accepted')} accepted`];
  for (const outcome of ['failed', 'refused', 'unresolved'] as const) {
    if (count(outcome) > 0)
      parts.push(`${count(outcome)} ${outcome === 'failed' ? 'failed again' : outcome}`);
  }
  return `${parts.join(', ')}.`;
}

function askElsewhere(tools: ReplayTools, open: OpenSite, site: string, job: string, what: Wish): ReplayJob {
  wish(tools.home, site, job, what);
  return shown(open, site, job);
}

function note({ now, user }: ReplayTools, { books }: OpenSite, action: string, job: string): void {
  commit(books, () => addAudit(books, { at: now(), who: user, action, subject: job, detail: {} }));
}

function shown({ books }: OpenSite, site: string, job: string): ReplayJob {
  return replayOf(books, site, job) as ReplayJob;
}

export function wantedReplay({ books }: OpenSite, site: string, job: string): StoredReplay {
  const replay = storedReplay(books, job);
  if (replay !== null) return replay;
  throw contractError({
    code: 'not_found',
    message: `There is no replay ${job} on ${site}.`,
    hint: 'See the list of replays for those there are.',
    retryable: false,
  });
}

function stoppedError(reason: string): ErrorValue {
  return {
    code: 'service',
    message: reason,
    hint: 'Repair the endpoint, then go on with this replay; what was not sent is still waiting.',
    retryable: false,
  };
}

function nothingToReplay(plan: string): ErrorValue {
  return {
    code: 'validation',
    message: `The plan ${plan} has no webhooks to replay.`,
    hint: 'Choose others; the plan says why some were left out.',
    retryable: false,
  };
}

function oneAtATime(site: string, live: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `A replay is ${live.state} on ${site} already.`,
    hint: 'Go on with that one, or cancel it first.',
    retryable: true,
    detail: { job: live.job },
  };
}

function over(job: string, { state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `The replay ${job} is ${state}; it cannot go on.`,
    hint: 'Replay its failures with a new plan.',
    retryable: false,
  };
}
