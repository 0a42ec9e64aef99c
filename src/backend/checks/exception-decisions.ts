import { createNonRetryableError, type ExceptionRow } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { assertExceptionNotLocked } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addExceptionEntry,
  findException,
  type StoredException,
  setExceptionAssignee,
  setExceptionStatus,
} from '../store/checks/exception.ts';
import { listExceptionsById } from '../store/checks/exception-list.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

interface ExceptionSelection {
  site: string;
  ids: readonly number[];
}

/** Assigns exceptions to a person. A null person removes the assignment. */
export function assignExceptions(
  context: CommandContext,
  { assigned, ...selection }: ExceptionSelection & { assigned: string | null },
): ExceptionRow[] {
  const text = assigned === null ? 'Unassigned.' : `Assigned to ${assigned}.`;
  const decision = { action: 'assigned', text, reason: null, detail: { assigned } } as const;
  return applyDecision(context, selection, decision, (books, { id }) =>
    setExceptionAssignee(books, id, assigned),
  );
}

/**
 * Accepts open exceptions. They stay accepted as long as their evidence does not change. Throws `conflict` if one is not
 * open, and `period_locked` if one belongs to a closed period.
 */
export function acceptExceptions(
  context: CommandContext,
  { reason, ...selection }: ExceptionSelection & { reason: string },
): ExceptionRow[] {
  const decision = { action: 'accepted', text: reason, reason, detail: {} } as const;
  return applyDecision(context, selection, decision, (books, stored, at) => {
    if (stored.status !== 'open') {
      const hint =
        stored.status === 'closed'
          ? 'It is resolved, so there is nothing to accept.'
          : 'Reopen it first to accept it for another reason.';
      throw wrongStatusError(stored, hint);
    }
    assertExceptionNotLocked(books, stored.id);
    setExceptionStatus(books, stored, { status: 'accepted', accepted_evidence: stored.evidence }, at);
  });
}

/** Reopens accepted exceptions. Throws `conflict` if one is not accepted, and `period_locked` if its period is closed. */
export function reopenExceptions(
  context: CommandContext,
  { reason, ...selection }: ExceptionSelection & { reason: string },
): ExceptionRow[] {
  const decision = { action: 'reopened', text: reason, reason, detail: {} } as const;
  return applyDecision(context, selection, decision, (books, stored, at) => {
    if (stored.status !== 'accepted') {
      const hint =
        stored.status === 'closed' ? 'It reopens automatically if it is found again.' : 'It is still open.';
      throw wrongStatusError(stored, hint);
    }
    assertExceptionNotLocked(books, stored.id);
    setExceptionStatus(books, stored, { status: 'open', accepted_evidence: null }, at);
  });
}

const wrongStatusError = ({ id, status }: StoredException, hint: string) =>
  createNonRetryableError('conflict', `Exception ${id} is ${status}.`, hint);

/** Audit log action for each decision. */
const AUDIT_ACTIONS = {
  assigned: 'exceptions.assign',
  accepted: 'exceptions.accept',
  reopened: 'exceptions.reopen',
} as const;

interface ExceptionDecision {
  action: keyof typeof AUDIT_ACTIONS;
  /** Text shown in the exception's history. */
  text: string;
  /** Reason stored in the audit log. */
  reason: string | null;
  detail: Record<string, unknown>;
}

/** Applies a decision to all of the exceptions or to none. Adds history and audit entries for each exception. */
function applyDecision(
  { stores, changes, user, now }: CommandContext,
  { site, ids }: ExceptionSelection,
  { action, text, reason, detail }: ExceptionDecision,
  apply: (books: WritableDb, stored: StoredException, at: number) => void,
): ExceptionRow[] {
  const { cache, books } = stores.open(site);
  const at = now();
  const distinctIds = [...new Set(ids)];
  runInTransaction(books, () => {
    for (const id of distinctIds) {
      const stored = requireRecord(
        findException(books, id),
        `exception ${id}`,
        'See the list of exceptions.',
      );
      apply(books, stored, at);
      addExceptionEntry(books, id, { at, user, action, text, job: null });
      const { key, message, evidence, members } = stored;
      const decided = members === '[]' ? {} : { members: JSON.parse(members) as unknown };
      const auditDetail = { key, message, evidence, ...decided, ...detail };
      const entry = { action: AUDIT_ACTIONS[action], subject: String(id), reason, detail: auditDetail };
      addAuditEntry(books, { at, user, ...entry });
    }
  });
  changes.emit(site, 'exceptions', 'audit');
  return listExceptionsById(cache, books, distinctIds);
}
