import type { AllocationChange, AllocationChangeEvidence, ErrorValue } from '../../contract/index.ts';
import {
  type AllocationChangeLookupResult,
  type AllocationHistory,
  summarizeAllocationHistory,
} from '../../domain/allocations/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  findAllocationChange,
  findNextAllocationChange,
  listChangesInSameRequest,
  type StoredAllocationChange,
  type StoredAllocationDraft,
  saveAllocationChange,
} from '../store/allocations/allocation-draft.ts';
import {
  type AllocationRequestState,
  findLastAllocationRequestNumber,
  type JournaledChange,
  listRequestsForAllocationChange,
  listUnresolvedAllocationRequests,
  type StoredAllocationRequest,
  saveAllocationRequest,
} from '../store/allocations/allocation-request.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';

export type AppliedAllocationChange = NonNullable<AllocationChange['applied']>;

/** Reason why a change was not sent. */
export type UnsentChangeOutcome = 'quantity_changed' | 'refused' | 'not_applied';

/** Decision about a change that the history does not show. */
export type AbsentChangeDecision = 'look_up_again' | 'send_again' | 'not_applied';

/** Result of looking up a change in the history after its response was lost. */
export interface AllocationChangeLookup {
  request: StoredAllocationRequest;
  sent: JournaledChange;
  history: AllocationHistory;
  result: AllocationChangeLookupResult;
  ifAbsent: AbsentChangeDecision;
}

export interface AllocationJournalOptions {
  open: OpenSite;
  draft: Pick<StoredAllocationDraft, 'id' | 'together'>;
  user: string;
  now: () => number;
}

/**
 * Journal of a draft in the books. Each request is written, with the state of the histories, before it is sent. Its
 * outcome and the audit entry are written before the next request.
 */
export class AllocationJournal {
  readonly #options: AllocationJournalOptions;
  readonly #books: OpenSite['books'];
  readonly #draft: string;

  constructor(options: AllocationJournalOptions) {
    this.#options = options;
    this.#books = options.open.books;
    this.#draft = options.draft.id;
  }

  /** Returns the changes of the next request, or an empty list. Changes of `busy` subscriptions are left out. */
  nextChanges(busy: readonly number[]): StoredAllocationChange[] {
    const first = findNextAllocationChange(this.#books, this.#draft, busy);
    if (first === null) return [];
    return this.#options.draft.together === 1 ? listChangesInSameRequest(this.#books, first) : [first];
  }

  /** Records a request before it is sent. */
  addRequest(changes: readonly StoredAllocationChange[], sent: JournaledChange[]): StoredAllocationRequest {
    const [first] = changes as [StoredAllocationChange];
    const request: StoredAllocationRequest = {
      draft: this.#draft,
      request: findLastAllocationRequestNumber(this.#books, this.#draft) + 1,
      subscription_id: first.subscription_id as number,
      sent,
      state: 'posting',
      posted_at: this.#options.now(),
      doubted_at: null,
      ended_at: null,
      error: null,
    };
    runInTransaction(this.#books, () => {
      saveAllocationRequest(this.#books, request);
      for (const change of changes) this.#update(change, { outcome: 'sending', request: request.request });
    });
    return request;
  }

  /**
   * Records that the service confirmed the request. `applied` has the allocation that the service recorded for each
   * change, or null if it could not be read.
   */
  markApplied(request: StoredAllocationRequest, applied: readonly (AppliedAllocationChange | null)[]): void {
    runInTransaction(this.#books, () => {
      for (const [at, change] of this.#changesOf(request).entries())
        this.#recordApplied(change, { resolved_by: 'response', applied: applied[at] ?? null });
      this.#endRequest(request, 'applied');
    });
  }

  /** Records that the service refused the request. */
  markRefused(request: StoredAllocationRequest, error: ErrorValue): void {
    runInTransaction(this.#books, () => {
      for (const change of this.#changesOf(request))
        this.#resolve(change, { outcome: 'refused', resolved_by: 'response', error });
      this.#endRequest({ ...request, error: error.message }, 'refused');
    });
  }

  /** Records that the service certainly did not execute the request. Its changes wait to be sent again. */
  markNotExecuted(request: StoredAllocationRequest, error: string): void {
    runInTransaction(this.#books, () => {
      for (const change of this.#changesOf(request))
        this.#update(change, { outcome: 'waiting', request: null });
      this.#endRequest({ ...request, error }, 'not_applied');
    });
  }

  /** Records that the outcome of the request is unknown. */
  markUncertain(request: StoredAllocationRequest, error: string | null): StoredAllocationRequest {
    const doubted_at = request.doubted_at ?? this.#options.now();
    const uncertain = { ...request, state: 'unknown' as const, doubted_at, error: error ?? request.error };
    runInTransaction(this.#books, () => {
      for (const change of this.#changesOf(request)) {
        if (change.outcome === 'sending') this.#update(change, { outcome: 'verifying' });
      }
      saveAllocationRequest(this.#books, uncertain);
    });
    return uncertain;
  }

  /** Records the allocation of an applied change, read from the history instead of the response. */
  saveApplied(ordinal: number, applied: AppliedAllocationChange): void {
    const change = this.#requireChange(ordinal);
    runInTransaction(this.#books, () => this.#update(change, { applied }));
  }

  /** Returns the requests with an unknown outcome, including those of earlier runs. */
  uncertainRequests(): StoredAllocationRequest[] {
    return listUnresolvedAllocationRequests(this.#books, this.#draft);
  }

  /** Returns a request's changes that still have to be looked up in the history. */
  unresolvedChanges(
    request: StoredAllocationRequest,
  ): { change: StoredAllocationChange; sent: JournaledChange }[] {
    return this.#changesOf(request).flatMap((change, at) =>
      isUnresolvedChange(change) ? [{ change, sent: request.sent[at] as JournaledChange }] : [],
    );
  }

  /** Records what the history shows about a change whose response was lost. */
  recordLookup({ request, sent, history, result, ifAbsent }: AllocationChangeLookup): void {
    const change = this.#requireChange(sent.ordinal);
    const evidence = toChangeEvidence(sent, history, result);
    runInTransaction(this.#books, () => {
      if (result.is === 'applied') {
        const applied = toAppliedAllocationChange(result.entry);
        this.#recordApplied(change, { resolved_by: 'history', applied, evidence });
      } else if (result.is === 'undecided') this.#resolve(change, { outcome: 'undecided', evidence });
      else if (ifAbsent === 'look_up_again') this.#update(change, { outcome: 'verifying', evidence });
      else if (ifAbsent === 'send_again')
        this.#update(change, { outcome: 'waiting', evidence, request: null });
      else {
        const error = { code: 'service', message: result.text, retryable: true } as const;
        this.#resolve(change, { outcome: 'not_applied', resolved_by: 'history', evidence, error });
      }
      this.#closeRequest(request);
    });
  }

  /** Records that the outcome of a change cannot be determined automatically. */
  markUndecided(request: StoredAllocationRequest, sent: JournaledChange, verdict: string): void {
    const change = this.#requireChange(sent.ordinal);
    const evidence = { before: toHistorySummary(sent), after: null, entries: [], verdict };
    runInTransaction(this.#books, () => {
      this.#resolve(change, { outcome: 'undecided', evidence });
      this.#closeRequest(request);
    });
  }

  markUnsent(change: StoredAllocationChange, outcome: UnsentChangeOutcome, error: ErrorValue): void {
    runInTransaction(this.#books, () => this.#resolve(change, { outcome, error }));
  }

  /** Returns the number of requests in which the change was sent. */
  countPosts(change: StoredAllocationChange): number {
    return listRequestsForAllocationChange(this.#books, change).length;
  }

  #requireChange(ordinal: number): StoredAllocationChange {
    return findAllocationChange(this.#books, this.#draft, ordinal) as StoredAllocationChange;
  }

  #changesOf({ sent }: StoredAllocationRequest): StoredAllocationChange[] {
    return sent.map(({ ordinal }) => this.#requireChange(ordinal));
  }

  #update(change: StoredAllocationChange, values: Partial<StoredAllocationChange>): void {
    saveAllocationChange(this.#books, { ...change, ...values });
  }

  #resolve(change: StoredAllocationChange, values: Partial<StoredAllocationChange>): void {
    this.#update(change, { ...values, resolved_at: this.#options.now() });
  }

  #recordApplied(
    change: StoredAllocationChange,
    values: Pick<StoredAllocationChange, 'resolved_by' | 'applied'> & { evidence?: AllocationChangeEvidence },
  ): void {
    this.#resolve(change, { ...values, outcome: 'applied', error: null });
    const { resolved_by, applied } = values;
    const detail = { resolved_by, recorded_at: applied?.timestamp ?? null };
    auditAppliedAllocationChange(this.#books, this.#options, change, { detail });
  }

  /** Saves the final state of a request if all its changes have an outcome. */
  #closeRequest(request: StoredAllocationRequest): void {
    const changes = this.#changesOf(request);
    if (changes.some(isUnresolvedChange)) return;
    const outcomes = changes.map(({ outcome }) => outcome);
    const state = (['undecided', 'applied'] as const).find((each) => outcomes.includes(each));
    this.#endRequest(request, state ?? 'not_applied');
  }

  #endRequest(request: StoredAllocationRequest, state: AllocationRequestState): void {
    saveAllocationRequest(this.#books, { ...request, state, ended_at: this.#options.now() });
  }
}

/** Returns true if a change was sent and its outcome has not been determined yet. */
export const isUnresolvedChange = ({ outcome }: StoredAllocationChange) =>
  outcome === 'verifying' || outcome === 'sending';

/** Returns evidence of a change's outcome: the history before the change was sent, and the current history. */
function toChangeEvidence(
  sent: JournaledChange,
  history: AllocationHistory,
  { entries, text }: AllocationChangeLookupResult,
): AllocationChangeEvidence {
  return {
    before: toHistorySummary(sent),
    after: summarizeAllocationHistory(history, sent.sought),
    entries: entries.slice(0, 50).map(toAppliedAllocationChange),
    verdict: text,
  };
}

function toHistorySummary({
  before: { service_at: _, ...summary },
}: JournaledChange): AllocationChangeEvidence['before'] {
  return summary;
}

/** Returns an allocation as shown to users, without internal fields. */
export function toAppliedAllocationChange({
  at: _,
  ...applied
}: AppliedAllocationChange & { at?: number }): AppliedAllocationChange {
  return applied;
}

/** Adds an applied change to the audit log, with the quantities before and after the change. */
export function auditAppliedAllocationChange(
  books: OpenSite['books'],
  { user, now }: Pick<AllocationJournalOptions, 'user' | 'now'>,
  change: StoredAllocationChange,
  entry: { detail: Record<string, unknown>; action?: string; reason?: string | null },
): void {
  const { draft, ordinal, current_quantity: from, quantity: to, memo } = change;
  addAuditEntry(books, {
    at: now(),
    user,
    action: 'allocations.change',
    subject: `component ${change.component_id} on subscription ${change.subscription_id}`,
    ...entry,
    detail: { draft, ordinal, from, to, memo, ...entry.detail },
  });
}
