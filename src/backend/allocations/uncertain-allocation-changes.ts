import { type AllocationChange, type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import { lookUpSentAllocationChange } from '../../domain/allocations/index.ts';
import { requireRecord } from '../shared/require-record.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  findAllocationChange,
  findAllocationDraft,
  type StoredAllocationChange,
  type StoredAllocationDraft,
  saveAllocationChange,
  saveAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import { getAllocationDraft, toAllocationChange } from '../store/allocations/allocation-draft-list.ts';
import {
  type JournaledChange,
  listRequestsForAllocationChange,
  type StoredAllocationRequest,
  saveAllocationRequest,
} from '../store/allocations/allocation-request.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationDraft } from './allocation-drafts.ts';
import { AllocationHistories } from './allocation-histories.ts';
import { MAX_ALLOCATION_REQUEST_MS, toComponentKey } from './allocation-sending-engine.ts';
import {
  AllocationJournal,
  auditAppliedAllocationChange,
  isUnresolvedChange,
} from './allocation-sending-journal.ts';

type AllocationChangeRef = ContractInputs['allocations']['look'];

/** Records a person's decision on whether a change was applied. Throws `conflict` if the outcome is known. */
export function decideUncertainChange(
  context: AllocationContext,
  input: ContractInputs['allocations']['decide'],
): AllocationChange {
  const { open, change } = requireUndecided(context, input);
  const { books } = open;
  const { as: outcome, reason } = input;
  const resolved_by = 'user' as const;
  const request = listRequestsForAllocationChange(books, change).at(-1);
  runInTransaction(books, () => {
    saveAllocationChange(books, { ...change, outcome, resolved_by, resolved_at: context.now() });
    if (request !== undefined)
      saveAllocationRequest(books, { ...request, state: outcome, ended_at: context.now() });
    const action = outcome === 'applied' ? 'allocations.mark-applied' : 'allocations.mark-not-applied';
    const detail = { resolved_by, verdict: change.evidence?.verdict ?? null };
    auditAppliedAllocationChange(books, context, change, { detail, action, reason });
  });
  return closeFinishedDraft(context, open, input);
}

/** Marks a draft as done if no change is left to send or to look up. Returns the change. */
function closeFinishedDraft(
  { changes }: AllocationContext,
  { books, cache }: OpenSite,
  { site, draft: id, ordinal }: AllocationChangeRef,
): AllocationChange {
  const outcomes = getAllocationDraft(books, site, id)?.outcomes;
  const draft = findAllocationDraft(books, id);
  const isComplete = outcomes && outcomes.waiting + outcomes.sending + outcomes.verifying === 0;
  if (draft !== null && isComplete && draft.state !== 'running' && draft.state !== 'paused')
    saveAllocationDraft(books, { ...draft, state: 'done', reason: null });
  changes.emit(site, 'allocations', 'audit');
  return toAllocationChange(books, cache, findAllocationChange(books, id, ordinal) as StoredAllocationChange);
}

/** Looks up a change with an unknown outcome in the service's history again. Throws the service's errors. */
export async function lookUpUncertainChange(
  context: AllocationContext,
  input: AllocationChangeRef,
  signal = new AbortController().signal,
): Promise<AllocationChange> {
  const { open, change, draft } = requireUndecided(context, input);
  const [request, sent] = requireLastRequest(open, change);
  const { now, user } = context;
  const client = createSiteConnection(context, open, { signal });
  try {
    const job = draft.job ?? draft.id;
    const histories = new AllocationHistories({ open, client, now, job, source: 'user', signal });
    const answer = await histories.read(toComponentKey(change));
    const journal = new AllocationJournal({ open, draft, user, now });
    if (answer.is === 'stored') {
      const { history } = answer;
      const result = lookUpSentAllocationChange(sent.sought, sent.before, history);
      const postedMs = now() - (request.doubted_at ?? request.posted_at);
      const isOver = postedMs >= MAX_ALLOCATION_REQUEST_MS * context.delayScale;
      if (result.is === 'applied') histories.markChanged(request.subscription_id);
      const ifAbsent = isOver ? 'not_applied' : 'look_up_again';
      journal.recordLookup({ request, sent, history, result, ifAbsent });
    } else journal.markUndecided(request, sent, 'The history cannot be read at the moment.');
  } finally {
    await client.close();
  }
  return closeFinishedDraft(context, open, input);
}

function requireLastRequest(
  { books }: OpenSite,
  change: StoredAllocationChange,
): [StoredAllocationRequest, JournaledChange] {
  const request = listRequestsForAllocationChange(books, change).at(-1);
  const sent = request?.sent.find(({ ordinal }) => ordinal === change.ordinal);
  if (request === undefined || sent === undefined) throw notUndecidedError(change);
  return [request, sent];
}

function requireUndecided(
  context: AllocationContext,
  ref: AllocationChangeRef,
): { open: OpenSite; draft: StoredAllocationDraft; change: StoredAllocationChange } {
  const { open, draft } = openAllocationDraft(context, ref);
  const stored = findAllocationChange(open.books, draft.id, ref.ordinal);
  const change = requireRecord(stored, `change ${ref.ordinal + 1}`, 'See the list of the draft’s changes.');
  const isSending = draft.state === 'running' || draft.state === 'paused';
  if (change.outcome === 'undecided' || (!isSending && isUnresolvedChange(change)))
    return { open, draft, change };
  throw notUndecidedError(change);
}

function notUndecidedError({ outcome, component_id, subscription_id }: StoredAllocationChange): Error {
  return createNonRetryableError(
    'conflict',
    `The change of component ${component_id} on subscription ${subscription_id} is ${outcome.replace('_', ' ')}; there is nothing to decide.`,
    'Only changes with an unknown outcome can be decided manually.',
  );
}
