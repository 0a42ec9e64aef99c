import { Board, FREE, TAKEN } from './board.ts';
import { Counts, matchByAmount } from './byAmount.ts';
import { matchByIds } from './byIds.ts';
import { matchByPayee } from './byPayee.ts';
import { Names } from './column.ts';
import { Doubts } from './doubts.ts';
import type { Evidence } from './evidence.ts';
import { Lines } from './lines.ts';
import type { Claim, Decline, MatchInput, Matching, PayoutBridge } from './model.ts';
import { ruleIds } from './model.ts';
import { Payees } from './payees.ts';
import { currencyOf, Days, GATEWAY, Payments, STATEMENT, TRANSACTION } from './payments.ts';
import { matchByDays } from './payoutDays.ts';
import { Batches } from './payouts.ts';
import { matchReversals } from './reversals.ts';
import { suggestSums } from './sums.ts';
import { groupsOf } from './telling.ts';
import type { UserRule } from './userRule.ts';
import { Windows } from './windows.ts';

/** What matching comes to. RangeError for a row that is there twice, is of no account, or has no date. */
export function match(input: MatchInput): Matching {
  const { accounts } = input;
  const rules = input.rules ?? [];
  const days = new Days();
  const currencies = new Names();
  const payments = new Payments();
  const payees = new Payees();
  const claims = claimsOf(input.claims ?? []);
  for (const payment of input.payments) {
    const currency = currencyOf(currencies, payment.currency);
    payments.add(payment, days.of(payment.paid_on), currency, claims.payment.get(payment.id) ?? 0);
    payees.add(payment.names);
  }
  const names = new Names();
  const lines = new Lines({ payments, payees, accounts, rules, batches: names, currencies });
  const accountOf = new Map(accounts.map(({ id }, at) => [id, at]));
  for (const line of input.lines) lines.add(line, days, accountOf, claims.line.get(line.id) ?? 0);

  const batches = new Batches(lines, payments, names, accounts, input.payouts ?? [], days);
  const board = new Board(
    lines,
    payments,
    accounts,
    batches,
    declinesOf(input.declined ?? [], lines, payments),
  );
  run(board, payees, rules);
  return told(board, currencies, rules);
}

function run(board: Board, payees: Payees, rules: readonly UserRule[]): void {
  const { lines } = board;
  const { evidence } = lines;
  const { mentions, places } = evidence;
  const kindOf = (at: number): number => mentions.kind.at(at);
  const trusted = (at: number): boolean => places.trusted(mentions.place.at(at), kindOf(at));
  const isNumber = (at: number): boolean => kindOf(at) >= TRANSACTION && kindOf(at) <= STATEMENT;
  const reported = (at: number): boolean => isNumber(at) && lines.isProcessor(mentions.line.at(at));
  const batches = board.batches.mentions(evidence);
  const always = (): boolean => true;
  matchByIds(board, 'gateway-id', mentions, (at) => kindOf(at) === GATEWAY, trusted, rules);
  matchByIds(board, 'payout-reference', mentions, reported, trusted, rules);
  matchByIds(board, 'payout-reference', batches, always, always, rules);
  matchByIds(board, 'id-in-text', mentions, isNumber, trusted, rules);
  board.windows = windowsOf(board);
  matchReversals(board, evidence, 'refunds');
  applyRules(board, rules);
  const speaks = new Uint8Array(lines.length);
  for (let at = 0; at < mentions.line.length; at++)
    if (trusted(at) && kindOf(at) <= STATEMENT) speaks[mentions.line.at(at)] = 1;
  const { somebody } = matchByPayee(board, payees, evidence, speaks);
  const counts = new Counts(board);
  const strange = strangeNumbers(evidence);
  matchByAmount(board, counts, new Doubts(board, counts, { speaks, somebody, strange }));
  matchByDays(board, counts);
  matchReversals(board, evidence, 'all');
  suggestSums(board, counts);
}

/** How long money takes, from the matches that an id proves. */
function windowsOf(board: Board): Windows {
  const windows = new Windows(board.accounts);
  for (let group = 0; group < board.count; group++) {
    if (board.status.at(group) !== 0 || board.batch.at(group) !== -1) continue;
    for (let at = board.linesFrom.at(group); at < board.linesFrom.at(group + 1); at++) {
      const line = board.line.at(at);
      for (let to = board.paymentsFrom.at(group); to < board.paymentsFrom.at(group + 1); to++) {
        windows.see(board.lines.account.at(line), board.lag(line, board.payment.at(to)));
      }
    }
  }
  windows.learn(board.accounts);
  return windows;
}

/** Lines that a rule of the user’s takes, of those that no id has matched. */
function applyRules(board: Board, rules: readonly UserRule[]): void {
  const { lines } = board;
  for (let row = 0; row < lines.length; row++) {
    const taker = lines.taker.at(row);
    const action = rules[taker]?.action;
    if (
      action === undefined ||
      action.do === 'tolerate' ||
      board.lineState[row] !== FREE ||
      board.declined(row, -1)
    )
      continue;
    const category = action.do === 'ignore' ? 'ignored' : action.category;
    board.add({
      rule: 'user-rule',
      status: 'confirmed',
      score: 100,
      lines: [row],
      payments: [],
      adjustments: [[category, lines.open.at(row), null]],
      userRule: taker,
    });
  }
}

/** Numbers where references stand that are no payment’s, by line. */
function strangeNumbers({
  unknownLine,
  unknownPlace,
  unknownValue,
  places,
}: Evidence): ReadonlyMap<number, readonly number[]> {
  const strange = new Map<number, number[]>();
  for (let at = 0; at < unknownLine.length; at++) {
    if (!places.speaks(unknownPlace.at(at))) continue;
    const line = unknownLine.at(at);
    const of = strange.get(line);
    if (of === undefined) strange.set(line, [unknownValue.at(at)]);
    else of.push(unknownValue.at(at));
  }
  return strange;
}

function told(board: Board, currencies: Names, rules: readonly UserRule[]): Matching {
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
    groups: () => groupsOf(board, currencies, rules),
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
      const line = lines.index.get(id);
      if (line === undefined) continue;
      const no = pairs.get(line) ?? new Set();
      for (const payment of decline.payments) {
        const row = payments.index.get(payment);
        if (row !== undefined) no.add(row);
      }
      if (decline.payments.length === 0) no.add(-1);
      pairs.set(line, no);
    }
  }
  return pairs;
}
