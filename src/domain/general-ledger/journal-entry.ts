import { addCents, type CalendarDate, type Cents, formatMoney } from '../ledger/index.ts';

/** One line of a journal entry. Exactly one of both amounts is positive, the other is 0. */
export interface JournalLine {
  readonly account: string;
  readonly debit_in_cents: Cents;
  readonly credit_in_cents: Cents;
}

/** A numbered journal entry that can be exported. */
export interface JournalEntryContent {
  readonly number: string;
  readonly dated_on: CalendarDate;
  readonly currency: string;
  readonly memo: string;
  readonly lines: readonly JournalLine[];
}

/** Creates a journal line from cents; a positive amount is a debit. */
export const toJournalLine = (account: string, cents: Cents): JournalLine => ({
  account,
  debit_in_cents: Math.max(cents, 0),
  credit_in_cents: Math.max(0 - cents, 0),
});

/** Returns the amount of a line in cents; positive for a debit. */
export const getLineCents = ({ debit_in_cents, credit_in_cents }: JournalLine): Cents =>
  debit_in_cents - credit_in_cents;

/** Returns the reason why the lines do not form a complete journal entry; null if they do. */
export function findJournalEntryError(lines: readonly JournalLine[]): string | null {
  if (lines.length < 2) return 'A journal entry needs at least two lines.';
  const invalid = lines.findIndex(
    ({ debit_in_cents: debit, credit_in_cents: credit }) =>
      debit < 0 || credit < 0 || debit > 0 === credit > 0,
  );
  if (invalid >= 0) return `Line ${invalid + 1} must have either a debit or a credit.`;
  const difference = lines.reduce((sum, line) => addCents(sum, getLineCents(line)), 0);
  if (difference === 0) return null;
  return `The entry does not balance: debits and credits differ by ${formatMoney(Math.abs(difference))}.`;
}

/** Formats the number of an entry, for example `T2026-10-0007`. It is unique within a site. */
export const formatEntryNumber = (period: string, sequence: number): string =>
  `T${period}-${String(sequence).padStart(4, '0')}`;

/** Returns the lines of an entry with debit and credit swapped. */
export const reverseLines = (lines: readonly JournalLine[]): JournalLine[] =>
  lines.map(({ account, debit_in_cents, credit_in_cents }) => ({
    account,
    debit_in_cents: credit_in_cents,
    credit_in_cents: debit_in_cents,
  }));

/** A posting from one account to one contra account, the form that some accounting systems require. */
export interface AccountTransfer {
  readonly debit_account: string;
  readonly credit_account: string;
  readonly amount_in_cents: Cents;
}

/** Splits a balanced entry into transfers between two accounts that add up to the entry's lines. */
export function splitIntoTransfers(lines: readonly JournalLine[]): AccountTransfer[] {
  const debits = lines
    .filter((line) => line.debit_in_cents > 0)
    .map((line) => ({ ...line, rest: line.debit_in_cents }));
  const credits = lines
    .filter((line) => line.credit_in_cents > 0)
    .map((line) => ({ ...line, rest: line.credit_in_cents }));
  const transfers: AccountTransfer[] = [];
  for (const debit of debits) {
    while (debit.rest > 0) {
      const credit = credits.find(({ rest }) => rest > 0);
      if (credit === undefined) throw new RangeError('The entry does not balance.');
      const amount_in_cents = Math.min(debit.rest, credit.rest);
      debit.rest -= amount_in_cents;
      credit.rest -= amount_in_cents;
      transfers.push({ debit_account: debit.account, credit_account: credit.account, amount_in_cents });
    }
  }
  return transfers;
}
