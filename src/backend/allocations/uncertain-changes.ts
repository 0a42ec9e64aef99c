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
import { createRunTally } from '../sync/shared/run-tally.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationHistories } from './allocation-histories.ts';
import { requireAllocationDraft } from './drafts.ts';
import { MAX_ALLOCATION_REQUEST_MS } from './sending-engine.ts';
import { auditAppliedChange, openAllocationJournal } from './sending-journal.ts';

type ChangeRef = Inputs['allocations']['look'];

/**
 * Records a person's decision whether a change with an unknown outcome was applied. Throws `conflict` if the outcome is
 * known or the change is being sent.
 */
export function decideUncertainChange(
  tools: AllocationContext,
  input: Inputs['allocations']['decide'],
): AllocationChange {
  const { open, change } = requireUndecided(tools, input);
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
  closeFinishedDraft(tools, open, input);
  return shownChange(books, cache, storedChange(books, input.draft, input.ordinal) as StoredChange);
}

/** Marks a draft as done if no change is left to send or to look up. */
function closeFinishedDraft(
  tools: AllocationContext,
  { books }: OpenSite,
  { site, draft: id }: ChangeRef,
): void {
  const shown = draftOf(books, site, id);
  const draft = storedDraft(books, id);
  const left = shown === null ? 1 : shown.outcomes.waiting + shown.outcomes.sending + shown.outcomes.looking;
  if (draft !== null && left === 0 && draft.state !== 'running' && draft.state !== 'paused') {
    saveDraft(books, { ...draft, state: 'done', reason: null });
  }
  tools.changes.emit(site, 'allocations', 'audit');
}

/** Looks up a change with an unknown outcome in the service's history again. Throws the service's errors. */
export async function lookUpUncertainChange(
  tools: AllocationContext,
  input: ChangeRef,
  signal = new AbortController().signal,
): Promise<AllocationChange> {
  const { open, change, draft } = requireUndecided(tools, input);
  const { books, cache } = open;
  const [request, sent] = findLastRequest(open, change);
  const client = createSiteConnection(tools, open, { signal });
  const { now } = tools;
  try {
    const job = draft.job ?? draft.id;
    const histories = openAllocationHistories({
      open,
      client,
      tally: createRunTally(),
      now,
      job,
      source: 'user',
      signal,
    });
    const component = {
      subscription_id: change.subscription_id as number,
      component_id: change.component_id as number,
    };
    const answer = await histories.read(component);
    const journal = openAllocationJournal({ open, draft, user: tools.user, now });
    if (answer.is === 'stored') {
      const verdict = lookUpSentChange(sent.sought, sent.before, answer.history);
      const over =
        now() - (request.doubted_at ?? request.posted_at) >= MAX_ALLOCATION_REQUEST_MS * tools.waits;
      if (verdict.is === 'applied') histories.markChanged(request.subscription_id);
      journal.recordLookup(request, sent, answer.history, verdict, over ? 'not_applied' : 'look');
    } else journal.markUndecided(request, sent, 'The history cannot be read at the moment.');
  } finally {
    await client.close();
  }
  closeFinishedDraft(tools, open, input);
  return shownChange(books, cache, storedChange(books, input.draft, input.ordinal) as StoredChange);
}

function findLastRequest({ books }: OpenSite, change: StoredChange): [StoredRequest, Sent] {
  const request = requestsOf(books, change).at(-1);
  const sent = request?.sent.find(({ ordinal }) => ordinal === change.ordinal);
  if (request === undefined || sent === undefined) throw contractError(notUndecidedError(change));
  return [request, sent];
}

function requireUndecided(
  tools: AllocationContext,
  { site, draft: id, ordinal }: ChangeRef,
): { open: OpenSite; draft: StoredDraft; change: StoredChange } {
  const open = tools.stores.open(site);
  const draft = requireAllocationDraft(open, site, id);
  const change = storedChange(open.books, id, ordinal);
  if (change === null) throw contractError(changeNotFoundError(draft, ordinal));
  if (change.outcome === 'undecided') return { open, draft, change };
  const live = draft.state === 'running' || draft.state === 'paused';
  if (!live && (change.outcome === 'looking' || change.outcome === 'sending')) return { open, draft, change };
  throw contractError(notUndecidedError(change));
}

function changeNotFoundError({ title }: StoredDraft, ordinal: number): ErrorValue {
  return {
    code: 'not_found',
    message: `“${title}” has no change ${ordinal + 1}.`,
    hint: 'See the list of its changes.',
    retryable: false,
  };
}

function notUndecidedError({ outcome, component_id, subscription_id }: StoredChange): ErrorValue {
  return {
    code: 'conflict',
    message: `The change of component ${component_id} on subscription ${subscription_id} is ${outcome.replace('_', ' ')}; there is nothing to decide.`,
    hint: 'Only changes with an unknown outcome can be decided manually.',
    retryable: false,
  };
}
