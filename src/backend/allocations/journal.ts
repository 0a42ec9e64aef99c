import type { AllocationChange, ChangeEvidence, ErrorValue } from '../../contract/index.ts';
import { type History, sightOf, type Verdict } from '../../domain/allocations/index.ts';
import type { OpenSite } from '../sites/stores.ts';
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
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';

export type Applied = NonNullable<AllocationChange['applied']>;

/**
 * The journal of a draft that is sent, in books.db: a request stands there, with what the histories showed, before it leaves;
 * and what became of each change stands there, with its entry in the audit log, before the next one is thought of.
 */
export interface Journal {
  /** The changes that leave in the next request: none of these subscriptions. Empty where nothing waits. */
  next(busy: readonly number[]): StoredChange[];
  begin(changes: readonly StoredChange[], sent: Sent[]): StoredRequest;
  /** The service said that it was carried out; `applied` as it recorded each, null where that could not be read. */
  applied(request: StoredRequest, applied: readonly (Applied | null)[]): void;
  /** The service refuses it. */
  refused(request: StoredRequest, error: ErrorValue): void;
  /** It was certainly not carried out: its changes wait again. */
  undone(request: StoredRequest, error: string): void;
  /** Whether it was carried out is not known. */
  doubt(request: StoredRequest, error: string | null): StoredRequest;
  /** As the service recorded a change whose answer could not be read. */
  recorded(ordinal: number, applied: Applied): void;
  /** The requests of which that is not known, from this run and from earlier ones. */
  doubtful(): StoredRequest[];
  /** The changes of a request that are still looked for. */
  sought(request: StoredRequest): { change: StoredChange; sent: Sent }[];
  /** What the history told of a change whose answer was lost. `again`: it is absent for certain, and may be sent again. */
  found(request: StoredRequest, sent: Sent, history: History, verdict: Verdict, decide: Decision): void;
  /** It cannot be found out. */
  unreadable(request: StoredRequest, sent: Sent, verdict: string): void;
  /** A change that is not sent. */
  left(change: StoredChange, outcome: 'moved' | 'refused' | 'not_applied', error: ErrorValue): void;
  timesSent(change: StoredChange): number;
}

/** What an absent change becomes: looked for again, sent again, or given up. */
export type Decision = 'look' | 'again' | 'not_applied';

export interface JournalOptions {
  open: OpenSite;
  draft: Pick<StoredDraft, 'id' | 'together'>;
  user: string;
  now: () => number;
}

export function openJournal({ open: { books }, draft, user, now }: JournalOptions): Journal {
  const changesOf = ({ sent }: StoredRequest): StoredChange[] =>
    sent.map(({ ordinal }) => storedChange(books, draft.id, ordinal) as StoredChange);
  const set = (change: StoredChange, known: Partial<StoredChange>) =>
    saveChange(books, { ...change, ...known });

  /** A request is done with when none of its changes is looked for. */
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
    how: StoredChange['how'],
    applied: Applied | null,
    evidence?: ChangeEvidence,
  ): void {
    set(change, {
      outcome: 'applied',
      how,
      applied,
      resolved_at: now(),
      error: null,
      ...(evidence && { evidence }),
    });
    auditChange(books, { user, now }, change, { how, recorded_at: applied?.timestamp ?? null });
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
          apply(change, 'answered', applied[at] ?? null);
        saveRequest(books, { ...request, state: 'applied', ended_at: now() });
      });
    },

    refused(request, error) {
      commit(books, () => {
        for (const change of changesOf(request)) {
          set(change, { outcome: 'refused', how: 'answered', error, resolved_at: now() });
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
        if (verdict.is === 'applied') apply(change, 'found', plain(verdict.entry), evidence);
        else if (verdict.is === 'undecided')
          set(change, { outcome: 'undecided', evidence, resolved_at: now() });
        else if (decide === 'look') set(change, { outcome: 'looking', evidence });
        else if (decide === 'again') set(change, { outcome: 'waiting', evidence, request: null });
        else {
          const error = { code: 'service', message: verdict.text, retryable: true } as const;
          set(change, { outcome: 'not_applied', how: 'found', evidence, error, resolved_at: now() });
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

/** What was known before a change was sent, and what the history shows now. */
function evidenceOf(sent: Sent, history: History, verdict: Verdict): ChangeEvidence {
  return {
    before: shown(sent),
    after: sightOf(history, sent.sought),
    entries: verdict.entries.slice(0, 50).map(plain),
    verdict: verdict.text,
  };
}

function shown({ before: { service_at: _, ...sight } }: Sent): ChangeEvidence['before'] {
  return sight;
}

/** An entry of a history without what only this part knows of it. */
export function plain(entry: Applied & { at?: number }): Applied {
  const { at: _, ...rest } = entry;
  return rest;
}

/** The audit log has each change that was carried out: what it was, from what, to what. */
export function auditChange(
  books: OpenSite['books'],
  { user, now }: Pick<JournalOptions, 'user' | 'now'>,
  change: StoredChange,
  detail: Record<string, unknown>,
  action = 'allocations.change',
  why?: string,
): void {
  addAudit(books, {
    at: now(),
    who: user,
    action,
    subject: `component ${change.component_id} on subscription ${change.subscription_id}`,
    ...(why === undefined ? {} : { why }),
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
