import {
  type CheckRule,
  type ContractInputs,
  type ContractOutputs,
  createNonRetryableError,
} from '../../contract/index.ts';
import { findCheckRule } from '../../domain/checks/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addExceptionEntry,
  findException,
  listOpenExceptionsForRule,
  setExceptionStatus,
} from '../store/checks/exception.ts';
import { listSwitchedOffRules, switchOffRule, switchOnRule } from '../store/checks/switched-off-rule.ts';
import { findLockedExceptionDay } from '../store/period-lock/period-lock.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { startCheck } from './check-jobs.ts';
import { listCheckRules } from './check-rule-list.ts';

/**
 * Switches a rule on or off. Switching a rule off closes its open exceptions. Then starts a full check if possible.
 * Throws `not_found` for an unknown rule, and `conflict` if the rule is already in that state.
 */
export function switchCheckRule(
  context: CommandContext,
  { site, rule, off, reason }: ContractInputs['check']['switch'],
): ContractOutputs['check']['switch'] {
  const { stores, changes, user, now } = context;
  const open = stores.open(site);
  const { books } = open;
  requireRecord(findCheckRule(rule), `rule named ${rule}`, 'See the list of rules.');
  if (listSwitchedOffRules(books).some((each) => each.rule === rule) === off) {
    const message = `The rule ${rule} is already ${off ? 'off' : 'on'}.`;
    throw createNonRetryableError('conflict', message, 'No action is needed.');
  }
  const by = { at: now(), user };
  runInTransaction(books, () => {
    if (off) switchOffRule(books, { ...by, rule, reason });
    else switchOnRule(books, rule);
    const closed = off ? closeExceptionsOfRule(books, rule, `The rule was switched off: ${reason}`, by) : 0;
    addAuditEntry(books, { ...by, action: 'check.switch', subject: rule, reason, detail: { off, closed } });
  });
  changes.emit(site, 'exceptions', 'audit');
  const switched = listCheckRules(open).find((each) => each.rule === rule) as CheckRule;
  return { rule: switched, job: startCheckIfPossible(context, site) };
}

/** Closes a rule's open exceptions, except those of closed periods. Returns how many were closed. */
function closeExceptionsOfRule(
  books: WritableDb,
  rule: string,
  text: string,
  by: { at: number; user: string },
): number {
  const ids = listOpenExceptionsForRule(books, rule).filter(
    (id) => findLockedExceptionDay(books, id) === null,
  );
  for (const id of ids) {
    const stored = findException(books, id);
    if (stored === null) continue;
    setExceptionStatus(books, stored, { status: 'closed', accepted_evidence: null }, by.at);
    addExceptionEntry(books, id, { ...by, action: 'closed', text, job: null });
  }
  return ids.length;
}

/**
 * Starts a check if possible. A running check detects the switch and starts over. If no check can start, the next sync
 * detects the changed rules.
 */
function startCheckIfPossible(context: CommandContext, site: string): string | null {
  const running = context.jobs.findRunning(site, 'check');
  if (running !== null) return running.id;
  try {
    return startCheck(context, site).id;
  } catch {
    return null;
  }
}
