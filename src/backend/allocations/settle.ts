import { type AllocationChange, contractError, type ErrorValue, type Inputs } from '../../contract/index.ts';
import { lookUpSentChange } from '../../domain/allocations/index.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
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
import { commit } from '../store/sqlite/connection.ts';
import { createTally } from '../sync/shared/tally.ts';
import { requireDraft } from './draft.ts';
import { MAX_REQUEST_MS } from './engine.ts';
import { openAllocationHistories } from './histories.ts';
import { auditAppliedChange, openAllocationJournal } from './journal.ts';
import type { AllocationContext } from './tools.ts';

type Place = Inputs['allocations']['look'];

/** Records a person's decision about a change with unknown outcome. Throws `conflict` if it is decided or being sent. */
export function decideUncertainChange(
  tools: AllocationContext,
  input: Inputs['allocations']['decide'],
): AllocationChange {
  const { open, change } = undecided(tools, input);
  const { books, cache } = open;
  const resolved_by = 'user' as const;
  const request = requestsOf(books, change).at(-1);
  commit(books, () => {
    saveChange(books, { ...change, outcome: input.as, resolved_by, resolved_at: tools.now() });
    if (request !== undefined) saveRequest(books, { ...request, state: input.as, ended_at: tools.now() });
    const action = input.as === 'applied' ? 'allocations.mark-applied' : 'allocations.mark-not-applied';
    auditAppliedChange(
      books,
      tools,
      change,
      { resolved_by, verdict: change.evidence?.verdict ?? null },
      action,
      input.reason,
    );
  });
  closeWhole(tools, open, input);
  return shownChange(books, cache, storedChange(books, input.draft, input.ordinal) as StoredChange);
}

/** Closes a draft when nothing is left to send or look up. */
function closeWhole(tools: AllocationContext, { books }: OpenSite, { site, draft: id }: Place): void {
  const shown = draftOf(books, site, id);
  const draft = storedDraft(books, id);
  const left = shown === null ? 1 : shown.outcomes.waiting + shown.outcomes.sending + shown.outcomes.looking;
  if (draft !== null && left === 0 && draft.state !== 'running' && draft.state !== 'paused') {
    saveDraft(books, { ...draft, state: 'done', reason: null });
  }
  tools.changes.tell(site, 'allocations', 'audit');
}

/** Looks up a change with unknown outcome in the history again. Throws the service's errors. */
export async function lookUpUncertainChange(
  tools: AllocationContext,
  input: Place,
  signal = new AbortController().signal,
): Promise<AllocationChange> {
  const { open, change, draft } = undecided(tools, input);
  const { books, cache } = open;
  const [request, sent] = lastSent(open, change);
  const client = createSiteConnection(tools, open, { signal });
  const { now } = tools;
  try {
    const job = draft.job ?? draft.id;
    const histories = openAllocationHistories({
      open,
      client,
      tally: createTally(),
      now,
      job,
      source: 'user',
      signal,
    });
    const component = {
      subscription_id: change.subscription_id as number,
      component_id: change.component_id as number,
    };
    const told = await histories.read(component);
    const journal = openAllocationJournal({ open, draft, user: tools.user, now });
    if (told.is === 'stored') {
      const verdict = lookUpSentChange(sent.sought, sent.before, told.history);
      const over = now() - (request.doubted_at ?? request.posted_at) >= MAX_REQUEST_MS * tools.waits;
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
  tools: AllocationContext,
  { site, draft: id, ordinal }: Place,
): { open: OpenSite; draft: StoredDraft; change: StoredChange } {
  const open = tools.stores.open(site);
  const draft = requireDraft(open, site, id);
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
