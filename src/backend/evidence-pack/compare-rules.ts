import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { isRemovedRule } from '../store/evidence-pack/pack-places.ts';
import { addRule, listRules, type RuleContent } from '../store/matching/match-rule.ts';
import {
  type ComparedDecision,
  createComparison,
  describeOriginalDecision,
  type PackComparison,
} from './compared-decision.ts';

/** Compares the user's match rules, which matches refer to. A rule is identified by its title. */
export function* compareRules(
  { open: { books }, period }: PackComparison,
  rules: PackDecisions['rules'],
): Generator<ComparedDecision> {
  const storedByTitle = new Map(listRules(books).map((rule) => [rule.title, rule]));
  for (const rule of rules) {
    const result = createComparison('rules', { text: rule.title });
    const stored = storedByTitle.get(rule.title);
    if (stored !== undefined)
      yield formatRuleContent(stored) === formatRuleContent(rule)
        ? result.same()
        : result.different('It says otherwise here.');
    else if (isRemovedRule(books, rule.title)) yield result.different('It was removed here.');
    else {
      yield result.missing((by) => {
        const id = addRule(books, rule, by);
        const detail = { ...rule, ...describeOriginalDecision(period, null, null) };
        addAudit(books, { ...by, action: 'match.save-rule', subject: String(id), detail });
      });
    }
  }
}

const formatRuleContent = ({ enabled, conditions, action }: RuleContent): string =>
  JSON.stringify([enabled, conditions, action]);
