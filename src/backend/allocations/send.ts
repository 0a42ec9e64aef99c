import {
  type AllocationDraft,
  contractError,
  type ErrorValue,
  type Inputs,
  type Job,
} from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { type Wish, wish } from '../jobs/wishes.ts';
import type { OpenSite } from '../sites/stores.ts';
import {
  liveDraft,
  type StoredDraft,
  saveDraft,
  storedDraft,
  undecidedElsewhere,
} from '../store/allocations/allocation-draft.ts';
import { draftOf } from '../store/allocations/allocation-draft-list.ts';
import { saveJob } from '../store/books/job.ts';
import { commit } from '../store/database.ts';
import { writtenJob } from '../store/replay/replay-figures.ts';
import { note, wantedDraft } from './draft.ts';
import type { Ending } from './engine.ts';
import { performChanges } from './perform.ts';
import type { AllocationTools } from './tools.ts';

/**
 * Sends a draft as it was shown. Throws `conflict` where it is not a draft any more, was shown otherwise, another one is
 * underway, or a change of the same component is not decided yet; `validation` where nothing of it can be sent.
 */
export function sendDraft(tools: AllocationTools, input: Inputs['allocations']['send']): AllocationDraft {
  const { site, draft: id, sha256, stop_after = 5 } = input;
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
  if (draft.state !== 'draft') throw contractError(notADraft(draft));
  if (draft.sha256 !== sha256) throw contractError(shownOtherwise(draft));
  const shown = draftOf(open.books, site, id) as AllocationDraft;
  if (shown.ready === 0) throw contractError(nothingToSend(draft));
  mayBegin(open, site, id);
  return launch(tools, open, site, { ...draft, stop_after, sent_at: tools.now() }, (job) => {
    const { ready, upgrades, downgrades } = shown;
    note(tools, open, 'allocations.send', id, {
      title: draft.title,
      changes: ready,
      upgrades,
      downgrades,
      sha256,
      job,
    });
  });
}

/** Goes on with a draft that is paused or was stopped, interrupted or cancelled: what is not known is looked up first. */
export function resumeDraft(
  tools: AllocationTools,
  { site, draft: id }: Inputs['allocations']['resume'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
  if (draft.job === null || draft.state === 'done') throw contractError(cannotGoOn(draft));
  if (tools.jobs.tell(site, draft.job, 'resume')) {
    note(tools, open, 'allocations.resume', id, {});
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
    () => note(tools, open, 'allocations.resume', id, {}),
    draft.job,
  );
}

/** Sends nothing more until it is told to go on; a request that has left ends by itself. */
export function pauseDraft(
  tools: AllocationTools,
  { site, draft: id }: Inputs['allocations']['pause'],
): AllocationDraft {
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
  if (draft.state === 'paused') return shownDraft(open, site, id);
  if (draft.state !== 'running' || draft.job === null) throw contractError(cannotGoOn(draft));
  note(tools, open, 'allocations.pause', id, {});
  if (!tools.jobs.tell(site, draft.job, 'pause')) return askElsewhere(tools, open, site, draft, 'pause');
  saveDraft(open.books, { ...wantedDraft(open, site, id), state: 'paused', reason: 'Paused.' });
  tools.changes.tell(site, 'allocations');
  return shownDraft(open, site, id);
}

/** Ends it within a second; what is not sent waits, and can be gone on with. */
export async function cancelDraft(
  tools: AllocationTools,
  { site, draft: id }: Inputs['allocations']['cancel'],
): Promise<AllocationDraft> {
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
  if (draft.job === null) throw contractError(cannotGoOn(draft));
  note(tools, open, 'allocations.cancel', id, {});
  const here = tools.jobs.cancel(site, draft.job);
  if (here !== null) await here;
  else if (draft.state === 'running') return askElsewhere(tools, open, site, draft, 'cancel');
  else if (draft.state !== 'done' && draft.state !== 'cancelled') {
    const kept = writtenJob(open.books, draft.job);
    commit(open.books, () => {
      saveDraft(open.books, { ...draft, state: 'cancelled', reason: null, ended_at: tools.now() });
      if (kept !== null) saveJob(open.books, { ...kept, state: 'cancelled', ended_at: tools.now() });
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

/** Starts the job; what it begins from is written before anything runs. */
function launch(
  tools: AllocationTools,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  prepare: (job: string) => void,
  id?: string,
): AllocationDraft {
  let ending: Ending | null = null;
  const job: Job = tools.jobs.start({
    site,
    kind: 'allocations',
    what: 'a change of allocations',
    books: open.books,
    ...(id === undefined ? {} : { id }),
    async run(handle) {
      ending = await performChanges(tools, open, handle, draft);
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
  tools: AllocationTools,
  open: OpenSite,
  site: string,
  id: string,
  state: Job['state'],
  ending: Ending | null,
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
  else if (state === 'cancelled') end({ state: 'cancelled', reason: cancelReason(outcomes) });
  else if (state === 'interrupted')
    end({ state: draft.state === 'paused' ? 'paused' : 'interrupted', reason: null });
  else end({ state: 'stopped', reason: error?.message ?? null });
  tools.changes.tell(site, 'allocations', 'statements', 'audit');
}

function cancelReason({ waiting, sending, looking }: AllocationDraft['outcomes']): string {
  const unknown = sending + looking;
  const left = waiting === 0 ? [] : [`${counted(waiting, 'was', 'were')} not sent`];
  const lost =
    unknown === 0 ? [] : [`of ${unknown} on its way it is not known what became: look it up, or go on`];
  return `Cancelled; ${[...left, ...lost].join('; ')}.`;
}

/** What was done, in a sentence. */
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
  tools: AllocationTools,
  open: OpenSite,
  site: string,
  draft: StoredDraft,
  what: Wish,
): AllocationDraft {
  wish(tools.home, site, draft.job as string, what);
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
