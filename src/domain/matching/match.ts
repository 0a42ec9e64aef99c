import { isLastRowOfStep, runAllSteps } from '../work-steps/work-steps.ts';
import { BankLineTable } from './indexes/bank-lines.ts';
import { TextNumbering } from './indexes/columns.ts';
import { CustomerNames } from './indexes/customer-names.ts';
import { DayNumberCache, PaymentTable, toCurrencyIndex } from './indexes/payments.ts';
import { ProcessorPayouts } from './indexes/processor-payouts.ts';
import { buildMatchGroups, sortMatches } from './match-groups.ts';
import type {
  ClaimedAmount,
  DeclinedMatch,
  MatchInput,
  MatchingResult,
  MatchPassId,
  PayoutBridge,
} from './model/match-types.ts';
import { matchPassIds } from './model/match-types.ts';
import { runPasses } from './passes/run-passes.ts';
import { type DeclinedPairs, MatchState, matchStatuses, ROW_EXPLAINED } from './state/match-state.ts';

export interface MatchingStep {
  /** Current part of the run: reading payments or lines, a matching pass, or sorting the result. */
  readonly part: 'payments' | 'lines' | MatchPassId | 'order';
  readonly done: number;
}

/** Matches payments and bank lines. Throws RangeError for a repeated row, an unknown account or an invalid date. */
export const runMatching = (input: MatchInput): MatchingResult => runAllSteps(runMatchingInSteps(input));

/** Runs the matching in steps of a few milliseconds. Stopping between two steps has no side effects. */
export function* runMatchingInSteps(input: MatchInput): Generator<MatchingStep, MatchingResult, undefined> {
  const rules = input.rules ?? [];
  const currencies = new TextNumbering();
  const names = new CustomerNames();
  const state = yield* readInput(input, currencies, names);
  const done = state.payments.length + state.lines.length;
  for (const part of runPasses(state, names, rules)) yield { part, done };
  const order = sortMatches(state);
  for (;;) {
    const step = order.next();
    if (!step.done) {
      yield { part: 'order', done };
      continue;
    }
    return {
      ...countResults(state),
      groups: () => buildMatchGroups(state, step.value, currencies, rules),
      payouts: () => buildBridges(state, currencies),
      remarks: state.remarks,
    };
  }
}

function* readInput(
  input: MatchInput,
  currencies: TextNumbering,
  names: CustomerNames,
): Generator<MatchingStep, MatchState, undefined> {
  const { accounts, expected, rules = [] } = input;
  const days = new DayNumberCache();
  const claimedCents = sumClaims(input.claims ?? []);
  const payments = new PaymentTable(expected?.payments);
  for (const payment of input.payments) {
    const indexed = {
      day: days.toDayNumber(payment.paid_on),
      currency: toCurrencyIndex(currencies, payment.currency),
      customer: names.add(payment.names),
    };
    const row = payments.add(payment, indexed, claimedCents.payment.get(payment.id) ?? 0);
    if (isLastRowOfStep(row)) yield { part: 'payments', done: row + 1 };
  }
  const payoutNumbering = new TextNumbering();
  const lines = new BankLineTable({
    payments,
    customerNames: names,
    accounts,
    rules,
    payouts: payoutNumbering,
    currencies,
    expected: expected?.lines,
  });
  const accountIndexById = new Map(accounts.map(({ id }, at) => [id, at]));
  for (const line of input.lines) {
    const row = lines.add(line, days, accountIndexById, claimedCents.line.get(line.id) ?? 0);
    if (isLastRowOfStep(row)) yield { part: 'lines', done: row + 1 };
  }
  const payouts = new ProcessorPayouts({
    lines,
    payments,
    payoutNumbering,
    currencies,
    accounts,
    reportedPayouts: input.payouts ?? [],
    days,
  });
  const declinedPairs = collectDeclinedPairs(input.declined ?? [], lines, payments);
  return new MatchState({ lines, payments, accounts, payouts, declinedPairs });
}

function countResults(state: MatchState): Omit<MatchingResult, 'groups' | 'payouts' | 'remarks'> {
  const passes = matchPassIds.map((rule) => ({ rule, confirmed: 0, suggested: 0, ambiguous: 0 }));
  const totals = { confirmed: 0, suggested: 0, ambiguous: 0 };
  for (let match = 0; match < state.matchCount; match++) {
    const status = matchStatuses[state.status.at(match)];
    const pass = passes[state.pass.at(match)];
    if (status === undefined || pass === undefined) continue;
    pass[status]++;
    totals[status]++;
  }
  let [unmatchedLines, unmatchedPayments] = [0, 0];
  for (const lineState of state.lineState) if (lineState !== ROW_EXPLAINED) unmatchedLines++;
  for (let row = 0; row < state.payments.length; row++) {
    const isPayout = state.payments.id.at(row) === -1;
    if (!isPayout && state.paymentState[row] !== ROW_EXPLAINED) unmatchedPayments++;
  }
  return { passes, ...totals, unmatched_lines: unmatchedLines, unmatched_payments: unmatchedPayments };
}

function buildBridges(state: MatchState, currencies: TextNumbering): PayoutBridge[] {
  const { payouts, lines, accounts } = state;
  const deposits = new Map<number, { id: number; allocated_in_cents: number }>();
  const confirmed = matchStatuses.indexOf('confirmed');
  for (let match = 0; match < state.matchCount; match++) {
    if (state.payout.at(match) === -1 || state.status.at(match) !== confirmed) continue;
    const line = state.line.at(state.linesFrom.at(match));
    deposits.set(state.payout.at(match), {
      id: lines.id.at(line),
      allocated_in_cents: lines.openCents.at(line),
    });
  }
  return payouts.all
    .map(({ account, currency }, at) =>
      payouts.buildBridge(at, lines, {
        accountId: accounts[account]?.id ?? -1,
        currency: currencies.getText(currency),
        deposit: deposits.get(at) ?? null,
      }),
    )
    .sort((a, b) =>
      a.paid_on < b.paid_on ? -1 : a.paid_on > b.paid_on ? 1 : a.payout_id < b.payout_id ? -1 : 1,
    );
}

function sumClaims(claims: Iterable<ClaimedAmount>): Record<ClaimedAmount['of'], Map<number, number>> {
  const sums = { line: new Map<number, number>(), payment: new Map<number, number>() };
  for (const { of, id, amount_in_cents } of claims)
    sums[of].set(id, (sums[of].get(id) ?? 0) + amount_in_cents);
  return sums;
}

function collectDeclinedPairs(
  declinedMatches: Iterable<DeclinedMatch>,
  lines: BankLineTable,
  payments: PaymentTable,
): DeclinedPairs {
  const pairs = new Map<number, Set<number>>();
  for (const declined of declinedMatches) {
    const rows = declined.payments.map((id) => payments.findRow(id)).filter((row) => row !== -1);
    for (const id of declined.lines) {
      const line = lines.findRow(id);
      if (line === -1) continue;
      const declinedPayments = pairs.get(line) ?? new Set();
      for (const row of rows) declinedPayments.add(row);
      if (declined.payments.length === 0) declinedPayments.add(-1);
      pairs.set(line, declinedPayments);
    }
  }
  return pairs;
}
