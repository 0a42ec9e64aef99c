import {
  type AllocationDraft,
  contractError,
  type ErrorValue,
  type Inputs,
  type Job,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { type JobCommand, storeJobCommand } from '../jobs/job-commands.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  liveDraft,
  type StoredDraft,
  saveDraft,
  storedDraft,
  undecidedElsewhere,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import { saveJob } from '../store/jobs/job.ts';
import { writtenJob } from '../store/replay/replay-figures.ts';
import { commit } from '../store/sqlite/connection.ts';
import { auditDraft, requireDraft } from './draft.ts';
import type { SendingEnd } from './engine.ts';
import { runSendingJob } from './perform.ts';
import type { AllocationContext } from './tools.ts';

/**
 * Sends a draft as shown. Throws `conflict` if it was already sent or has changed since, if another draft is running, or
 * if an earlier change of the same component is undecided. Throws `validation` if none of it can be sent.
 */
export function sendDraft(tools: AllocationContext, input: Inputs['allocations']['send']): AllocationDraft {
  const { site, draft: id, sha256, stop_after = 5 } = input;
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
  if (draft.state !== 'draft') throw contractError(notADraft(draft));
  if (draft.sha256 !== sha256) throw contractError(shownOtherwise(draft));
  const shown = draftOf(open.books, site, id) as AllocationDraft;
  if (shown.ready === 0) throw contractError(nothingToSend(draft));
  mayBegin(open, site, id);
  return launch(tools, open, site, { ...draft, stop_after, sent_at: tools.now() }, (job) => {
    const { ready, upgrades, downgrades } = shown;
    auditDraft(tools, open, 'allocations.send', id, {
      title: draft.title,
      changes: ready,
      upgrades,
      downgrades,
      sha256,
      job,
    });
  });
}

/** Resumes a paused, stopped, interrupted or canceled draft. Unknown outcomes are looked up first. */
export function resumeDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['resume'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
  if (draft.job === null || draft.state === 'done') throw contractError(cannotGoOn(draft));
  if (tools.jobs.tell(site, draft.job, 'resume')) {
    auditDraft(tools, open, 'allocations.resume', id, {});
    saveDraft(open.books, { ...draft, state: 'running', reason: null });
    return shownDraft(open, site, id);
  }
  if (draft.state === 'running') return askElsewhere(tools, open, site, draft, 'resume');
  mayBegin(open, site, id);
  return launch(
    tools,
    open,
    site,
    { ...draft, ended_at: null },
    () => auditDraft(tools, open, 'allocations.resume', id, {}),
    draft.job,
  );
}

/** Pauses sending until it is resumed. A running request finishes. */
export function pauseDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['pause'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
  if (draft.state === 'paused') return shownDraft(open, site, id);
  if (draft.state !== 'running' || draft.job === null) throw contractError(cannotGoOn(draft));
  auditDraft(tools, open, 'allocations.pause', id, {});
  if (!tools.jobs.tell(site, draft.job, 'pause')) return askElsewhere(tools, open, site, draft, 'pause');
  saveDraft(open.books, { ...requireDraft(open, site, id), state: 'paused', reason: 'Paused.' });
  tools.changes.tell(site, 'allocations');
  return shownDraft(open, site, id);
}

/** Cancels sending within a second. Unsent changes wait and can be resumed. */
export async function cancelDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['cancel'],
): Promise<AllocationDraft> {
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
  if (draft.job === null) throw contractError(cannotGoOn(draft));
  auditDraft(tools, open, 'allocations.cancel', id, {});
  const here = tools.jobs.cancel(site, draft.job);
  if (here !== null) await here;
  else if (draft.state === 'running') return askElsewhere(tools, open, site, draft, 'cancel');
  else if (draft.state !== 'done' && draft.state !== 'canceled') {
    const kept = writtenJob(open.books, draft.job);
    commit(open.books, () => {
      saveDraft(open.books, { ...draft, state: 'canceled', reason: null, ended_at: tools.now() });
      if (kept !== null) saveJob(open.books, { ...kept, state: 'canceled', ended_at: tools.now() });
    });
    tools.changes.tell(site, 'allocations', 'jobs');
  }
  return shownDraft(open, site, id);
}

function mayBegin(open: OpenSite, site: string, id: string): void {
  const live = liveDraft(open.books);
  if (live !== null && live.id !== id) throw contractError(oneAtATime(site, live));
  const undecided = undecidedElsewhere(open.books, id);
  if (undecided === null) return;
  const { component_id, subscription_id, draft } = undecided;
  throw contractError({
    code: 'conflict',
    message: `A change of component ${component_id} on subscription ${subscription_id} that was sent before is not decided yet.`,
    hint: `Settle it first in “${storedDraft(open.books, draft)?.title ?? draft}”: sending another one could make the same change twice.`,
    retryable: false,
    detail: { draft, subscription_id, component_id },
  });
}

/** Starts the job after saving its initial state. */
function launch(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  prepare: (job: string) => void,
  id?: string,
): AllocationDraft {
  let ending: SendingEnd | null = null;
  const job: Job = tools.jobs.start({
    site,
    kind: 'allocations',
    what: 'a change of allocations',
    books: open.books,
    ...(id === undefined ? {} : { id }),
    async run(handle) {
      ending = await runSendingJob(tools, open, handle, draft);
      if (handle.signal.aborted) throw handle.signal.reason;
      if (ending.state === 'stopped') throw contractError(stoppedError(ending.reason));
      return summaryOf(shownDraft(open, site, draft.id));
    },
    ended: (state, error) => endDraft(tools, open, site, draft.id, state, ending, error),
  });
  try {
    commit(open.books, () => {
      saveDraft(open.books, { ...draft, state: 'running', reason: null, job: job.id });
      prepare(job.id);
    });
  } catch (error) {
    void tools.jobs.cancel(site, job.id);
    throw error;
  }
  tools.changes.tell(site, 'allocations', 'audit');
  return shownDraft(open, site, draft.id);
}

function endDraft(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  id: string,
  state: Job['state'],
  ending: SendingEnd | null,
  error: ErrorValue | null,
): void {
  const draft = storedDraft(open.books, id);
  if (draft === null || draft.job === null) return;
  const ended_at = tools.now();
  const end = (change: Pick<StoredDraft, 'state' | 'reason'>) =>
    saveDraft(open.books, { ...draft, ended_at, ...change });
  const { outcomes } = shownDraft(open, site, id);
  const whole = outcomes.waiting + outcomes.sending + outcomes.looking === 0;
  if (ending?.state === 'stopped') end({ state: 'stopped', reason: ending.reason });
  else if (whole) end({ state: 'done', reason: null });
  else if (state === 'canceled') end({ state: 'canceled', reason: cancelReason(outcomes) });
  else if (state === 'interrupted')
    end({ state: draft.state === 'paused' ? 'paused' : 'interrupted', reason: null });
  else end({ state: 'stopped', reason: error?.message ?? null });
  tools.changes.tell(site, 'allocations', 'statements', 'audit');
}

function cancelReason({ waiting, sending, looking }: AllocationDraft['outcomes']): string {
  const unknown = sending + looking;
  const left = waiting === 0 ? [] : [`${formatCount(waiting, 'was', 'were')} not sent`];
  const lost =
    unknown === 0 ? [] : [`of ${unknown} on its way it is not known what became: look it up, or go on`];
  return `Canceled; ${[...left, ...lost].join('; ')}.`;
}

/** Returns a sentence about what was done. */
function summaryOf({ outcomes }: AllocationDraft): string {
  const words = {
    applied: 'applied',
    refused: 'refused',
    moved: 'not sent, as the quantity had changed',
    not_applied: 'not applied',
    undecided: 'to be decided',
  } as const;
  const parts = Object.entries(words).map(
    ([outcome, word]) => [outcomes[outcome as keyof typeof words], word] as const,
  );
  return `${parts
    .filter(([count], at) => count > 0 || at === 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')}.`;
}

function askElsewhere(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  what: JobCommand,
): AllocationDraft {
  storeJobCommand(tools.home, site, draft.job as string, what);
  return shownDraft(open, site, draft.id);
}

function shownDraft({ books }: OpenSite, site: string, id: string): AllocationDraft {
  return draftOf(books, site, id) as AllocationDraft;
}

function notADraft({ title, state }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${title}” is ${state}; it is sent only once.`,
    hint: 'Go on with it, or draft what was not applied anew.',
    retryable: false,
  };
}

function shownOtherwise({ title }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${title}” is not what was shown any more: it was checked again meanwhile.`,
    hint: 'Look at it again, then confirm it.',
    retryable: false,
  };
}

function nothingToSend({ title }: StoredDraft): ErrorValue {
  return {
    code: 'validation',
    message: `“${title}” has no change that can be sent.`,
    hint: 'Each row says why. Check it against the service, or draft it anew.',
    retryable: false,
  };
}

function oneAtATime(site: string, live: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${live.title}” is ${live.state} on ${site}; drafts are sent one after the other.`,
    hint: 'Go on with that one, or cancel it first.',
    retryable: true,
    detail: { draft: live.id },
  };
}

function cannotGoOn({ title, state }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: state === 'draft' ? `“${title}” was not sent yet.` : `“${title}” is ${state}.`,
    hint: state === 'draft' ? 'Confirm it to send it.' : 'There is nothing to go on with or to stop.',
    retryable: false,
  };
}

function stoppedError(reason: string): ErrorValue {
  return {
    code: 'service',
    message: reason,
    hint: 'Look at what went wrong, then go on with it; what was not sent is still waiting.',
    retryable: false,
  };
}
