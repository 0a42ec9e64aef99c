import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type BankLineKey, readStoredBankLines, type StoredBankLine } from '../store/bank/bank-line.ts';
import {
  type BankLineVerdict,
  countLinesByTextHash,
  findContinuationDays,
  findPlannedDateRange,
  readPlannedLinesByKey,
  saveBankLineVerdict,
} from '../store/bank/import-plan-store.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { doesHashedTextContainNumber, formatBankLineKey } from './bank-line-key.ts';
import { separateNewBankLines } from './separate-new-bank-lines.ts';

/** Lines of a file to be compared with an account's stored lines. */
export interface ImportComparison {
  readonly account: { readonly id: number | null; readonly name: string };
  readonly sha256: string;
  readonly rows: WritableDb;
  /** Indexes of the file's statements for other accounts. Their lines are skipped. */
  readonly skippedStatements: readonly number[];
  /** Numbers of the rows to import even if the account already has equal lines. */
  readonly forcedRows: ReadonlySet<number>;
}

/** Totals of the file's new lines. */
export interface NewBankLineTotals extends Pick<ImportPlan, 'sums' | 'first_on' | 'last_on'> {
  readonly count: number;
}

/**
 * Compares a file's lines with the account's stored lines and stores a verdict for each. The digest covers everything
 * that the import will do.
 */
export function compareWithStoredBankLines(
  open: OpenSite,
  plan: ImportComparison,
): { digest: string; figures: NewBankLineTotals } {
  const tally = new NewLineTally();
  const digest = runInTransaction(plan.rows, () =>
    compareLines(open, plan, (line, fate) => {
      if (fate.verdict === 'new') tally.add(line);
      if (fate.verdict !== 'new' || fate.occurrence !== 1 || fate.isRestored)
        saveBankLineVerdict(plan.rows, fate);
    }),
  );
  return { digest, figures: tally.figures() };
}

/** Returns the digest that a new plan for the same file would have now. */
export function computeCurrentPlanDigest(open: OpenSite, plan: ImportComparison): string {
  return compareLines(open, plan, () => undefined);
}

function compareLines(
  { books }: OpenSite,
  { account, sha256, rows, skippedStatements, forcedRows }: ImportComparison,
  onLine: (line: BankLineKey, fate: BankLineVerdict) => void,
): string {
  const days = findPlannedDateRange(rows);
  const stored = () =>
    account.id === null || days === null ? [] : readStoredBankLines(books, account.id, days);
  const continued = findContinuationDays(rows, filterLinesWithNumbers(stored()), skippedStatements);
  // Returns true for a line that has a bank id, or a number that occurs once in the file. Such lines identify
  // themselves.
  const isIdentifying = ({ text_hash }: BankLineKey) =>
    text_hash === 0 ||
    (doesHashedTextContainNumber(text_hash) &&
      countLinesByTextHash(rows, text_hash, skippedStatements) === 1);
  const hash = createHash('sha256').update(`${sha256}\n${account.id ?? account.name}\n`);
  for (const { line, decision } of separateNewBankLines(
    readPlannedLinesByKey(rows, skippedStatements),
    stored(),
    (row) => forcedRows.has(row),
    (key) => continued.has(key.booked_on) && !isIdentifying(key),
  )) {
    onLine(line, decision);
    const { row, verdict, occurrence, isRestored } = decision;
    if (verdict === 'new')
      hash.update(`${row} ${formatBankLineKey(line)} ${occurrence}${isRestored ? ' back' : ''}\n`);
  }
  return hash.digest('hex');
}

function* filterLinesWithNumbers(stored: Iterable<StoredBankLine>): Generator<BankLineKey> {
  for (const line of stored) if (!line.removed && doesHashedTextContainNumber(line.text_hash)) yield line;
}

class NewLineTally {
  #first: string | null = null;
  #last: string | null = null;
  readonly #sums = new Map<string, ImportPlan['sums'][number]>();

  /** Adds a line. Lines must be added in date order. */
  add({ booked_on, currency, amount_in_cents }: BankLineKey): void {
    this.#first ??= booked_on;
    this.#last = booked_on;
    const sum = this.#sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    this.#sums.set(currency, sum);
    sum.count++;
    if (amount_in_cents > 0) sum.in_cents += amount_in_cents;
    else sum.out_cents += amount_in_cents;
  }

  figures(): NewBankLineTotals {
    const sums = [...this.#sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const count = sums.reduce((all, sum) => all + sum.count, 0);
    return { count, sums, first_on: this.#first, last_on: this.#last };
  }
}
