import { Board, TAKEN } from './board.ts';
import type { Claim, Decline, MatchInput, Matching, PayoutBridge, RuleId } from './model.ts';
import { ruleIds } from './model.ts';
import { runPasses } from './passes/passes.ts';
import { Names } from './rows/column.ts';
import { Lines } from './rows/lines.ts';
import { Payees } from './rows/payees.ts';
import { currencyOf, Days, Payments } from './rows/payments.ts';
import { Batches } from './rows/payouts.ts';
import { endsStep, whole } from './steps.ts';
import { groupsOf, orderOf } from './telling.ts';
import type { UserRule } from './user-rule.ts';

/** Where matching stands. */
export interface MatchStep {
  /** Payments and lines are read, then come the passes, and what they found is put in order. */
  readonly part: 'payments' | 'lines' | RuleId | 'order';
  /** Rows read so far. */
  readonly done: number;
}

/** What matching comes to. RangeError for a row that is there twice, is of no account, or has no date. */
export function match(input: MatchInput): Matching {
  return whole(matchInSteps(input));
}

/** The same in steps of some milliseconds: what is given up between two of them has changed nothing. */
export function* matchInSteps(input: MatchInput): Generator<MatchStep, Matching, undefined> {
  const { accounts, expected } = input;
  const rules = input.rules ?? [];
  const days = new Days();
  const currencies = new Names();
  const payments = new Payments(expected?.payments);
  const payees = new Payees();
  const claims = claimsOf(input.claims ?? []);
  for (const payment of input.payments) {
    const known = {
      day: days.of(payment.paid_on),
      currency: currencyOf(currencies, payment.currency),
      payer: payees.add(payment.names),
    };
    const row = payments.add(payment, known, claims.payment.get(payment.id) ?? 0);
    if (endsStep(row)) yield { part: 'payments', done: row + 1 };
  }
  const names = new Names();
  const lines = new Lines({
    payments,
    payees,
    accounts,
    rules,
    batches: names,
    currencies,
    expected: expected?.lines,
  });
  const accountOf = new Map(accounts.map(({ id }, at) => [id, at]));
  for (const line of input.lines) {
    const row = lines.add(line, days, accountOf, claims.line.get(line.id) ?? 0);
    if (endsStep(row)) yield { part: 'lines', done: row + 1 };
  }

  const batches = new Batches({
    lines,
    payments,
    names,
    currencies,
    accounts,
    told: input.payouts ?? [],
    days,
  });
  const board = new Board(
    lines,
    payments,
    accounts,
    batches,
    declinesOf(input.declined ?? [], lines, payments),
  );
  const done = payments.length + lines.length;
  for (const part of runPasses(board, payees, rules)) yield { part, done };
  const order = orderOf(board);
  for (;;) {
    const step = order.next();
    if (step.done) return told(board, currencies, rules, step.value);
    yield { part: 'order', done };
  }
}

function told(board: Board, currencies: Names, rules: readonly UserRule[], order: Int32Array): Matching {
  const passes = ruleIds.map((rule) => ({ rule, confirmed: 0, suggested: 0, ambiguous: 0 }));
  const sums = { confirmed: 0, suggested: 0, ambiguous: 0 };
  const fields = ['confirmed', 'suggested', 'ambiguous'] as const;
  for (let group = 0; group < board.count; group++) {
    const field = fields[board.status.at(group)] as (typeof fields)[number];
    const pass = passes[board.rule.at(group)];
    if (pass !== undefined) pass[field]++;
    sums[field]++;
  }
  const isFree = (state: number): number => (state === TAKEN ? 0 : 1);
  let unmatchedLines = 0;
  for (const state of board.lineState) unmatchedLines += isFree(state);
  let unmatchedPayments = 0;
  for (let row = 0; row < board.payments.length; row++) {
    if (board.payments.id.at(row) !== -1) unmatchedPayments += isFree(board.paymentState[row] as number);
  }
  return {
    passes,
    ...sums,
    unmatched_lines: unmatchedLines,
    unmatched_payments: unmatchedPayments,
    groups: () => groupsOf(board, order, currencies, rules),
    payouts: () => bridgesOf(board, currencies),
    remarks: board.remarks,
  };
}

function bridgesOf(board: Board, currencies: Names): PayoutBridge[] {
  const { batches, lines, accounts } = board;
  const deposits = new Map<number, { id: number; allocated_in_cents: number }>();
  for (let group = 0; group < board.count; group++) {
    const line = board.line.at(board.linesFrom.at(group));
    if (board.batch.at(group) === -1 || board.status.at(group) !== 0) continue;
    deposits.set(board.batch.at(group), { id: lines.id.at(line), allocated_in_cents: lines.open.at(line) });
  }
  return batches.all
    .map((batch, at) =>
      batches.bridge(at, lines, accounts, currencies.text(batch.currency), deposits.get(at) ?? null),
    )
    .sort((a, b) =>
      a.paid_on < b.paid_on ? -1 : a.paid_on > b.paid_on ? 1 : a.payout_id < b.payout_id ? -1 : 1,
    );
}

function claimsOf(claims: Iterable<Claim>): Record<Claim['of'], Map<number, number>> {
  const sums = { line: new Map<number, number>(), payment: new Map<number, number>() };
  for (const { of, id, amount_in_cents } of claims) {
    sums[of].set(id, (sums[of].get(id) ?? 0) + amount_in_cents);
  }
  return sums;
}

/** Declined pairs by rows; a declined group without payments is the line with no payment, -1. */
function declinesOf(
  declined: Iterable<Decline>,
  lines: Lines,
  payments: Payments,
): ReadonlyMap<number, ReadonlySet<number>> {
  const pairs = new Map<number, Set<number>>();
  for (const decline of declined) {
    for (const id of decline.lines) {
      const line = lines.rowOf(id);
      if (line === -1) continue;
      const no = pairs.get(line) ?? new Set();
      for (const payment of decline.payments) {
        const row = payments.rowOf(payment);
        if (row !== -1) no.add(row);
      }
      if (decline.payments.length === 0) no.add(-1);
      pairs.set(line, no);
    }
  }
  return pairs;
}
