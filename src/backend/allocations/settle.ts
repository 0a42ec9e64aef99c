import { type AllocationChange, contractError, type ErrorValue, type Inputs } from '../../contract/index.ts';
import { lookUp } from '../../domain/allocations/index.ts';
import { connectSite } from '../sites/connection.ts';
import type { OpenSite } from '../sites/stores.ts';
import {
  type StoredChange,
  type StoredDraft,
  saveChange,
  saveDraft,
  storedChange,
  storedDraft,
} from '../store/allocations/allocation-draft.ts';
import { draftOf, shownChange } from '../store/allocations/allocation-draft-list.ts';
import {
  requestsOf,
  type Sent,
  type StoredRequest,
  saveRequest,
} from '../store/allocations/allocation-request.ts';
import { commit } from '../store/database.ts';
import { createTally } from '../sync/tally.ts';
import { wantedDraft } from './draft.ts';
import { WINDOW_MS } from './engine.ts';
import { openHistories } from './histories.ts';
import { auditChange, openJournal } from './journal.ts';
import type { AllocationTools } from './tools.ts';

type Place = Inputs['allocations']['look'];

/** What a person found out of a change that could not be decided. Throws `conflict` where it is decided, or being sent. */
export function decideChange(
  tools: AllocationTools,
  input: Inputs['allocations']['decide'],
): AllocationChange {
  const { open, change } = undecided(tools, input);
  const { books, cache } = open;
  const how = 'marked' as const;
  const request = requestsOf(books, change).at(-1);
  commit(books, () => {
    saveChange(books, { ...change, outcome: input.as, how, resolved_at: tools.now() });
    if (request !== undefined) saveRequest(books, { ...request, state: input.as, ended_at: tools.now() });
    const action = input.as === 'applied' ? 'allocations.mark-applied' : 'allocations.mark-not-applied';
    auditChange(books, tools, change, { how, verdict: change.evidence?.verdict ?? null }, action, input.why);
  });
  closeWhole(tools, open, input);
  return shownChange(books, cache, storedChange(books, input.draft, input.ordinal) as StoredChange);
}

/** A draft of which nothing is left to be sent or looked up is done. */
function closeWhole(tools: AllocationTools, { books }: OpenSite, { site, draft: id }: Place): void {
  const shown = draftOf(books, site, id);
  const draft = storedDraft(books, id);
  const left = shown === null ? 1 : shown.outcomes.waiting + shown.outcomes.sending + shown.outcomes.looking;
  if (draft !== null && left === 0 && draft.state !== 'running' && draft.state !== 'paused') {
    saveDraft(books, { ...draft, state: 'done', reason: null });
  }
  tools.changes.tell(site, 'allocations', 'audit');
}

/** Looks a change that could not be decided up in the history again. Throws what asking the service throws. */
export async function lookAgain(
  tools: AllocationTools,
  input: Place,
  signal = new AbortController().signal,
): Promise<AllocationChange> {
  const { open, change, draft } = undecided(tools, input);
  const { books, cache } = open;
  const [request, sent] = lastSent(open, change);
  const client = connectSite(tools, open, { signal });
  const { now } = tools;
  try {
    const job = draft.job ?? draft.id;
    const histories = openHistories({ open, client, tally: createTally(), now, job, source: 'user', signal });
    const pair = {
      subscription_id: change.subscription_id as number,
      component_id: change.component_id as number,
    };
    const told = await histories.read(pair);
    const journal = openJournal({ open, draft, user: tools.user, now });
    if (told.is === 'held') {
      const verdict = lookUp(sent.sought, sent.before, told.history);
      const over = now() - (request.doubted_at ?? request.posted_at) >= WINDOW_MS * tools.waits;
      if (verdict.is === 'applied') histories.changed(request.subscription_id);
      journal.found(request, sent, told.history, verdict, over ? 'not_applied' : 'look');
    } else journal.unreadable(request, sent, 'The history cannot be read now.');
  } finally {
    await client.close();
  }
  closeWhole(tools, open, input);
  return shownChange(books, cache, storedChange(books, input.draft, input.ordinal) as StoredChange);
}

function lastSent({ books }: OpenSite, change: StoredChange): [StoredRequest, Sent] {
  const request = requestsOf(books, change).at(-1);
  const sent = request?.sent.find(({ ordinal }) => ordinal === change.ordinal);
  if (request === undefined || sent === undefined) throw contractError(notUndecided(change));
  return [request, sent];
}

function undecided(
  tools: AllocationTools,
  { site, draft: id, ordinal }: Place,
): { open: OpenSite; draft: StoredDraft; change: StoredChange } {
  const open = tools.stores.open(site);
  const draft = wantedDraft(open, site, id);
  const change = storedChange(open.books, id, ordinal);
  if (change === null) throw contractError(noSuchChange(draft, ordinal));
  if (change.outcome === 'undecided') return { open, draft, change };
  const live = draft.state === 'running' || draft.state === 'paused';
  if (!live && (change.outcome === 'looking' || change.outcome === 'sending')) return { open, draft, change };
  throw contractError(notUndecided(change));
}

function noSuchChange({ title }: StoredDraft, ordinal: number): ErrorValue {
  return {
    code: 'not_found',
    message: `“${title}” has no change ${ordinal + 1}.`,
    hint: 'See its changes for those there are.',
    retryable: false,
  };
}

function notUndecided({ outcome, component_id, subscription_id }: StoredChange): ErrorValue {
  return {
    code: 'conflict',
    message: `The change of component ${component_id} on subscription ${subscription_id} is ${outcome.replace('_', ' ')}; there is nothing to decide.`,
    hint: 'Only what could not be decided can be settled by hand.',
    retryable: false,
  };
}
