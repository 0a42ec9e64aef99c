import { type Cents, money, sumCents } from '../ledger/index.ts';
import type { Collector } from './collector.ts';
import { decimalsOf } from './currency.ts';
import type { BankLine, BankStatement, Payout } from './file.ts';

/** So many breaks of a running balance are listed one by one; the rest is counted. */
const MOST_BREAKS = 20;

/** Lines with their occurrence numbers: twins of account, bank id, amount, currency and day are counted in the file's order. */
export function withOccurrences(
  lines: readonly BankLine[],
  statements: readonly BankStatement[],
): BankLine[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const { statement, bank_id, amount_in_cents, currency, booked_on } = line;
    const account = statements[statement]?.account ?? null;
    const key = JSON.stringify([account, bank_id, amount_in_cents, currency, booked_on]);
    const occurrence = (seen.get(key) ?? 0) + 1;
    seen.set(key, occurrence);
    return occurrence === 1 ? line : { ...line, occurrence };
  });
}

/** Fills in what follows from the lines, and holds the balances of the file against them. */
export function checkBalances(file: Collector): void {
  const byStatement: BankLine[][] = file.statements.map(() => []);
  for (const line of file.lines) byStatement[line.statement]?.push(line);
  file.statements.forEach((statement, index) => {
    const lines = byStatement[index] as BankLine[];
    for (const { booked_on } of lines) {
      if (statement.from === null || booked_on < statement.from) statement.from = booked_on;
      if (statement.to === null || booked_on > statement.to) statement.to = booked_on;
    }
    const currencies = new Set(lines.map(({ currency }) => currency));
    if (statement.currency === null && currencies.size === 1) statement.currency = lines[0]?.currency ?? null;
    if (currencies.size > 1) return;
    runningBalance(file, statement, lines);
    footing(file, statement, lines);
  });
  continuity(file);
}

function footing(file: Collector, statement: BankStatement, lines: readonly BankLine[]): void {
  const { opening, closing, currency, place } = statement;
  if (opening === null || closing === null) return;
  const sum = sumOf(lines);
  if (sum === null) {
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

/** Balances stated after each line, oldest first or newest first, whichever fits better. */
function runningBalance(
  file: Collector,
  statement: {
    opening: BankStatement['opening'];
    closing: BankStatement['closing'];
    currency: string | null;
  },
  lines: readonly BankLine[],
): void {
  if (lines.length === 0 || lines.some((line) => line.balance_in_cents === null)) return;
  const effect = (line: BankLine) => line.net_in_cents ?? line.amount_in_cents;
  const after = (line: BankLine) => line.balance_in_cents as Cents;
  const breaks = (ordered: readonly BankLine[]) =>
    ordered.filter((line, at) => {
      const before = ordered[at - 1];
      return before !== undefined && after(before) + effect(line) !== after(line);
    });
  const newestFirst = lines.toReversed();
  const [forward, backward] = [breaks(lines), breaks(newestFirst)];
  const turned = backward.length < forward.length || (backward.length === forward.length && isFalling(lines));
  const [ordered, found] = turned ? [newestFirst, backward] : [lines, forward];
  // Balances in an order of their own (by value date, say) prove nothing.
  if (lines.length > 4 && found.length > lines.length / 2) {
    file.problem(
      'balance',
      'the file',
      'The balances after the lines follow neither from the top nor from the bottom.',
    );
    return;
  }
  for (const line of found.slice(0, MOST_BREAKS)) {
    const before = ordered[ordered.indexOf(line) - 1] as BankLine;
    const say = (amount: Cents) => inCurrency(amount, statement.currency);
    file.problem(
      'balance',
      line.place,
      `The balance ${say(after(before))} and ${say(effect(line))} give ${say(after(before) + effect(line))}, but the balance after this line is ${say(after(line))}.`,
      line.description,
      line.row,
    );
  }
  if (found.length > MOST_BREAKS) {
    file.problem(
      'balance',
      'the file',
      `${found.length - MOST_BREAKS} more lines do not fit their balances.`,
    );
  }
  const [oldest, newest] = [ordered[0] as BankLine, ordered.at(-1) as BankLine];
  statement.opening ??= { amount_in_cents: after(oldest) - effect(oldest), date: null };
  statement.closing ??= { amount_in_cents: after(newest), date: newest.booked_on };
}

const isFalling = (lines: readonly BankLine[]) =>
  (lines[0]?.booked_on ?? '') > (lines.at(-1)?.booked_on ?? '');

/** A statement of an account begins where the one before it in the file ended. */
function continuity(file: Collector): void {
  const last = new Map<string, BankStatement>();
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

/** The batches of a payout report. */
export function payoutsOf(lines: readonly BankLine[], paidOn: ReadonlyMap<string, string>): Payout[] {
  const batches = new Map<string, { -readonly [Name in keyof Payout]: Payout[Name] }>();
  for (const line of lines) {
    if (line.payout_id === null || line.net_in_cents === null) continue;
    const { payout_id, currency } = line;
    const key = JSON.stringify([payout_id, currency]);
    const batch = batches.get(key) ?? {
      payout_id,
      currency,
      paid_on: paidOn.get(payout_id) ?? null,
      stated_in_cents: null,
      gross_in_cents: 0,
      fee_in_cents: 0,
      net_in_cents: 0,
      lines: 0,
    };
    batches.set(key, batch);
    if (line.kind === 'payout') {
      batch.stated_in_cents = (batch.stated_in_cents ?? 0) - line.net_in_cents;
      batch.paid_on ??= line.booked_on;
    } else {
      batch.gross_in_cents += line.amount_in_cents;
      batch.fee_in_cents += line.fee_in_cents ?? 0;
      batch.net_in_cents += line.net_in_cents;
      batch.lines += 1;
    }
  }
  return [...batches.values()];
}

/** Payouts whose own figure is not what their lines add up to. */
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

function sumOf(lines: readonly BankLine[]): Cents | null {
  try {
    return sumCents(lines.map((line) => line.net_in_cents ?? line.amount_in_cents));
  } catch {
    return null;
  }
}

/** An amount with its currency and its currency's decimals: `1,234.50 EUR`, `-1,234 JPY`. */
export function inCurrency(amount: Cents, currency: string | null): string {
  const decimals = decimalsOf(currency);
  const hundredths = money(amount);
  const figure =
    decimals === 2 ? hundredths : `${amount < 0 ? '-' : ''}${withDecimals(Math.abs(amount), decimals)}`;
  return currency === null ? figure : `${figure} ${currency}`;
}

function withDecimals(amount: Cents, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}
