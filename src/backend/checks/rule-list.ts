import type { CheckRule } from '../../contract/index.ts';
import { type Rule, rules } from '../../domain/tieout/index.ts';
import { checkState } from '../store/checks/check-state.ts';
import { isAnyHeld } from '../store/checks/checkable.ts';
import { exceptionFigures } from '../store/checks/exception-figures.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';

/** Every rule as it stands on a site. */
export function ruleList({ cache, books }: { cache: ReadableDb; books: ReadableDb }): CheckRule[] {
  const off = new Map(switchedOff(books).map((each) => [each.rule, each]));
  const figures = exceptionFigures(books, null);
  return rules.map((rule) => {
    const { id, title, severity, scope, explanation, remedy } = rule;
    const of = figures.filter((each) => each.rule === id);
    const count = (status: 'open' | 'accepted') =>
      of.reduce((sum, each) => (each.status === status ? sum + each.count : sum), 0);
    const switched = off.get(id);
    return {
      rule: id,
      title,
      severity,
      scope,
      explanation,
      remedy,
      enabled: switched === undefined,
      off:
        switched === undefined
          ? null
          : { at: isoMoment(switched.at), who: switched.who, reason: switched.reason },
      idle: idleness(cache, rule),
      open: count('open'),
      accepted: count('accepted'),
    };
  });
}

/** Why a rule has nothing to look at; null where it has. */
function idleness(cache: ReadableDb, { id, scope }: Rule): string | null {
  if (id === 'pdf-agrees' && !isAnyHeld(cache, 'pdf')) return 'No PDF of a statement is held.';
  if (id === 'webhook-signature') return 'The key that webhooks are signed with is not known here.';
  if (scope === 'webhook' || id === 'payment-without-webhook') {
    if (!isAnyHeld(cache, 'webhook')) return 'No webhook is held.';
    if (id.endsWith('-without-webhook') && checkState(cache).log_from === null) {
      return 'The webhook log was not read to its end yet.';
    }
    return null;
  }
  if (scope === 'allocation') {
    return isAnyHeld(cache, 'allocation') ? null : 'No allocation is held.';
  }
  return isAnyHeld(cache, 'statement') ? null : 'No statement is held.';
}
