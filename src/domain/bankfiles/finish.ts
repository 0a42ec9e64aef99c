import { type Cents, formatMoney } from '../ledger/index.ts';
import type { Collector, StatementDraft } from './collector.ts';
import { decimalsOf } from './currency.ts';
import type { Payout } from './file.ts';
import { balanceAfter, effectOf, MOST_BREAKS, type StatementTally } from './tally.ts';

/** Fills in what follows from the lines, and compares the file's balances with them. */
export function checkBalances(file: Collector): void {
  file.statements.forEach((statement, index) => {
    const tally = file.tallies[index]!;
    const { from, to, currencies } = tally;
    if (from !== null && (statement.from === null || from < statement.from)) statement.from = from;
    if (to !== null && (statement.to === null || to > statement.to)) statement.to = to;
    if (currencies.size === 1) statement.currency ??= [...currencies][0] ?? null;
    if (currencies.size > 1) return;
    runningBalance(file, statement, tally);
    footing(file, statement, tally);
  });
  continuity(file);
}

function footing(file: Collector, statement: StatementDraft, { sum, exact }: StatementTally): void {
  const { opening, closing, currency, place } = statement;
  if (opening === null || closing === null) return;
  if (!exact) {
    file.problem('balance', place, 'The lines add up to more than can be held exactly.');
    return;
  }
  const expected = opening.amount_in_cents + sum;
  const difference = closing.amount_in_cents - expected;
  if (difference === 0) return;
  const say = (amount: Cents) => inCurrency(amount, currency);
  file.problem(
    'balance',
    place,
    `The opening balance ${say(opening.amount_in_cents)} and lines of ${say(sum)} give ${say(expected)}, but the closing balance is ${say(closing.amount_in_cents)}: ${say(difference)} is not explained by the lines.`,
  );
}

/** Checks the balance after each line, oldest or newest first, whichever fits better. */
function runningBalance(
  file: Collector,
  statement: StatementDraft,
  { lines, balances }: Pick<StatementTally, 'lines' | 'balances'>,
): void {
  const { first, last, stated, downward, upward } = balances;
  if (!stated || first === null || last === null) return;
  const falls = first.booked_on > last.booked_on;
  const turned = upward.count < downward.count || (upward.count === downward.count && falls);
  const { count } = turned ? upward : downward;
  // Balances in an order of their own, for example by value date, prove nothing.
  if (lines > 4 && count > lines / 2) {
    file.problem(
      'balance',
      'the file',
      'The balances after the lines follow neither from the top nor from the bottom.',
    );
    return;
  }
  for (const { before, line } of turned ? upward.breaks.toReversed() : downward.breaks) {
    const say = (amount: Cents) => inCurrency(amount, statement.currency);
    const expected = balanceAfter(before) + effectOf(line);
    file.problem(
      'balance',
      line.place,
      `The balance ${say(balanceAfter(before))} and ${say(effectOf(line))} give ${say(expected)}, but the balance after this line is ${say(balanceAfter(line))}.`,
      line.description,
      line.row,
    );
  }
  if (count > MOST_BREAKS) {
    file.problem('balance', 'the file', `${count - MOST_BREAKS} more lines do not fit their balances.`);
  }
  const [oldest, newest] = turned ? [last, first] : [first, last];
  statement.opening ??= { amount_in_cents: balanceAfter(oldest) - effectOf(oldest), date: null };
  statement.closing ??= { amount_in_cents: balanceAfter(newest), date: newest.booked_on };
}

/** Checks that each statement of an account starts with the closing balance of the previous one in the file. */
function continuity(file: Collector): void {
  const last = new Map<string, StatementDraft>();
  for (const statement of file.statements) {
    if (statement.account === null) continue;
    const key = JSON.stringify([statement.account, statement.currency]);
    const before = last.get(key);
    last.set(key, statement);
    const [from, to] = [before?.closing ?? null, statement.opening];
    if (from === null || to === null || (before?.to ?? '') > (statement.from ?? '9999')) continue;
    if (from.amount_in_cents === to.amount_in_cents) continue;
    const say = (amount: Cents) => inCurrency(amount, statement.currency);
    file.problem(
      'balance',
      statement.place,
      `The statement begins with ${say(to.amount_in_cents)}, but the one before it ended with ${say(from.amount_in_cents)}: a statement may be missing between them.`,
    );
  }
}

/** Reports payouts whose stated amount differs from the sum of their lines. */
export function checkPayouts(file: Collector, payouts: readonly Payout[]): void {
  for (const { payout_id, currency, stated_in_cents, net_in_cents, lines } of payouts) {
    if (stated_in_cents === null || lines === 0 || stated_in_cents === net_in_cents) continue;
    const say = (amount: Cents) => inCurrency(amount, currency);
    file.problem(
      'balance',
      `payout ${payout_id}`,
      `The payout is ${say(stated_in_cents)}, but its ${lines} lines add up to ${say(net_in_cents)} net: ${say(stated_in_cents - net_in_cents)} is not explained by them.`,
    );
  }
}

/** Formats an amount with its currency and decimals: `1,234.50 EUR`, `-1,234 JPY`. */
export function inCurrency(amount: Cents, currency: string | null): string {
  const decimals = decimalsOf(currency);
  const hundredths = formatMoney(amount);
  const figure =
    decimals === 2 ? hundredths : `${amount < 0 ? '-' : ''}${withDecimals(Math.abs(amount), decimals)}`;
  return currency === null ? figure : `${figure} ${currency}`;
}

function withDecimals(amount: Cents, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}
