import type { RuleAction, RuleCondition } from '../../../contract/index.ts';
import { capital } from '../../words/capital.ts';
import { amountText } from '../../words/money.ts';
import { words } from '../../words/words.ts';

const text = words.matchRules;
const said = text.sentence;

interface Rule {
  readonly conditions: readonly RuleCondition[];
  readonly action: RuleAction;
}

/** A rule in one sentence: “Any text contains “fee” and amount up to 0.00: put down to fee.” */
export function ruleSentence(
  { conditions, action }: Rule,
  accounts: readonly { readonly id: number; readonly name: string }[],
): string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const all = conditions.map((condition) => conditionText(condition, names)).join(said.and);
  return said.whole(capital(all), actionText(action));
}

function conditionText(condition: RuleCondition, names: ReadonlyMap<number, string>): string {
  switch (condition.field) {
    case 'amount': {
      const { from_in_cents: from, to_in_cents: to } = condition;
      if (from !== null && to !== null) return said.between(amountText(from), amountText(to));
      return from === null ? said.to(amountText(to ?? 0)) : said.from(amountText(from));
    }
    case 'account':
      return said.account(condition.accounts.map((id) => names.get(id) ?? String(id)).join(said.or));
    case 'kind':
      return said.kind(condition.kinds.map((kind) => words.bank.kinds[kind].toLowerCase()).join(said.or));
    default: {
      const field = text.fields[condition.field].toLowerCase();
      return condition.is === 'empty'
        ? said.empty(field)
        : said.text(field, text.tests[condition.is], condition.value);
    }
  }
}

function actionText(action: RuleAction): string {
  switch (action.do) {
    case 'categorise':
      return said.categorise(action.category);
    case 'ignore':
      return said.ignore;
    case 'tolerate':
      return said.tolerate(
        amountText(action.most_in_cents),
        action.most_basis_points === null ? null : amountText(action.most_basis_points),
        action.category,
      );
  }
}
