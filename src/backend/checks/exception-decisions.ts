import { contractError, type ExceptionEntry, type ExceptionRow } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import { refuseLockedException } from '../period-lock/period-lock.ts';
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

interface ExceptionSelection {
  site: string;
  ids: readonly number[];
}

/** Assigns exceptions to a person. Null removes the assignment. */
export function assignExceptions(
  tools: ExceptionDecisionContext,
  { assigned, ...selection }: ExceptionSelection & { assigned: string | null },
): ExceptionRow[] {
  const text = assigned === null ? 'Assigned to nobody.' : `Assigned to ${assigned}.`;
  return applyDecision(
    tools,
    selection,
    { action: 'assigned', text, reason: null, detail: { assigned } },
    ({ books }, stored) => {
      setAssigned(books, stored.id, assigned);
    },
  );
}

/** Adds a comment to exceptions. Their status does not change. */
export function commentExceptions(
  tools: ExceptionDecisionContext,
  { text, ...selection }: ExceptionSelection & { text: string },
): ExceptionRow[] {
  return applyDecision(
    tools,
    selection,
    { action: 'commented', text, reason: null, detail: { text } },
    () => undefined,
  );
}

/**
 * Accepts open exceptions. They stay accepted as long as their evidence does not change. Throws `conflict` if one is not
 * open, and `period_locked` if one belongs to a closed period.
 */
export function acceptExceptions(
  tools: ExceptionDecisionContext,
  { reason, ...selection }: ExceptionSelection & { reason: string },
): ExceptionRow[] {
  return applyDecision(
    tools,
    selection,
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

/**
 * Reopens accepted exceptions. Throws `conflict` if one is not accepted, and `period_locked` if one belongs to a closed
 * period.
 */
export function reopenExceptions(
  tools: ExceptionDecisionContext,
  { reason, ...selection }: ExceptionSelection & { reason: string },
): ExceptionRow[] {
  return applyDecision(
    tools,
    selection,
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

interface ExceptionDecision {
  action: Extract<ExceptionEntry['action'], 'assigned' | 'commented' | 'accepted' | 'reopened'>;
  /** Text for the exception's history. */
  text: string;
  /** Reason for the audit log. */
  reason: string | null;
  detail: Record<string, unknown>;
}

const auditVerbs: Record<ExceptionDecision['action'], string> = {
  assigned: 'assign',
  commented: 'comment',
  accepted: 'accept',
  reopened: 'reopen',
};

/** Applies a decision to all of the exceptions or to none. Adds a history entry and an audit entry for each. */
function applyDecision(
  { stores, changes, user, now }: ExceptionDecisionContext,
  { site, ids }: ExceptionSelection,
  { action: what, text, reason: why, detail }: ExceptionDecision,
  apply: (open: OpenSite, stored: StoredException, at: number) => void,
): ExceptionRow[] {
  const open = stores.open(site);
  const at = now();
  const distinct = [...new Set(ids)];
  commit(open.books, () => {
    for (const id of distinct) {
      const stored = storedById(open.books, id);
      if (stored === null) throw contractError(unknownExceptionError(id));
      apply(open, stored, at);
      addEntry(open.books, id, { at, user: user, action: what, text, job: null });
      const auditDetail = { key: stored.key, message: stored.message, evidence: stored.evidence, ...detail };
      const action = `exceptions.${auditVerbs[what]}`;
      addAudit(open.books, { at, user: user, action, subject: String(id), reason: why, detail: auditDetail });
    }
  });
  changes.emit(site, 'exceptions', 'audit');
  return exceptionRows(open.cache, open.books, distinct);
}

function unknownExceptionError(id: number) {
  return {
    code: 'not_found' as const,
    message: `There is no exception ${id}.`,
    hint: 'See the list of exceptions for those there are.',
    retryable: false,
  };
}
