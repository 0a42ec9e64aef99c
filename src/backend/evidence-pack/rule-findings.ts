import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { isRemovedRule } from '../store/evidence-pack/pack-places.ts';
import { addRule, listRules, type RuleContent } from '../store/matching/match-rule.ts';
import { type ComparedDecision, comparedDecision, originalDecision, type PackComparison } from './finding.ts';

/** Compares the user's matching rules, which matches refer to. A rule is identified by its title. */
export function* compareRules(
  { open: { books }, period }: PackComparison,
  rules: PackDecisions['rules'],
): Generator<ComparedDecision> {
  const here = new Map(listRules(books).map((rule) => [rule.title, rule]));
  for (const rule of rules) {
    const told = comparedDecision('rules', { text: rule.title });
    const stored = here.get(rule.title);
    if (stored !== undefined)
      yield contentText(stored) === contentText(rule)
        ? told.same()
        : told.different('It says otherwise here.');
    else if (isRemovedRule(books, rule.title)) yield told.different('It was removed here.');
    else {
      yield told.missing((by) => {
        const id = addRule(books, rule, by);
        const detail = { ...rule, ...originalDecision(period, null, null) };
        addAudit(books, { ...by, action: 'match.save-rule', subject: String(id), detail });
      });
    }
  }
}

const contentText = ({ enabled, conditions, action }: RuleContent): string =>
  JSON.stringify([enabled, conditions, action]);
