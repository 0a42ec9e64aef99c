import { type ContractOutputs, createNonRetryableError, type MatchRule } from '../../contract/index.ts';
import { matchesRule } from '../../domain/matching/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { listBankLinesById } from '../store/bank/bank-line-list.ts';
import {
  addMatchRule,
  findMatchRule,
  listMatchRules,
  type MatchRuleContent,
  removeMatchRule,
  setMatchRuleOrder,
  updateMatchRule,
} from '../store/matching/match-rule.ts';
import { readUnexplainedBankLines } from '../store/matching/matching-input.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { toMatchLine } from './matching-inputs.ts';
import { applyRulesToHistory } from './proposed-rules.ts';

/** Changes a match rule, or adds a new one after the existing rules. Throws `not_found`. */
export function saveMatchRule(
  context: DecisionContext,
  { site, id, ...content }: MatchRuleContent & { site: string; id?: number | undefined },
): MatchRule {
  const { books } = context.stores.open(site);
  const by = { at: context.now(), user: context.user };
  const savedId = runInTransaction(books, () => {
    if (id !== undefined) requireMatchRule(books, id);
    const rule = id ?? addMatchRule(books, content, by);
    if (id !== undefined) updateMatchRule(books, id, content, by);
    addAuditEntry(books, { ...by, action: 'match.save-rule', subject: String(rule), detail: { ...content } });
    return rule;
  });
  context.changes.emit(site, 'match', 'audit');
  return requireMatchRule(books, savedId);
}

/** Deletes a match rule. Throws `not_found`. */
export function deleteMatchRule(context: DecisionContext, site: string, id: number): void {
  const { books } = context.stores.open(site);
  const by = { at: context.now(), user: context.user };
  runInTransaction(books, () => {
    const { title } = requireMatchRule(books, id);
    removeMatchRule(books, id, by);
    addAuditEntry(books, { ...by, action: 'match.remove-rule', subject: String(id), detail: { title } });
  });
  context.changes.emit(site, 'match', 'audit');
}

/** Reorders the match rules. Throws `validation` unless every rule is named exactly once. */
export function reorderMatchRules(
  context: DecisionContext,
  site: string,
  ids: readonly number[],
): MatchRule[] {
  const { books } = context.stores.open(site);
  runInTransaction(books, () => {
    const known = listMatchRules(books).map((rule) => rule.id);
    if (known.length !== ids.length || known.some((id) => !ids.includes(id))) {
      throw createNonRetryableError(
        'validation',
        'The order must contain every rule exactly once.',
        'The rules have changed. Load them again.',
      );
    }
    setMatchRuleOrder(books, ids);
    const by = { at: context.now(), user: context.user };
    const detail = { order: ids.join(', ') };
    addAuditEntry(books, { ...by, action: 'match.order-rules', subject: 'rules', detail });
  });
  context.changes.emit(site, 'match', 'audit');
  return listMatchRules(books);
}

function requireMatchRule(books: ReadableDb, id: number): MatchRule {
  return requireRecord(findMatchRule(books, id), `rule ${id}`, 'See the list of rules.');
}

/**
 * Returns the unmatched lines to which a rule would apply: their number, totals and the first lines. For a rule that
 * assigns lines to a category, also returns the matched lines that it would have assigned correctly and wrongly.
 */
export function previewMatchRule(
  books: ReadableDb,
  rule: Pick<MatchRuleContent, 'conditions' | 'action'>,
  limit: number,
): ContractOutputs['match']['tryRule'] {
  const ids: number[] = [];
  const sums = new Map<string, ContractOutputs['match']['tryRule']['sums'][number]>();
  let lines = 0;
  const accounts = listStoredBankAccounts(books).map(({ id }) => id);
  for (const line of readUnexplainedBankLines(books, accounts)) {
    if (!matchesRule(rule, toMatchLine(line))) continue;
    lines++;
    if (ids.length < limit) ids.push(line.id);
    const { currency, amount_in_cents: amount } = line;
    const sum = sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    sums.set(currency, sum);
    sum.count++;
    if (amount > 0) sum.in_cents += amount;
    else sum.out_cents += amount;
  }
  const rows = listBankLinesById(books, ids);
  return { lines, sums: [...sums.values()], rows, ...previewHistory(books, rule, limit) };
}

function previewHistory(
  books: ReadableDb,
  rule: Pick<MatchRuleContent, 'conditions' | 'action'>,
  limit: number,
): Pick<ContractOutputs['match']['tryRule'], 'right' | 'wrong'> {
  const [effects] = rule.action.do === 'tolerate' ? [] : applyRulesToHistory(books, [rule]);
  if (effects === undefined) return { right: null, wrong: null };
  const toList = (ids: readonly number[]) => ({
    count: ids.length,
    rows: listBankLinesById(books, ids.slice(0, limit)),
  });
  return { right: toList(effects.right), wrong: toList(effects.wrong) };
}
