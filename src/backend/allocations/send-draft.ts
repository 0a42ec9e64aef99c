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
import type { AllocationContext } from './allocation-context.ts';
import { auditAllocationDraft, requireAllocationDraft } from './drafts.ts';
import type { AllocationSendingResult } from './sending-engine.ts';
import { runSendingJob } from './sending-job.ts';

/**
 * Sends a draft in the version shown to the user. Throws `conflict` if the draft was already sent or has changed since,
 * if another draft is being sent, or if an earlier change of a component is undecided. Throws `validation` if no change
 * can be sent.
 */
export function sendAllocationDraft(
  tools: AllocationContext,
  input: Inputs['allocations']['send'],
): AllocationDraft {
  const { site, draft: id, sha256, stop_after = 5 } = input;
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  if (draft.state !== 'draft') throw contractError(alreadySentError(draft));
  if (draft.sha256 !== sha256) throw contractError(draftChangedError(draft));
  const shown = draftOf(open.books, site, id) as AllocationDraft;
  if (shown.ready === 0) throw contractError(nothingToSendError(draft));
  requireSendable(open, site, id);
  return startSendingJob(tools, open, site, { ...draft, stop_after, sent_at: tools.now() }, (job) => {
    const { ready, upgrades, downgrades } = shown;
    auditAllocationDraft(tools, open, 'allocations.send', id, {
      title: draft.title,
      changes: ready,
      upgrades,
      downgrades,
      sha256,
      job,
    });
  });
}

/**
 * Resumes sending a paused, stopped, interrupted or canceled draft. Changes with an unknown outcome are looked up first.
 */
export function resumeAllocationDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['resume'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  if (draft.job === null || draft.state === 'done') throw contractError(notResumableError(draft));
  if (tools.jobs.sendCommand(site, draft.job, 'resume')) {
    auditAllocationDraft(tools, open, 'allocations.resume', id, {});
    saveDraft(open.books, { ...draft, state: 'running', reason: null });
    return requireShownDraft(open, site, id);
  }
  if (draft.state === 'running') return sendCommandToOtherProcess(tools, open, site, draft, 'resume');
  requireSendable(open, site, id);
  return startSendingJob(
    tools,
    open,
    site,
    { ...draft, ended_at: null },
    () => auditAllocationDraft(tools, open, 'allocations.resume', id, {}),
    draft.job,
  );
}

/** Pauses sending a draft. A running request is completed. */
export function pauseAllocationDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['pause'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  if (draft.state === 'paused') return requireShownDraft(open, site, id);
  if (draft.state !== 'running' || draft.job === null) throw contractError(notResumableError(draft));
  auditAllocationDraft(tools, open, 'allocations.pause', id, {});
  if (!tools.jobs.sendCommand(site, draft.job, 'pause'))
    return sendCommandToOtherProcess(tools, open, site, draft, 'pause');
  saveDraft(open.books, { ...requireAllocationDraft(open, site, id), state: 'paused', reason: 'Paused.' });
  tools.changes.emit(site, 'allocations');
  return requireShownDraft(open, site, id);
}

/** Cancels sending a draft within a second. Changes that were not sent can be sent later by resuming the draft. */
export async function cancelAllocationDraft(
  tools: AllocationContext,
  { site, draft: id }: Inputs['allocations']['cancel'],
): Promise<AllocationDraft> {
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  if (draft.job === null) throw contractError(notResumableError(draft));
  auditAllocationDraft(tools, open, 'allocations.cancel', id, {});
  const here = tools.jobs.cancel(site, draft.job);
  if (here !== null) await here;
  else if (draft.state === 'running') return sendCommandToOtherProcess(tools, open, site, draft, 'cancel');
  else if (draft.state !== 'done' && draft.state !== 'canceled') {
    const kept = writtenJob(open.books, draft.job);
    commit(open.books, () => {
      saveDraft(open.books, { ...draft, state: 'canceled', reason: null, ended_at: tools.now() });
      if (kept !== null) saveJob(open.books, { ...kept, state: 'canceled', ended_at: tools.now() });
    });
    tools.changes.emit(site, 'allocations', 'jobs');
  }
  return requireShownDraft(open, site, id);
}

function requireSendable(open: OpenSite, site: string, id: string): void {
  const live = liveDraft(open.books);
  if (live !== null && live.id !== id) throw contractError(otherDraftRunningError(site, live));
  const undecided = undecidedElsewhere(open.books, id);
  if (undecided === null) return;
  const { component_id, subscription_id, draft } = undecided;
  throw contractError({
    code: 'conflict',
    message: `A change of component ${component_id} on subscription ${subscription_id} has been sent, but its outcome is still unknown.`,
    hint: `Decide it first in “${storedDraft(open.books, draft)?.title ?? draft}”. Otherwise the same change could be made twice.`,
    retryable: false,
    detail: { draft, subscription_id, component_id },
  });
}

/** Starts a job that sends a draft. `prepare` runs in the transaction that saves the draft's initial state. */
function startSendingJob(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  prepare: (job: string) => void,
  id?: string,
): AllocationDraft {
  let ending: AllocationSendingResult | null = null;
  const job: Job = tools.jobs.start({
    site,
    kind: 'allocations',
    noun: 'an allocation change',
    books: open.books,
    ...(id === undefined ? {} : { id }),
    async run(handle) {
      ending = await runSendingJob(tools, open, handle, draft);
      if (handle.signal.aborted) throw handle.signal.reason;
      if (ending.state === 'stopped') throw contractError(sendingStoppedError(ending.reason));
      return draftSummary(requireShownDraft(open, site, draft.id));
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
  tools.changes.emit(site, 'allocations', 'audit');
  return requireShownDraft(open, site, draft.id);
}

function endDraft(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  id: string,
  state: Job['state'],
  ending: AllocationSendingResult | null,
  error: ErrorValue | null,
): void {
  const draft = storedDraft(open.books, id);
  if (draft === null || draft.job === null) return;
  const ended_at = tools.now();
  const end = (change: Pick<StoredDraft, 'state' | 'reason'>) =>
    saveDraft(open.books, { ...draft, ended_at, ...change });
  const { outcomes } = requireShownDraft(open, site, id);
  const isComplete = outcomes.waiting + outcomes.sending + outcomes.looking === 0;
  if (ending?.state === 'stopped') end({ state: 'stopped', reason: ending.reason });
  else if (isComplete) end({ state: 'done', reason: null });
  else if (state === 'canceled') end({ state: 'canceled', reason: cancelReason(outcomes) });
  else if (state === 'interrupted')
    end({ state: draft.state === 'paused' ? 'paused' : 'interrupted', reason: null });
  else end({ state: 'stopped', reason: error?.message ?? null });
  tools.changes.emit(site, 'allocations', 'statements', 'audit');
}

function cancelReason({ waiting, sending, looking }: AllocationDraft['outcomes']): string {
  const unknown = sending + looking;
  const left = waiting === 0 ? [] : [`${formatCount(waiting, 'was', 'were')} not sent`];
  const lost = unknown === 0 ? [] : [`the outcome of ${unknown} is unknown: look it up, or resume the draft`];
  return `Canceled; ${[...left, ...lost].join('; ')}.`;
}

/** Returns a sentence that counts a draft's changes by outcome. */
function draftSummary({ outcomes }: AllocationDraft): string {
  const words = {
    applied: 'applied',
    refused: 'refused',
    moved: 'not sent because the quantity had changed',
    not_applied: 'not applied',
    undecided: 'with an unknown outcome',
  } as const;
  const parts = Object.entries(words).map(
    ([outcome, word]) => [outcomes[outcome as keyof typeof words], word] as const,
  );
  return `${parts
    .filter(([count], at) => count > 0 || at === 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')}.`;
}

function sendCommandToOtherProcess(
  tools: AllocationContext,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  what: JobCommand,
): AllocationDraft {
  storeJobCommand(tools.home, site, draft.job as string, what);
  return requireShownDraft(open, site, draft.id);
}

function requireShownDraft({ books }: OpenSite, site: string, id: string): AllocationDraft {
  return draftOf(books, site, id) as AllocationDraft;
}

function alreadySentError({ title, state }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${title}” is ${state}; a draft can be sent only once.`,
    hint: 'Resume it, or create a new draft of the changes that were not applied.',
    retryable: false,
  };
}

function draftChangedError({ title }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${title}” has changed since it was shown, because it was checked again.`,
    hint: 'Review it again, then confirm it.',
    retryable: false,
  };
}

function nothingToSendError({ title }: StoredDraft): ErrorValue {
  return {
    code: 'validation',
    message: `“${title}” has no change that can be sent.`,
    hint: 'Each row shows the reason. Check the draft again, or create a new one.',
    retryable: false,
  };
}

function otherDraftRunningError(site: string, live: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${live.title}” is ${live.state} on ${site}; only one draft can be sent at a time.`,
    hint: 'Resume or cancel it first.',
    retryable: true,
    detail: { draft: live.id },
  };
}

function notResumableError({ title, state }: StoredDraft): ErrorValue {
  return {
    code: 'conflict',
    message: state === 'draft' ? `“${title}” has not been sent yet.` : `“${title}” is ${state}.`,
    hint: state === 'draft' ? 'Confirm it to send it.' : 'There is nothing to resume or to cancel.',
    retryable: false,
  };
}

function sendingStoppedError(reason: string): ErrorValue {
  return {
    code: 'service',
    message: reason,
    hint: 'Review the failed changes, then resume the draft. Changes that were not sent are still waiting.',
    retryable: false,
  };
}
