import {
  type AllocationDraft,
  type ContractInputs,
  createContractError,
  createNonRetryableError,
  type ErrorValue,
  type Job,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { type JobCommand, storeJobCommand } from '../jobs/job-commands.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  findActiveAllocationDraft,
  findAllocationDraft,
  findUndecidedChangeInOtherDraft,
  type StoredAllocationDraft,
  saveAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import { saveJob } from '../store/jobs/job.ts';
import { findStoredReplayJob } from '../store/replay/replay-figures.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import type { AllocationContext } from './allocation-context.ts';
import { addDraftAuditEntry, openAllocationDraft, requireDisplayedDraft } from './allocation-drafts.ts';
import type { AllocationSendingResult } from './allocation-sending-engine.ts';
import { runAllocationSendingJob } from './allocation-sending-job.ts';

interface DraftSending {
  context: AllocationContext;
  open: OpenSite;
  draft: StoredAllocationDraft;
}

/**
 * Sends a draft in the version shown to the user. Throws `conflict` if the draft was already sent or has changed since,
 * if another draft is being sent, or if an earlier change of a component is undecided. Throws `validation` if no change
 * can be sent.
 */
export function sendAllocationDraft(
  context: AllocationContext,
  input: ContractInputs['allocations']['send'],
): AllocationDraft {
  const { sha256, stop_after = 5 } = input;
  const { open, draft } = openAllocationDraft(context, input);
  const { id: subject, title } = draft;
  if (draft.state !== 'draft') throw alreadySentError(draft);
  if (draft.sha256 !== sha256) throw draftChangedError(draft);
  const { ready, upgrades, downgrades } = requireDisplayedDraft(open, draft.id);
  if (ready === 0) throw nothingToSendError(draft);
  requireSendable(open, draft.id);
  const sent = { ...draft, stop_after, sent_at: context.now() };
  return startSendingJob({ context, open, draft: sent }, (job) => {
    const detail = { title, changes: ready, upgrades, downgrades, sha256, job };
    addDraftAuditEntry(context, open, { action: 'allocations.send', subject, detail });
  });
}

/** Resumes sending a draft. Changes with an unknown outcome are looked up first. */
export function resumeAllocationDraft(
  context: AllocationContext,
  input: ContractInputs['allocations']['resume'],
): AllocationDraft {
  const { open, draft } = openAllocationDraft(context, input);
  const { id: subject, job, state } = draft;
  if (job === null || state === 'done') throw notResumableError(draft);
  const audit = () =>
    addDraftAuditEntry(context, open, { action: 'allocations.resume', subject, detail: {} });
  if (context.jobs.sendCommand(input.site, job, 'resume')) {
    audit();
    saveAllocationDraft(open.books, { ...draft, state: 'running', reason: null });
    return requireDisplayedDraft(open, draft.id);
  }
  if (state === 'running') return sendCommandToOtherProcess({ context, open, draft }, 'resume');
  requireSendable(open, draft.id);
  return startSendingJob({ context, open, draft: { ...draft, ended_at: null } }, audit, job);
}

/** Pauses sending a draft. A running request is completed. */
export function pauseAllocationDraft(
  context: AllocationContext,
  input: ContractInputs['allocations']['pause'],
): AllocationDraft {
  const { open, draft } = openAllocationDraft(context, input);
  const { id: subject, job, state } = draft;
  if (state === 'paused') return requireDisplayedDraft(open, draft.id);
  if (state !== 'running' || job === null) throw notResumableError(draft);
  addDraftAuditEntry(context, open, { action: 'allocations.pause', subject, detail: {} });
  if (!context.jobs.sendCommand(input.site, job, 'pause'))
    return sendCommandToOtherProcess({ context, open, draft }, 'pause');
  const { draft: latest } = openAllocationDraft(context, input);
  saveAllocationDraft(open.books, { ...latest, state: 'paused', reason: 'Paused.' });
  context.changes.emit(input.site, 'allocations');
  return requireDisplayedDraft(open, draft.id);
}

/** Cancels sending a draft within a second. Changes that were not sent can be sent later by resuming the draft. */
export async function cancelAllocationDraft(
  context: AllocationContext,
  input: ContractInputs['allocations']['cancel'],
): Promise<AllocationDraft> {
  const { open, draft } = openAllocationDraft(context, input);
  const { id: subject, job, state } = draft;
  if (job === null) throw notResumableError(draft);
  addDraftAuditEntry(context, open, { action: 'allocations.cancel', subject, detail: {} });
  const cancellation = context.jobs.cancel(input.site, job);
  if (cancellation !== null) await cancellation;
  else if (state === 'running') return sendCommandToOtherProcess({ context, open, draft }, 'cancel');
  else if (state !== 'done' && state !== 'canceled') {
    const storedJob = findStoredReplayJob(open.books, job);
    const canceled = { state: 'canceled', ended_at: context.now() } as const;
    runInTransaction(open.books, () => {
      saveAllocationDraft(open.books, { ...draft, ...canceled, reason: null });
      if (storedJob !== null) saveJob(open.books, { ...storedJob, ...canceled });
    });
    context.changes.emit(input.site, 'allocations', 'jobs');
  }
  return requireDisplayedDraft(open, draft.id);
}

function requireSendable({ file, books }: OpenSite, id: string): void {
  const live = findActiveAllocationDraft(books);
  if (live !== null && live.id !== id) throw createContractError(otherDraftRunningError(file.site, live));
  const undecided = findUndecidedChangeInOtherDraft(books, id);
  if (undecided === null) return;
  const { component_id, subscription_id, draft } = undecided;
  throw createNonRetryableError(
    'conflict',
    `A change of component ${component_id} on subscription ${subscription_id} has been sent, but its outcome is still unknown.`,
    `Decide it first in “${findAllocationDraft(books, draft)?.title ?? draft}”. Otherwise the same change could be made twice.`,
    { draft, subscription_id, component_id },
  );
}

/** Starts a job that sends a draft. `prepare` runs in the transaction that saves the draft's first status. */
function startSendingJob(
  sending: DraftSending,
  prepare: (job: string) => void,
  id?: string,
): AllocationDraft {
  const { context, open, draft } = sending;
  const { site } = open.file;
  let result: AllocationSendingResult | null = null;
  const job: Job = context.jobs.start({
    site,
    kind: 'allocations',
    noun: 'an allocation change',
    books: open.books,
    ...(id === undefined ? {} : { id }),
    async run(handle) {
      result = await runAllocationSendingJob(context, open, handle, draft);
      if (handle.signal.aborted) throw handle.signal.reason;
      if (result.state === 'stopped') throw sendingStoppedError(result.reason);
      return summarizeOutcomes(requireDisplayedDraft(open, draft.id));
    },
    ended: (state, error) => {
      const stopReason = result?.state === 'stopped' ? result.reason : null;
      endDraft(sending, state, stopReason, error);
    },
  });
  try {
    runInTransaction(open.books, () => {
      saveAllocationDraft(open.books, { ...draft, state: 'running', reason: null, job: job.id });
      prepare(job.id);
    });
  } catch (error) {
    void context.jobs.cancel(site, job.id);
    throw error;
  }
  context.changes.emit(site, 'allocations', 'audit');
  return requireDisplayedDraft(open, draft.id);
}

/** Saves the final status of a draft whose job has ended. `stopReason` is null unless too many changes failed. */
function endDraft(
  { context, open, draft: { id } }: DraftSending,
  state: Job['state'],
  stopReason: string | null,
  error: ErrorValue | null,
): void {
  const draft = findAllocationDraft(open.books, id);
  if (draft === null || draft.job === null) return;
  const ended_at = context.now();
  const end = (change: Pick<StoredAllocationDraft, 'state' | 'reason'>) =>
    saveAllocationDraft(open.books, { ...draft, ended_at, ...change });
  const { outcomes } = requireDisplayedDraft(open, id);
  const isComplete = outcomes.waiting + outcomes.sending + outcomes.verifying === 0;
  if (stopReason !== null) end({ state: 'stopped', reason: stopReason });
  else if (isComplete) end({ state: 'done', reason: null });
  else if (state === 'canceled') end({ state: 'canceled', reason: cancelReason(outcomes) });
  else if (state === 'interrupted')
    end({ state: draft.state === 'paused' ? 'paused' : 'interrupted', reason: null });
  else end({ state: 'stopped', reason: error?.message ?? null });
  context.changes.emit(open.file.site, 'allocations', 'statements', 'audit');
}

function cancelReason({ waiting, sending, verifying }: AllocationDraft['outcomes']): string {
  const unknown = sending + verifying;
  const unsent = waiting === 0 ? [] : [`${formatCount(waiting, 'was', 'were')} not sent`];
  const lost = unknown === 0 ? [] : [`the outcome of ${unknown} is unknown: look it up, or resume the draft`];
  return `Canceled; ${[...unsent, ...lost].join('; ')}.`;
}

/** Returns a sentence that counts a draft's changes by outcome. */
function summarizeOutcomes({ outcomes }: AllocationDraft): string {
  const counts = [
    [outcomes.applied, 'applied'],
    [outcomes.refused, 'refused'],
    [outcomes.quantity_changed, 'not sent because the quantity had changed'],
    [outcomes.not_applied, 'not applied'],
    [outcomes.undecided, 'with an unknown outcome'],
  ] as const;
  const parts = counts.filter(([count], at) => count > 0 || at === 0);
  return `${parts.map((part) => part.join(' ')).join(', ')}.`;
}

function sendCommandToOtherProcess(
  { context, open, draft }: DraftSending,
  command: JobCommand,
): AllocationDraft {
  storeJobCommand(context.home, open.file.site, draft.job as string, command);
  return requireDisplayedDraft(open, draft.id);
}

function alreadySentError({ title, state }: StoredAllocationDraft): Error {
  return createNonRetryableError(
    'conflict',
    `“${title}” is ${state}; a draft can be sent only once.`,
    'Resume it, or create a new draft of the changes that were not applied.',
  );
}

function draftChangedError({ title }: StoredAllocationDraft): Error {
  return createNonRetryableError(
    'conflict',
    `“${title}” has changed since it was shown, because it was checked again.`,
    'Review it again, then confirm it.',
  );
}

function nothingToSendError({ title }: StoredAllocationDraft): Error {
  return createNonRetryableError(
    'validation',
    `“${title}” has no change that can be sent.`,
    'Each row shows the reason. Check the draft again, or create a new one.',
  );
}

function otherDraftRunningError(site: string, live: StoredAllocationDraft): ErrorValue {
  return {
    code: 'conflict',
    message: `“${live.title}” is ${live.state} on ${site}; only one draft can be sent at a time.`,
    hint: 'Resume or cancel it first.',
    retryable: true,
    detail: { draft: live.id },
  };
}

function notResumableError({ title, state }: StoredAllocationDraft): Error {
  return createNonRetryableError(
    'conflict',
    state === 'draft' ? `“${title}” has not been sent yet.` : `“${title}” is ${state}.`,
    state === 'draft' ? 'Confirm it to send it.' : 'There is nothing to resume or to cancel.',
  );
}

function sendingStoppedError(reason: string): Error {
  return createNonRetryableError(
    'service',
    reason,
    'Review the failed changes, then resume the draft. Changes that were not sent are still waiting.',
  );
}
