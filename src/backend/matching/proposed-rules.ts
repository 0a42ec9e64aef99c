import { createHash } from 'node:crypto';
import type { ContractOutputs, RuleCondition } from '../../contract/index.ts';
import { type MatchLine, type MatchRule, matchesRule } from '../../domain/matching/index.ts';
import { proposeRules } from '../../domain/rule-proposals/propose-rules.ts';
import { judgeRuleEffect, type RuleEffect } from '../../domain/rule-proposals/rule-effect.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { listMatchRules } from '../store/matching/match-rule.ts';
import { readMatchableLines } from '../store/matching/matching-input.ts';
import { listCategoryDecisions, readMatchesOfLines } from '../store/matching/rule-history.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { toMatchLine } from './matching-inputs.ts';

/** Maximum number of proposals. Those with the most decisions are listed. */
const MAX_PROPOSALS = 20;

/** Returns the rules that repeat equal decisions of people, with their effect on all stored lines. Saves nothing. */
export function listProposedRules(books: ReadableDb): ContractOutputs['match']['proposedRules'] {
  const categories = new Map(
    listCategoryDecisions(books).map(({ line_id, category }) => [line_id, category]),
  );
  if (categories.size === 0) return [];
  const decisions = [...readLines(books)].flatMap((line) => {
    const category = categories.get(line.id);
    return category === undefined ? [] : [{ line, category }];
  });
  const proposals = proposeRules(decisions, listMatchRules(books)).slice(0, MAX_PROPOSALS);
  const effects = applyRulesToHistory(books, proposals);
  return proposals.map((proposal, at) => {
    const { right, wrong, unmatched } = effects[at] as LinesByEffect;
    return {
      id: toProposalId(proposal),
      ...proposal,
      conditions: [...proposal.conditions] as RuleCondition[],
      enabled: true,
      lines: unmatched.length,
      right: right.length,
      wrong: wrong.length,
    };
  });
}

/** Returns an id that is the same as long as the proposal has the same content. */
function toProposalId({ conditions, action }: Pick<MatchRule, 'conditions' | 'action'>): string {
  return createHash('sha256')
    .update(JSON.stringify([conditions, action]))
    .digest('hex')
    .slice(0, 8);
}

/** Ids of the lines that meet a rule's conditions, by what the rule would have done to them. */
export type LinesByEffect = Readonly<Record<RuleEffect, readonly number[]>>;

/** Applies rules to all stored lines, as if each rule had always existed alone. Changes nothing. */
export function applyRulesToHistory(
  books: ReadableDb,
  rules: readonly Pick<MatchRule, 'conditions' | 'action'>[],
): LinesByEffect[] {
  const linesOfRules: number[][] = rules.map(() => []);
  for (const line of readLines(books))
    for (const [at, rule] of rules.entries()) if (matchesRule(rule, line)) linesOfRules[at]?.push(line.id);
  return rules.map(({ action }, at) => {
    const lines = linesOfRules[at] ?? [];
    const matches = readMatchesOfLines(books, lines);
    const effects: Record<RuleEffect, number[]> = { right: [], wrong: [], unmatched: [], none: [] };
    for (const line of lines) effects[judgeRuleEffect(action, matches.get(line) ?? [])].push(line);
    return effects;
  });
}

function* readLines(books: ReadableDb): Generator<MatchLine> {
  const accounts = listStoredBankAccounts(books).map(({ id }) => id);
  for (const line of readMatchableLines(books, accounts)) yield toMatchLine(line);
}
