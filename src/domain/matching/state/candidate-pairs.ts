import { IntColumn } from '../indexes/columns.ts';
import type { MatchPassId } from '../model/match-types.ts';
import { type AssignmentCandidate, findBestAssignment } from './assignment.ts';
import { type MatchState, ROW_FREE } from './match-state.ts';

/** Maximum number of lines or payments in a component for which matches are proposed. Chosen by judgment. */
export const MAX_PROPOSAL_ROWS = 40;

/** Compatible pairs stored in columns: row of the line, row of the payment, and cost. */
export class CandidatePairs {
  readonly line = new IntColumn();
  readonly payment = new IntColumn();
  readonly cost = new IntColumn();

  add(line: number, payment: number, cost: number): number {
    this.payment.push(payment);
    this.cost.push(cost);
    return this.line.push(line);
  }

  get length(): number {
    return this.line.length;
  }

  /** Returns the connected components of the selected pairs. Each component is a list of pair indexes. */
  findComponents(isSelected: (pair: number) => boolean): number[][] {
    const sets = new DisjointSets();
    const toLineNode = (pair: number): number => this.line.at(pair) * 2;
    const selected = Array.from({ length: this.length }, (_, pair) => pair).filter(isSelected);
    for (const pair of selected) sets.union(toLineNode(pair), this.payment.at(pair) * 2 + 1);
    return [...Map.groupBy(selected, (pair) => sets.find(toLineNode(pair))).values()];
  }
}

/** Union-find structure with path compression. The smallest node of a set is its root. */
class DisjointSets {
  readonly #parent = new Map<number, number>();

  find(node: number): number {
    let root = node;
    while ((this.#parent.get(root) ?? root) !== root) root = this.#parent.get(root) as number;
    for (let at = node; at !== root; ) {
      const next = this.#parent.get(at) ?? at;
      this.#parent.set(at, root);
      at = next;
    }
    return root;
  }

  union(a: number, b: number): void {
    const [rootA, rootB] = [this.find(a), this.find(b)];
    if (rootA !== rootB) this.#parent.set(Math.max(rootA, rootB), Math.min(rootA, rootB));
  }
}

/**
 * Proposes matches for lines with several compatible payments and for payments with several compatible lines. Every
 * unmatched line becomes an ambiguous match with its payment in the best assignment, or without a payment if there
 * are too many.
 */
export function proposeAmbiguousMatches(
  state: MatchState,
  { rule, idKind = -1 }: { rule: MatchPassId; idKind?: number },
  pairs: CandidatePairs,
  component: readonly number[],
): void {
  const lineRows = sortUnique(component, pairs.line, (a, b) => compareLines(state, a, b));
  const paymentRows = sortUnique(component, pairs.payment, (a, b) => comparePayments(state, a, b));
  const candidates = indexCandidates(pairs, component, lineRows, paymentRows);
  const isSmall = lineRows.length <= MAX_PROPOSAL_ROWS && paymentRows.length <= MAX_PROPOSAL_ROWS;
  const assignment = isSmall ? findBestAssignment(lineRows.length, paymentRows.length, candidates) : null;
  const remark = `${lineRows.length} lines and ${paymentRows.length} payments are compatible with each other`;
  const explanation = isSmall ? {} : { remark };
  const paymentsPerLine = countFieldValues(candidates, 'line');
  const linesPerPayment = countFieldValues(candidates, 'payment');
  for (const [at, line] of lineRows.entries()) {
    if (state.lineState[line] !== ROW_FREE) continue;
    const assigned = assignment?.[at] ?? -1;
    const payment = paymentRows[assigned] ?? -1;
    const proposed = state.paymentState[payment] === ROW_FREE ? [payment] : [];
    const paymentCount = paymentsPerLine.get(at) ?? 0;
    const lineCount = linesPerPayment.get(assigned) ?? 1;
    state.addMatch({
      rule,
      status: 'ambiguous',
      score: Math.max(5, Math.round(60 / Math.max(paymentCount, lineCount))),
      lines: [line],
      payments: proposed,
      alternatives: paymentCount - proposed.length + (lineCount - 1),
      idKind,
      ...explanation,
    });
  }
  for (const row of paymentRows) state.reserve(row);
}

/** Converts pairs of rows to pairs of indexes in the two lists. */
function indexCandidates(
  pairs: CandidatePairs,
  component: readonly number[],
  lineRows: readonly number[],
  paymentRows: readonly number[],
): AssignmentCandidate[] {
  const lineIndex = new Map(lineRows.map((row, at) => [row, at]));
  const paymentIndex = new Map(paymentRows.map((row, at) => [row, at]));
  return component.map((pair) => ({
    line: lineIndex.get(pairs.line.at(pair)) as number,
    payment: paymentIndex.get(pairs.payment.at(pair)) as number,
    cost: pairs.cost.at(pair),
  }));
}

function sortUnique(
  component: readonly number[],
  rows: IntColumn,
  compare: (a: number, b: number) => number,
): number[] {
  return [...new Set(component.map((pair) => rows.at(pair)))].sort(compare);
}

/** Returns how often each value of a field occurs. */
export function countFieldValues<Field extends string>(
  items: readonly { readonly [field in Field]: number }[],
  field: Field,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item[field], (counts.get(item[field]) ?? 0) + 1);
  return counts;
}

/** Compares two lines by content, so that the order of imports does not matter. Equal lines are ordered by id. */
export function compareLines({ lines, accounts }: MatchState, a: number, b: number): number {
  return (
    lines.day.at(a) - lines.day.at(b) ||
    lines.openCents.at(a) - lines.openCents.at(b) ||
    lines.contentHash.at(a) - lines.contentHash.at(b) ||
    compareTexts(accounts[lines.account.at(a)]?.name ?? '', accounts[lines.account.at(b)]?.name ?? '') ||
    lines.id.at(a) - lines.id.at(b)
  );
}

/** Compares two payments, so that their order does not depend on the input order. */
export function comparePayments({ payments }: MatchState, a: number, b: number): number {
  return (
    payments.day.at(a) - payments.day.at(b) ||
    payments.id.at(a) - payments.id.at(b) ||
    compareTexts(payments.gatewayId.at(a), payments.gatewayId.at(b))
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
