import type { AllocationChange, ChangeEvidence, ErrorValue } from '../../contract/index.ts';
import {
  type AllocationHistory,
  type ChangeLookupResult,
  summarizeHistory,
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
 * The journal of a draft in books.db. A request and the state of the histories are written before it leaves. Its outcome
 * and audit entry are written before the next request is considered.
 */
export interface AllocationJournal {
  /** Returns the changes of the next request, excluding `busy` subscriptions. Empty if nothing waits. */
  next(busy: readonly number[]): StoredChange[];
  begin(changes: readonly StoredChange[], sent: Sent[]): StoredRequest;
  /**
   * Records that the service confirmed the request. `applied` holds what it recorded for each change, null if that could
   * not be read.
   */
  applied(request: StoredRequest, applied: readonly (AppliedChange | null)[]): void;
  /** Records that the service refused the request. */
  refused(request: StoredRequest, error: ErrorValue): void;
  /** Records that the request was certainly not executed. Its changes wait again. */
  undone(request: StoredRequest, error: string): void;
  /** Records that the outcome of the request is unknown. */
  doubt(request: StoredRequest, error: string | null): StoredRequest;
  /** Records what the service recorded for a change whose answer could not be read. */
  recorded(ordinal: number, applied: AppliedChange): void;
  /** Returns the requests with unknown outcome, from this run and earlier ones. */
  doubtful(): StoredRequest[];
  /** Returns the changes of a request that are still looked up. */
  sought(request: StoredRequest): { change: StoredChange; sent: Sent }[];
  /**
   * Records what the history shows about a change whose answer was lost. `again` means that it was certainly not applied
   * and may be sent again.
   */
  found(
    request: StoredRequest,
    sent: Sent,
    history: AllocationHistory,
    verdict: ChangeLookupResult,
    decide: AbsentChangeDecision,
  ): void;
  /** Records that the outcome cannot be determined. */
  unreadable(request: StoredRequest, sent: Sent, verdict: string): void;
  /** Records a change that is not sent. */
  left(change: StoredChange, outcome: 'moved' | 'refused' | 'not_applied', error: ErrorValue): void;
  timesSent(change: StoredChange): number;
}

/** What to do with a change missing from the history: look it up again, send it again, or give up. */
export type AbsentChangeDecision = 'look' | 'again' | 'not_applied';

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

  /** Closes a request when none of its changes is looked up any more. */
  function settle(request: StoredRequest): void {
    const outcomes = changesOf(request).map(({ outcome }) => outcome);
    if (outcomes.some((outcome) => outcome === 'looking' || outcome === 'sending')) return;
    const state: RequestState = outcomes.includes('undecided')
      ? 'undecided'
      : outcomes.includes('applied')
        ? 'applied'
        : 'not_applied';
    saveRequest(books, { ...request, state, ended_at: now() });
  }

  function apply(
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
    next(busy) {
      const first = nextChange(books, draft.id, busy);
      if (first === null) return [];
      return draft.together === 1 ? changesBeside(books, first) : [first];
    },

    begin(changes, sent) {
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

    applied(request, applied) {
      commit(books, () => {
        for (const [at, change] of changesOf(request).entries())
          apply(change, 'response', applied[at] ?? null);
        saveRequest(books, { ...request, state: 'applied', ended_at: now() });
      });
    },

    refused(request, error) {
      commit(books, () => {
        for (const change of changesOf(request)) {
          set(change, { outcome: 'refused', resolved_by: 'response', error, resolved_at: now() });
        }
        saveRequest(books, { ...request, state: 'refused', ended_at: now(), error: error.message });
      });
    },

    undone(request, error) {
      commit(books, () => {
        for (const change of changesOf(request)) set(change, { outcome: 'waiting', request: null });
        saveRequest(books, { ...request, state: 'not_applied', ended_at: now(), error });
      });
    },

    doubt(request, error) {
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

    recorded(ordinal, applied) {
      const change = storedChange(books, draft.id, ordinal) as StoredChange;
      commit(books, () => set(change, { applied }));
    },

    doubtful: () => openRequests(books, draft.id),

    sought: (request) =>
      changesOf(request).flatMap((change, at) =>
        change.outcome === 'looking' || change.outcome === 'sending'
          ? [{ change, sent: request.sent[at] as Sent }]
          : [],
      ),

    found(request, sent, history, verdict, decide) {
      const change = storedChange(books, draft.id, sent.ordinal) as StoredChange;
      const evidence = evidenceOf(sent, history, verdict);
      commit(books, () => {
        if (verdict.is === 'applied') apply(change, 'history', toAppliedChange(verdict.entry), evidence);
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
        settle(request);
      });
    },

    unreadable(request, sent, verdict) {
      const change = storedChange(books, draft.id, sent.ordinal) as StoredChange;
      const evidence = { before: shown(sent), after: null, entries: [], verdict };
      commit(books, () => {
        set(change, { outcome: 'undecided', evidence, resolved_at: now() });
        settle(request);
      });
    },

    left(change, outcome, error) {
      commit(books, () => set(change, { outcome, error, resolved_at: now() }));
    },

    timesSent: (change) => requestsOf(books, change).length,
  };
}

/** Returns the state before a change was sent and what the history shows now. */
function evidenceOf(sent: Sent, history: AllocationHistory, verdict: ChangeLookupResult): ChangeEvidence {
  return {
    before: shown(sent),
    after: summarizeHistory(history, sent.sought),
    entries: verdict.entries.slice(0, 50).map(toAppliedChange),
    verdict: verdict.text,
  };
}

function shown({ before: { service_at: _, ...sight } }: Sent): ChangeEvidence['before'] {
  return sight;
}

/** Returns a history entry without this module's own fields. */
export function toAppliedChange(entry: AppliedChange & { at?: number }): AppliedChange {
  const { at: _, ...rest } = entry;
  return rest;
}

/** Adds an applied change to the audit log with its quantities before and after. */
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
