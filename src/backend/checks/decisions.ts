import { contractError, type ExceptionEntry, type ExceptionRow } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import { refuseLockedException } from '../period-lock/refuse-locked.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import {
  addEntry,
  type StoredException,
  setAssigned,
  setStatus,
  storedById,
} from '../store/checks/exception.ts';
import { exceptionRows } from '../store/checks/exception-list.ts';
import { commit } from '../store/sqlite/connection.ts';

export interface ExceptionDecisionContext {
  stores: SiteDatabases;
  changes: ChangeEvents;
  user: string;
  now: () => number;
}

interface Several {
  site: string;
  ids: readonly number[];
}

/** Assigns exceptions to a person. Null removes the assignment. */
export function assignExceptions(
  tools: ExceptionDecisionContext,
  { assigned, ...several }: Several & { assigned: string | null },
): ExceptionRow[] {
  const text = assigned === null ? 'Assigned to nobody.' : `Assigned to ${assigned}.`;
  return decideOn(
    tools,
    several,
    { action: 'assigned', text, reason: null, detail: { assigned } },
    ({ books }, stored) => {
      setAssigned(books, stored.id, assigned);
    },
  );
}

/** Adds a comment to each exception. Their status does not change. */
export function commentExceptions(
  tools: ExceptionDecisionContext,
  { text, ...several }: Several & { text: string },
): ExceptionRow[] {
  return decideOn(
    tools,
    several,
    { action: 'commented', text, reason: null, detail: { text } },
    () => undefined,
  );
}

/**
 * Accepts open exceptions as long as their evidence stays the same. Throws `conflict` if one is not open, `period_locked`
 * if one is signed.
 */
export function acceptExceptions(
  tools: ExceptionDecisionContext,
  { reason, ...several }: Several & { reason: string },
): ExceptionRow[] {
  return decideOn(
    tools,
    several,
    { action: 'accepted', text: reason, reason: reason, detail: {} },
    ({ books }, stored, at) => {
      if (stored.status !== 'open') {
        const hint =
          stored.status === 'closed'
            ? 'It was mended; there is nothing to accept.'
            : 'Reopen it first to accept it for another reason.';
        throw contractError({
          code: 'conflict',
          message: `Exception ${stored.id} is ${stored.status}.`,
          hint,
          retryable: false,
        });
      }
      refuseLockedException(books, stored.id);
      setStatus(books, stored, 'accepted', stored.evidence, at);
    },
  );
}

/** Reopens accepted exceptions. Throws `conflict` if one is not accepted, `period_locked` if one is signed. */
export function reopenExceptions(
  tools: ExceptionDecisionContext,
  { reason, ...several }: Several & { reason: string },
): ExceptionRow[] {
  return decideOn(
    tools,
    several,
    { action: 'reopened', text: reason, reason: reason, detail: {} },
    ({ books }, stored, at) => {
      if (stored.status !== 'accepted') {
        const hint =
          stored.status === 'closed'
            ? 'It comes back by itself when it is found again.'
            : 'It waits to be decided about.';
        throw contractError({
          code: 'conflict',
          message: `Exception ${stored.id} is ${stored.status}.`,
          hint,
          retryable: false,
        });
      }
      refuseLockedException(books, stored.id);
      setStatus(books, stored, 'open', null, at);
    },
  );
}

interface Decision {
  action: Extract<ExceptionEntry['action'], 'assigned' | 'commented' | 'accepted' | 'reopened'>;
  /** Text for the exception's history. */
  text: string;
  /** Reason for the audit log. */
  reason: string | null;
  detail: Record<string, unknown>;
}

const verbs: Record<Decision['action'], string> = {
  assigned: 'assign',
  commented: 'comment',
  accepted: 'accept',
  reopened: 'reopen',
};

/** Applies a decision to all exceptions or none, each with a history entry and an audit entry. */
function decideOn(
  { stores, changes, user, now }: ExceptionDecisionContext,
  { site, ids }: Several,
  { action: what, text, reason: why, detail }: Decision,
  apply: (open: OpenSite, stored: StoredException, at: number) => void,
): ExceptionRow[] {
  const open = stores.open(site);
  const at = now();
  const distinct = [...new Set(ids)];
  commit(open.books, () => {
    for (const id of distinct) {
      const stored = storedById(open.books, id);
      if (stored === null) throw contractError(noSuchException(id));
      apply(open, stored, at);
      addEntry(open.books, id, { at, user: user, action: what, text, job: null });
      const said = { key: stored.key, message: stored.message, evidence: stored.evidence, ...detail };
      const action = `exceptions.${verbs[what]}`;
      addAudit(open.books, { at, user: user, action, subject: String(id), reason: why, detail: said });
    }
  });
  changes.tell(site, 'exceptions', 'audit');
  return exceptionRows(open.cache, open.books, distinct);
}

function noSuchException(id: number) {
  return {
    code: 'not_found' as const,
    message: `There is no exception ${id}.`,
    hint: 'See the list of exceptions for those there are.',
    retryable: false,
  };
}
