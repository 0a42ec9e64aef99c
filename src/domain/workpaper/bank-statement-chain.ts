import { addDays, type CalendarDate, type Cents, countDaysBetween, type DateRange } from '../ledger/index.ts';

/** A bank statement that states a closing balance. */
export interface BankStatementBalances {
  readonly id: number;
  readonly number: string | null;
  /** First and last day that the statement covers. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly opening: Cents | null;
  readonly closing: Cents;
}

/** A statement and how it joins the previous statement of the account. */
export interface BankStatementLink<Statement extends BankStatementBalances = BankStatementBalances> {
  readonly statement: Statement;
  readonly previous: Statement | null;
  /** Opening balance minus the previous closing balance, in cents; null if either is unknown. */
  readonly gap: Cents | null;
  /** Number of days between this statement and the previous one that neither covers. */
  readonly daysBetween: number;
  /** Number of statements missing before this one. Null if the statement numbers are not consecutive integers. */
  readonly missingNumbers: number | null;
}

/** Returns the statements in chronological order, each with its link to the previous one. Repeated statements are omitted. */
export function linkBankStatements<Statement extends BankStatementBalances>(
  statements: readonly Statement[],
): BankStatementLink<Statement>[] {
  const links: BankStatementLink<Statement>[] = [];
  const known = new Set<string>();
  for (const statement of statements.toSorted(compareStatements)) {
    const { from, to, opening, closing } = statement;
    const key = JSON.stringify([from, to, opening, closing]);
    if (known.has(key)) continue;
    known.add(key);
    const previous = links.at(-1)?.statement ?? null;
    const gap = previous === null || opening === null ? null : opening - previous.closing;
    const daysBetween = previous === null ? 0 : Math.max(countDaysBetween(previous.to, from) - 1, 0);
    links.push({ statement, previous, gap, daysBetween, missingNumbers: countMissing(previous, statement) });
  }
  return links;
}

function compareStatements(a: BankStatementBalances, b: BankStatementBalances): number {
  if (a.to !== b.to) return a.to < b.to ? -1 : 1;
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return (parseNumber(a.number) ?? 0) - (parseNumber(b.number) ?? 0) || a.id - b.id;
}

/** Returns the number of statements missing by number. Banks restart their numbers, for example each year. */
function countMissing(
  previous: BankStatementBalances | null,
  { number }: BankStatementBalances,
): number | null {
  const [before, now] = [parseNumber(previous?.number ?? null), parseNumber(number)];
  if (before === null || now === null || now <= before) return null;
  return now - before - 1;
}

/** Returns the number of a statement without its page, for example 7 for `7/1`; null for any other text. */
function parseNumber(number: string | null): number | null {
  const digits = /^(\d{1,9})(?:\/\d{1,9})?$/.exec(number ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns true if a balance proves that no movement is missing between a statement and the previous one. */
const joinsPreviousStatement = ({ gap }: Pick<BankStatementLink, 'gap'>): boolean => gap === 0;

/** A balance at the end of a day, with the statement that states it. */
export interface BalanceAnchor {
  readonly statement: number;
  readonly day: CalendarDate;
  readonly balance: Cents;
}

/** Stated balances of an account at the start and end of a period, and the days that no statement covers. */
export interface AccountBalances {
  /** Latest stated balance before the period, or else the earliest one within it. */
  readonly opening: BalanceAnchor;
  /** Earliest stated balance on or after the period's last day, or else the latest one before; null if missing. */
  readonly closing: BalanceAnchor | null;
  readonly uncovered: readonly DateRange[];
}

/** Finds the balances that open and close a period. Returns null if no statement states a balance. */
export function findAccountBalances(
  links: readonly BankStatementLink[],
  period: DateRange,
): AccountBalances | null {
  const anchors = links.flatMap(listAnchors).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  if (anchors.length === 0) return null;
  const before = addDays(period.first, -1);
  const opening = anchors.findLast(({ day }) => day <= before) ?? (anchors[0] as BalanceAnchor);
  const later = anchors.slice(anchors.indexOf(opening) + 1);
  const closing = later.find(({ day }) => day >= period.last) ?? later.at(-1) ?? null;
  return { opening, closing, uncovered: listUncoveredDays(links, period) };
}

/** Returns the balances that a statement states. The opening balance is omitted if it only repeats the previous closing. */
function listAnchors({ statement, previous, gap }: BankStatementLink): BalanceAnchor[] {
  const { id, from, to, opening, closing } = statement;
  const last = { statement: id, day: to, balance: closing };
  // If the previous statement covers the first day, the opening balance is not an end-of-day balance.
  const isRepeated = gap === 0 || (previous !== null && previous.to >= from);
  if (opening === null || isRepeated) return [last];
  return [{ statement: id, day: addDays(from, -1), balance: opening }, last];
}

/** Returns the days of a period that no statement covers. Days between joined statements are covered. */
function listUncoveredDays(links: readonly BankStatementLink[], { first, last }: DateRange): DateRange[] {
  const uncovered: DateRange[] = [];
  let next = first;
  const covered = links
    .map((link) => ({
      from:
        joinsPreviousStatement(link) && link.previous !== null
          ? addDays(link.previous.to, 1)
          : link.statement.from,
      to: link.statement.to,
    }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  for (const { from, to } of covered) {
    if (from > last) break;
    if (from > next) uncovered.push({ first: next, last: addDays(from, -1) });
    if (to >= next) next = addDays(to, 1);
  }
  if (next <= last) uncovered.push({ first: next, last });
  return uncovered;
}
