import { type CheckRule, contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import { findCheckRule } from '../../domain/checks/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { addEntry, openOfRule, setStatus, storedById } from '../store/checks/exception.ts';
import { switchedOff, switchOff, switchOn } from '../store/checks/rule-switch.ts';
import { lockedException } from '../store/period-lock/period-lock.ts';
import { commit } from '../store/sqlite/connection.ts';
import { type CheckJobContext, startCheck } from './check-jobs.ts';
import { listCheckRules } from './rule-list.ts';

/**
 * Switches a rule on or off. Switching it off closes its open exceptions. A full check is then started if possible.
 * Throws `not_found` for an unknown rule, and `conflict` if the rule is already in that state.
 */
export function switchRule(
  tools: CheckJobContext & { user: string },
  input: Inputs['check']['switch'],
): Outputs['check']['switch'] {
  const { stores, changes, user, now } = tools;
  const { site, rule, off, reason } = input;
  const open = stores.open(site);
  if (findCheckRule(rule) === null) throw contractError(unknownRuleError(rule));
  if (switchedOff(open.books).some((each) => each.rule === rule) === off)
    throw contractError(alreadySwitchedError(rule, off));
  const at = now();
  commit(open.books, () => {
    if (off) switchOff(open.books, { rule, at, user: user, reason });
    else switchOn(open.books, rule);
    const closed = off
      ? closeExceptionsOfRule(open, rule, `The rule was switched off: ${reason}`, user, at)
      : 0;
    const detail = { off, closed };
    addAudit(open.books, { at, user: user, action: 'check.switch', subject: rule, reason: reason, detail });
  });
  changes.emit(site, 'exceptions', 'audit');
  const shown = listCheckRules(open).find((each) => each.rule === rule) as CheckRule;
  return { rule: shown, job: startCheckIfPossible(tools, site) };
}

/** Closes a rule's open exceptions, except those of closed periods. Returns how many were closed. */
function closeExceptionsOfRule(
  { books }: OpenSite,
  rule: string,
  text: string,
  who: string,
  at: number,
): number {
  const ids = openOfRule(books, rule).filter((id) => lockedException(books, id) === null);
  for (const id of ids) {
    const stored = storedById(books, id);
    if (stored === null) continue;
    setStatus(books, stored, 'closed', null, at);
    addEntry(books, id, { at, user: who, action: 'closed', text, job: null });
  }
  return ids.length;
}

/**
 * Starts a check if possible. A running check restarts when it detects the switch. If no check can start, the next sync
 * detects that the rules have changed.
 */
function startCheckIfPossible(tools: CheckJobContext, site: string): string | null {
  const running = tools.jobs.findRunning(site, 'check');
  if (running !== null) return running.id;
  try {
    return startCheck(tools, site).id;
  } catch {
    return null;
  }
}

function unknownRuleError(rule: string) {
  return {
    code: 'not_found' as const,
    message: `There is no rule called ${rule}.`,
    hint: 'See the list of rules for those there are.',
    retryable: false,
  };
}

function alreadySwitchedError(rule: string, off: boolean) {
  return {
    code: 'conflict' as const,
    message: `The rule ${rule} is ${off ? 'off' : 'on'} already.`,
    hint: 'Nothing needs to be done.',
    retryable: false,
  };
}
