import type { CalendarDate, Cents } from '../ledger/index.ts';
import { getLineCents, type JournalEntryContent } from './journal-entry.ts';

/** A ledger line that may belong to an exported journal entry. Positive amounts are debits. */
export interface PostedLine {
  readonly id: number;
  readonly account: string;
  readonly dated_on: CalendarDate;
  readonly amount_in_cents: Cents;
  readonly currency: string;
  /** Entry number, reference and description of the line. */
  readonly text: string;
}

/** Returns the ids of the ledger lines that post each entry, by entry number. No line belongs to two entries. */
export function matchPostedEntries(
  entries: readonly JournalEntryContent[],
  lines: readonly PostedLine[],
): Map<string, readonly number[]> {
  const taken = new Set<number>();
  const matches = new Map<string, readonly number[]>();
  const assign = (entry: JournalEntryContent, candidates: readonly PostedLine[]): void => {
    if (!isSamePosting(entry, candidates)) return;
    for (const { id } of candidates) taken.add(id);
    matches.set(
      entry.number,
      candidates.map(({ id }) => id),
    );
  };
  for (const entry of entries)
    assign(
      entry,
      lines.filter(({ text, currency }) => currency === entry.currency && containsNumber(text, entry.number)),
    );
  const rest = entries.filter(({ number }) => !matches.has(number));
  for (const entry of rest) {
    // Equal entries on the same day cannot be told apart without their numbers.
    if (rest.some((other) => other !== entry && isEqualPosting(entry, other))) continue;
    const accounts = new Set(entry.lines.map(({ account }) => account));
    const amounts = new Set(entry.lines.map(getLineCents));
    assign(
      entry,
      lines.filter(
        (line) =>
          !taken.has(line.id) &&
          line.dated_on === entry.dated_on &&
          line.currency === entry.currency &&
          accounts.has(line.account) &&
          amounts.has(line.amount_in_cents),
      ),
    );
  }
  return matches;
}

const containsNumber = (text: string, number: string): boolean => {
  const at = text.indexOf(number);
  return at >= 0 && !/^\d/.test(text.slice(at + number.length));
};

const sumByAccount = (
  lines: readonly { readonly account: string; readonly cents: Cents }[],
): Map<string, Cents> => {
  const sums = new Map<string, Cents>();
  for (const { account, cents } of lines) sums.set(account, (sums.get(account) ?? 0) + cents);
  return sums;
};

const sumEntry = ({ lines }: JournalEntryContent): Map<string, Cents> =>
  sumByAccount(lines.map((line) => ({ account: line.account, cents: getLineCents(line) })));

const areEqual = (a: ReadonlyMap<string, Cents>, b: ReadonlyMap<string, Cents>): boolean =>
  a.size === b.size && [...a].every(([account, cents]) => b.get(account) === cents);

/** Returns true if the lines post exactly the entry's amount on each account. */
function isSamePosting(entry: JournalEntryContent, lines: readonly PostedLine[]): boolean {
  const posted = sumByAccount(lines.map(({ account, amount_in_cents: cents }) => ({ account, cents })));
  return lines.length > 0 && areEqual(sumEntry(entry), posted);
}

const isEqualPosting = (a: JournalEntryContent, b: JournalEntryContent): boolean =>
  a.dated_on === b.dated_on && a.currency === b.currency && areEqual(sumEntry(a), sumEntry(b));
