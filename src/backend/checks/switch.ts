import { type CheckRule, contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import { ruleNamed } from '../../domain/tieout/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { addEntry, heldById, openOfRule, setStatus } from '../store/checks/exception.ts';
import { switchedOff, switchOff, switchOn } from '../store/checks/rule-switch.ts';
import { commit } from '../store/database.ts';
import { lockedException } from '../store/periods/period-lock.ts';
import { type CheckTools, startCheck } from './checks.ts';
import { ruleList } from './rule-list.ts';

/**
 * Switches a rule off or on. Its open exceptions are closed when it goes off. Then everything is checked anew, where a check can
 * start now. Throws `not_found` for no rule, `conflict` where it is so already.
 */
export function switchRule(
  tools: CheckTools & { user: string },
  input: Inputs['check']['switch'],
): Outputs['check']['switch'] {
  const { stores, changes, user, now } = tools;
  const { site, rule, off, reason } = input;
  const open = stores.open(site);
  if (ruleNamed(rule) === null) throw contractError(noSuchRule(rule));
  if (switchedOff(open.books).some((each) => each.rule === rule) === off)
    throw contractError(soAlready(rule, off));
  const at = now();
  commit(open.books, () => {
    if (off) switchOff(open.books, { rule, at, who: user, reason });
    else switchOn(open.books, rule);
    const closed = off ? closeAll(open, rule, `The rule was switched off: ${reason}`, user, at) : 0;
    const detail = { off, closed };
    addAudit(open.books, { at, who: user, action: 'check.switch', subject: rule, why: reason, detail });
  });
  changes.tell(site, 'exceptions', 'audit');
  const shown = ruleList(open).find((each) => each.rule === rule) as CheckRule;
  return { rule: shown, job: startWherePossible(tools, site) };
}

/** What is signed stays as it was. */
function closeAll({ books }: OpenSite, rule: string, text: string, who: string, at: number): number {
  const ids = openOfRule(books, rule).filter((id) => lockedException(books, id) === null);
  for (const id of ids) {
    const held = heldById(books, id);
    if (held === null) continue;
    setStatus(books, held, 'closed', null, at);
    addEntry(books, id, { at, who, what: 'closed', text, job: null });
  }
  return ids.length;
}

/**
 * A check that runs already begins again by itself when it sees the switch. One that cannot start now is made up for by the next
 * sync, which sees that the rules are others.
 */
function startWherePossible(tools: CheckTools, site: string): string | null {
  const running = tools.jobs.running(site, 'check');
  if (running !== null) return running.id;
  try {
    return startCheck(tools, site).id;
  } catch {
    return null;
  }
}

function noSuchRule(rule: string) {
  return {
    code: 'not_found' as const,
    message: `There is no rule called ${rule}.`,
    hint: 'See the list of rules for those there are.',
    retryable: false,
  };
}

function soAlready(rule: string, off: boolean) {
  return {
    code: 'conflict' as const,
    message: `The rule ${rule} is ${off ? 'off' : 'on'} already.`,
    hint: 'Nothing needs to be done.',
    retryable: false,
  };
}
