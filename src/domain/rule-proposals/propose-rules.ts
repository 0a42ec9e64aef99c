import { type MatchLine, type MatchRule, matchesRule } from '../matching/index.ts';
import { capitalize } from '../text/capitalize.ts';

/** A bank line that a person assigned to a category. */
export interface CategoryDecision {
  readonly line: MatchLine;
  /** Category; `ignored` means out of scope. */
  readonly category: string;
}

export interface ProposedRule extends Pick<MatchRule, 'conditions' | 'action'> {
  readonly title: string;
  /** Number of equal decisions. */
  readonly decisions: number;
}

/** Number of equal decisions from which a rule is proposed. */
const MIN_EQUAL_DECISIONS = 2;
const MAX_WORDING_LENGTH = 100;

/**
 * Proposes a rule for each wording that people assigned to one category at least twice, in one account and direction. The
 * most frequent category counts. If two categories are equally frequent, no rule is proposed. Omits rules that
 * an existing rule already covers.
 */
export function proposeRules(
  decisions: readonly CategoryDecision[],
  rules: readonly Pick<MatchRule, 'conditions' | 'action'>[],
): ProposedRule[] {
  const groups = Map.groupBy(decisions, ({ line }) => {
    const direction = line.amount_in_cents < 0 ? 'out' : 'in';
    return `${line.account} ${direction} ${readWording(line)}`;
  });
  const proposals = [...groups.values()].flatMap((group) => proposeRule(group, rules) ?? []);
  return proposals.toSorted((a, b) => b.decisions - a.decisions);
}

function proposeRule(
  group: readonly CategoryDecision[],
  rules: readonly Pick<MatchRule, 'conditions' | 'action'>[],
): ProposedRule | null {
  const byCategory = [...Map.groupBy(group, ({ category }) => category).values()];
  const [most = [], next = []] = byCategory.toSorted((a, b) => b.length - a.length);
  const [first] = most;
  if (first === undefined || most.length < MIN_EQUAL_DECISIONS || most.length === next.length) return null;
  const { line, category } = first;
  const wording = readWording(line);
  if (wording === '') return null;
  const action: MatchRule['action'] =
    category === 'ignored' ? { do: 'ignore' } : { do: 'categorize', category };
  const isCovered = rules.some(
    (rule) =>
      JSON.stringify(rule.action) === JSON.stringify(action) &&
      most.every((each) => matchesRule(rule, each.line)),
  );
  if (isCovered) return null;
  const isMoneyOut = line.amount_in_cents < 0;
  return {
    title: capitalize(wording),
    conditions: [
      { field: 'text', is: 'words', value: wording },
      { field: 'account', accounts: [line.account] },
      { field: 'amount', from_in_cents: isMoneyOut ? null : 0, to_in_cents: isMoneyOut ? 0 : null },
    ],
    action,
    decisions: most.length,
  };
}

/** Returns the words of a line's payee and description in lower case, without numbers, dates and ids. */
function readWording({ counterparty, description }: MatchLine): string {
  const words = `${description} ${counterparty ?? ''}`.toLowerCase().split(/\s+/);
  const constant = words.filter((word) => /\p{L}{2}/u.test(word) && !/\d/.test(word));
  let wording = '';
  for (const word of new Set(constant)) {
    const longer = wording === '' ? word : `${wording} ${word}`;
    if (longer.length > MAX_WORDING_LENGTH) break;
    wording = longer;
  }
  return wording;
}
