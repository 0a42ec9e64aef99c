import { contractError, type MatchRule, type Outputs } from '../../contract/index.ts';
import { matchesRule } from '../../domain/matching/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import { bankLines } from '../store/bank/bank-line-list.ts';
import { linesToTry } from '../store/matching/match-ground.ts';
import { usedCategories } from '../store/matching/match-group-list.ts';
import {
  addRule,
  changeRule,
  listRules,
  orderRules,
  type RuleContent,
  removeRule,
  ruleById,
} from '../store/matching/match-rule.ts';
import { commit, type ReadableDb } from '../store/sqlite/connection.ts';

/** Changes a match rule, or adds it after the existing ones. Throws `not_found`. */
export function saveMatchRule(
  tools: DecisionContext,
  { site, id, ...content }: RuleContent & { site: string; id?: number | undefined },
): MatchRule {
  const { books } = tools.stores.open(site);
  const by = { at: tools.now(), user: tools.user };
  const savedId = commit(books, () => {
    if (id !== undefined) requireMatchRule(books, id);
    const rule = id ?? addRule(books, content, by);
    if (id !== undefined) changeRule(books, id, content, by);
    addAudit(books, { ...by, action: 'match.save-rule', subject: String(rule), detail: { ...content } });
    return rule;
  });
  tools.changes.emit(site, 'match', 'audit');
  return requireMatchRule(books, savedId);
}

/** Deletes a match rule. Throws `not_found`. */
export function deleteMatchRule(tools: DecisionContext, site: string, id: number): void {
  const { books } = tools.stores.open(site);
  const by = { at: tools.now(), user: tools.user };
  commit(books, () => {
    const { title } = requireMatchRule(books, id);
    removeRule(books, id, by);
    addAudit(books, { ...by, action: 'match.remove-rule', subject: String(id), detail: { title } });
  });
  tools.changes.emit(site, 'match', 'audit');
}

/** Reorders the match rules. Throws `validation` unless every rule is named exactly once. */
export function reorderMatchRules(tools: DecisionContext, site: string, ids: readonly number[]): MatchRule[] {
  const { books } = tools.stores.open(site);
  commit(books, () => {
    const known = listRules(books).map((rule) => rule.id);
    if (known.length !== ids.length || known.some((id) => !ids.includes(id))) {
      throw contractError({
        code: 'validation',
        message: 'The order does not name every rule once.',
        hint: 'Read the rules again: they have changed.',
        retryable: false,
      });
    }
    orderRules(books, ids);
    const detail = { order: ids.join(', ') };
    addAudit(books, {
      at: tools.now(),
      user: tools.user,
      action: 'match.order-rules',
      subject: 'rules',
      detail,
    });
  });
  tools.changes.emit(site, 'match', 'audit');
  return listRules(books);
}

function requireMatchRule(books: ReadableDb, id: number): MatchRule {
  const rule = ruleById(books, id);
  if (rule !== null) return rule;
  throw contractError({
    code: 'not_found',
    message: `There is no rule ${id}.`,
    hint: 'See the list of rules for those there are.',
    retryable: false,
  });
}

/** Returns the unmatched lines to which a rule would apply: their number, totals, and the first of them. */
export function previewMatchRule(
  books: ReadableDb,
  rule: Pick<RuleContent, 'conditions'>,
  limit: number,
): Outputs['match']['tryRule'] {
  const ids: number[] = [];
  const sums = new Map<string, Outputs['match']['tryRule']['sums'][number]>();
  let lines = 0;
  for (const line of linesToTry(
    books,
    storedAccounts(books).map(({ id }) => id),
  )) {
    const { account_id: account, bank_id, kind, ...rest } = line;
    const asLine = {
      ...rest,
      account,
      kind: kind as Parameters<typeof matchesRule>[1]['kind'],
      bank_id: bank_id === '' ? null : bank_id,
    };
    if (!matchesRule(rule, asLine)) continue;
    lines++;
    if (ids.length < limit) ids.push(line.id);
    const { currency, amount_in_cents: amount } = line;
    const sum = sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    sums.set(currency, sum);
    sum.count++;
    if (amount > 0) sum.in_cents += amount;
    else sum.out_cents += amount;
  }
  return { lines, sums: [...sums.values()], rows: bankLines(books, ids) };
}

/** Returns the standard categories and those in use, with the number of matches for each. */
export function listCategories(books: ReadableDb): Outputs['match']['categories'] {
  const used = usedCategories(books);
  const all = new Map(standardCategories.map((category) => [category, 0]));
  for (const { category, groups } of used) all.set(category, groups);
  return [...all].map(([category, groups]) => ({ category, groups }));
}

const standardCategories = [
  'fee',
  'fx',
  'interest',
  'tax',
  'transfer',
  'chargeback',
  'rounding',
  'adjustment',
  'ignored',
];
