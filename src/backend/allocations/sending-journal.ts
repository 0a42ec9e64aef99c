import type { AllocationChange, ChangeEvidence, ErrorValue } from '../../contract/index.ts';
import {
  type AllocationHistory,
  type ChangeLookupResult,
  summarizeAllocationHistory,
} from '../../domain/allocations/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  changesBeside,
  nextChange,
  type StoredChange,
  type StoredDraft,
  saveChange,
  storedChange,
} from '../store/allocations/allocation-draft.ts';
import {
  lastRequest,
  openRequests,
  type RequestState,
  requestsOf,
  type Sent,
  type StoredRequest,
  saveRequest,
} from '../store/allocations/allocation-request.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';

export type AppliedChange = NonNullable<AllocationChange['applied']>;

/**
 * Journal of a draft in books.db. Each request is written, with the state of the histories, before it is sent. Its
 * outcome and the audit entry are written before the next request.
 */
export interface AllocationJournal {
  /**
   * Returns the changes of the next request, without those of `busy` subscriptions. Returns an empty list if no change
   * can be sent.
   */
  nextChanges(busy: readonly number[]): StoredChange[];
  addRequest(changes: readonly StoredChange[], sent: Sent[]): StoredRequest;
  /**
   * Records that the service confirmed the request. `applied` has the allocation that the service recorded for each
   * change, or null if it could not be read.
   */
  markApplied(request: StoredRequest, applied: readonly (AppliedChange | null)[]): void;
  /** Records that the service refused the request. */
  markRefused(request: StoredRequest, error: ErrorValue): void;
  /** Records that the service certainly did not execute the request. Its changes wait to be sent again. */
  markNotExecuted(request: StoredRequest, error: string): void;
  /** Records that the outcome of the request is unknown. */
  markUncertain(request: StoredRequest, error: string | null): StoredRequest;
  /** Records the allocation of an applied change, if it was read from the history instead of the answer. */
  saveApplied(ordinal: number, applied: AppliedChange): void;
  /** Returns the requests with an unknown outcome, including those of earlier runs. */
  uncertainRequests(): StoredRequest[];
  /** Returns a request's changes that still have to be looked up in the history. */
  unresolvedChanges(request: StoredRequest): { change: StoredChange; sent: Sent }[];
  /**
   * Records what the history shows about a change whose answer was lost. `decide` is what to do if the history does not
   * show the change.
   */
  recordLookup(
    request: StoredRequest,
    sent: Sent,
    history: AllocationHistory,
    verdict: ChangeLookupResult,
    decide: MissingChangeDecision,
  ): void;
  /** Records that the outcome of a change cannot be determined automatically. */
  markUndecided(request: StoredRequest, sent: Sent, verdict: string): void;
  /** Records why a change was not sent. */
  markUnsent(change: StoredChange, outcome: 'moved' | 'refused' | 'not_applied', error: ErrorValue): void;
  countPosts(change: StoredChange): number;
}

/**
 * What to do with a change that the history does not show: look it up again later, send it again, or record it as not
 * applied.
 */
export type MissingChangeDecision = 'look' | 'again' | 'not_applied';

export interface AllocationJournalOptions {
  open: OpenSite;
  draft: Pick<StoredDraft, 'id' | 'together'>;
  user: string;
  now: () => number;
}

export function openAllocationJournal({
  open: { books },
  draft,
  user,
  now,
}: AllocationJournalOptions): AllocationJournal {
  const changesOf = ({ sent }: StoredRequest): StoredChange[] =>
    sent.map(({ ordinal }) => storedChange(books, draft.id, ordinal) as StoredChange);
  const set = (change: StoredChange, known: Partial<StoredChange>) =>
    saveChange(books, { ...change, ...known });

  /** Saves the final state of a request if all its changes have an outcome. */
  function closeRequest(request: StoredRequest): void {
    const outcomes = changesOf(request).map(({ outcome }) => outcome);
    if (outcomes.some((outcome) => outcome === 'looking' || outcome === 'sending')) return;
    const state: RequestState = outcomes.includes('undecided')
      ? 'undecided'
      : outcomes.includes('applied')
        ? 'applied'
        : 'not_applied';
    saveRequest(books, { ...request, state, ended_at: now() });
  }

  function recordApplied(
    change: StoredChange,
    resolved_by: StoredChange['resolved_by'],
    applied: AppliedChange | null,
    evidence?: ChangeEvidence,
  ): void {
    set(change, {
      outcome: 'applied',
      resolved_by,
      applied,
      resolved_at: now(),
      error: null,
      ...(evidence && { evidence }),
    });
    auditAppliedChange(books, { user, now }, change, {
      resolved_by,
      recorded_at: applied?.timestamp ?? null,
    });
  }

  return {
    nextChanges(busy) {
      const first = nextChange(books, draft.id, busy);
      if (first === null) return [];
      return draft.together === 1 ? changesBeside(books, first) : [first];
    },

    addRequest(changes, sent) {
      const [first] = changes as [StoredChange];
      const request: StoredRequest = {
        draft: draft.id,
        request: lastRequest(books, draft.id) + 1,
        subscription_id: first.subscription_id as number,
        sent,
        state: 'posting',
        posted_at: now(),
        doubted_at: null,
        ended_at: null,
        error: null,
      };
      commit(books, () => {
        saveRequest(books, request);
        for (const change of changes) set(change, { outcome: 'sending', request: request.request });
      });
      return request;
    },

    markApplied(request, applied) {
      commit(books, () => {
        for (const [at, change] of changesOf(request).entries())
          recordApplied(change, 'response', applied[at] ?? null);
        saveRequest(books, { ...request, state: 'applied', ended_at: now() });
      });
    },

    markRefused(request, error) {
      commit(books, () => {
        for (const change of changesOf(request)) {
          set(change, { outcome: 'refused', resolved_by: 'response', error, resolved_at: now() });
        }
        saveRequest(books, { ...request, state: 'refused', ended_at: now(), error: error.message });
      });
    },

    markNotExecuted(request, error) {
      commit(books, () => {
        for (const change of changesOf(request)) set(change, { outcome: 'waiting', request: null });
        saveRequest(books, { ...request, state: 'not_applied', ended_at: now(), error });
      });
    },

    markUncertain(request, error) {
      const doubted_at = request.doubted_at ?? now();
      const doubtful = { ...request, state: 'unknown' as const, doubted_at, error: error ?? request.error };
      commit(books, () => {
        for (const change of changesOf(request)) {
          if (change.outcome === 'sending') set(change, { outcome: 'looking' });
        }
        saveRequest(books, doubtful);
      });
      return doubtful;
    },

    saveApplied(ordinal, applied) {
      const change = storedChange(books, draft.id, ordinal) as StoredChange;
      commit(books, () => set(change, { applied }));
    },

    uncertainRequests: () => openRequests(books, draft.id),

    unresolvedChanges: (request) =>
      changesOf(request).flatMap((change, at) =>
        change.outcome === 'looking' || change.outcome === 'sending'
          ? [{ change, sent: request.sent[at] as Sent }]
          : [],
      ),

    recordLookup(request, sent, history, verdict, decide) {
      const change = storedChange(books, draft.id, sent.ordinal) as StoredChange;
      const evidence = evidenceOf(sent, history, verdict);
      commit(books, () => {
        if (verdict.is === 'applied')
          recordApplied(change, 'history', toAppliedChange(verdict.entry), evidence);
        else if (verdict.is === 'undecided')
          set(change, { outcome: 'undecided', evidence, resolved_at: now() });
        else if (decide === 'look') set(change, { outcome: 'looking', evidence });
        else if (decide === 'again') set(change, { outcome: 'waiting', evidence, request: null });
        else {
          const error = { code: 'service', message: verdict.text, retryable: true } as const;
          set(change, {
            outcome: 'not_applied',
            resolved_by: 'history',
            evidence,
            error,
            resolved_at: now(),
          });
        }
        closeRequest(request);
      });
    },

    markUndecided(request, sent, verdict) {
      const change = storedChange(books, draft.id, sent.ordinal) as StoredChange;
      const evidence = { before: toShownState(sent), after: null, entries: [], verdict };
      commit(books, () => {
        set(change, { outcome: 'undecided', evidence, resolved_at: now() });
        closeRequest(request);
      });
    },

    markUnsent(change, outcome, error) {
      commit(books, () => set(change, { outcome, error, resolved_at: now() }));
    },

    countPosts: (change) => requestsOf(books, change).length,
  };
}

/** Returns evidence of a change's outcome: the state of the history before the change was sent, and the current state. */
function evidenceOf(sent: Sent, history: AllocationHistory, verdict: ChangeLookupResult): ChangeEvidence {
  return {
    before: toShownState(sent),
    after: summarizeAllocationHistory(history, sent.sought),
    entries: verdict.entries.slice(0, 50).map(toAppliedChange),
    verdict: verdict.text,
  };
}

function toShownState({ before: { service_at: _, ...state } }: Sent): ChangeEvidence['before'] {
  return state;
}

/** Returns a history entry without internal fields. */
export function toAppliedChange(entry: AppliedChange & { at?: number }): AppliedChange {
  const { at: _, ...rest } = entry;
  return rest;
}

/** Adds an applied change to the audit log, with its quantities before and after. */
export function auditAppliedChange(
  books: OpenSite['books'],
  { user, now }: Pick<AllocationJournalOptions, 'user' | 'now'>,
  change: StoredChange,
  detail: Record<string, unknown>,
  action = 'allocations.change',
  reason?: string,
): void {
  addAudit(books, {
    at: now(),
    user: user,
    action,
    subject: `component ${change.component_id} on subscription ${change.subscription_id}`,
    ...(reason === undefined ? {} : { reason }),
    detail: {
      draft: change.draft,
      ordinal: change.ordinal,
      from: change.current_quantity,
      to: change.quantity,
      memo: change.memo,
      ...detail,
    },
  });
}
