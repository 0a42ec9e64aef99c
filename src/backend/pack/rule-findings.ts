import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/books/audit.ts';
import { addRule, listRules, type RuleContent } from '../store/matching/match-rule.ts';
import { isRemovedRule } from '../store/periods/pack-places.ts';
import { type Finding, finding, firstDecided, type Ground } from './finding.ts';

/** The user’s matching rules, which matches name: each known by its title. */
export function* ruleFindings(
  { open: { books }, period }: Ground,
  rules: PackDecisions['rules'],
): Generator<Finding> {
  const here = new Map(listRules(books).map((rule) => [rule.title, rule]));
  for (const rule of rules) {
    const told = finding('rules', { text: rule.title });
    const held = here.get(rule.title);
    if (held !== undefined)
      yield contentText(held) === contentText(rule) ? told.same() : told.otherwise('It says otherwise here.');
    else if (isRemovedRule(books, rule.title)) yield told.otherwise('It was removed here.');
    else {
      yield told.missing((by) => {
        const id = addRule(books, rule, by);
        const detail = { ...rule, ...firstDecided(period, null, null) };
        addAudit(books, { ...by, action: 'match.save-rule', subject: String(id), detail });
      });
    }
  }
}

const contentText = ({ enabled, conditions, action }: RuleContent): string =>
  JSON.stringify([enabled, conditions, action]);
