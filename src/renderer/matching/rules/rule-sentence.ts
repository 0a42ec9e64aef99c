import type { RuleAction, RuleCondition } from '../../../contract/index.ts';
import { capitalize } from '../../../domain/text/capitalize.ts';
import { formatAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.matchRules;
const phrases = text.sentence;

interface Rule {
  readonly conditions: readonly RuleCondition[];
  readonly action: RuleAction;
}

/** Describes a rule in one sentence: “Any text field contains “fee” and amount up to 0.00: assign to fee.” */
export function describeMatchRule(
  { conditions, action }: Rule,
  accounts: readonly { readonly id: number; readonly name: string }[],
): string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const all = conditions.map((condition) => conditionText(condition, names)).join(phrases.and);
  return phrases.full(capitalize(all), actionText(action));
}

function conditionText(condition: RuleCondition, names: ReadonlyMap<number, string>): string {
  switch (condition.field) {
    case 'amount': {
      const { from_in_cents: from, to_in_cents: to } = condition;
      if (from !== null && to !== null) return phrases.between(formatAmount(from), formatAmount(to));
      return from === null ? phrases.to(formatAmount(to ?? 0)) : phrases.from(formatAmount(from));
    }
    case 'account':
      return phrases.account(condition.accounts.map((id) => names.get(id) ?? String(id)).join(phrases.or));
    case 'kind':
      return phrases.kind(
        condition.kinds.map((kind) => texts.bank.kinds[kind].toLowerCase()).join(phrases.or),
      );
    default: {
      const field = text.fields[condition.field].toLowerCase();
      return condition.is === 'empty'
        ? phrases.empty(field)
        : phrases.text(field, text.tests[condition.is], condition.value);
    }
  }
}

function actionText(action: RuleAction): string {
  switch (action.do) {
    case 'categorize':
      return phrases.categorize(action.category);
    case 'ignore':
      return phrases.ignore;
    case 'tolerate':
      return phrases.tolerate(
        formatAmount(action.max_in_cents),
        action.max_basis_points === null ? null : formatAmount(action.max_basis_points),
        action.category,
      );
  }
}
