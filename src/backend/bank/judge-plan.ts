import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type LineKey, type StoredLine, storedLines } from '../store/bank/bank-line.ts';
import {
  countWords,
  daysContinued,
  daysOfLines,
  type Fate,
  linesByKey,
  setFate,
} from '../store/bank/plan-store.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';
import { hashContainsNumber, lineKeyText } from './identity.ts';
import { separateNewLines } from './verdicts.ts';

/** The lines of a file to compare with an account's stored lines. */
export interface ImportComparison {
  readonly account: { readonly id: number | null; readonly name: string };
  readonly sha256: string;
  readonly rows: WritableDb;
  /** Statements of other accounts, whose lines are left out. */
  readonly foreign: readonly number[];
  /** Rows to import although equal lines are stored. */
  readonly wanted: ReadonlySet<number>;
}

/** Totals of a file's new lines. */
export interface NewLineTotals extends Pick<ImportPlan, 'sums' | 'first_on' | 'last_on'> {
  readonly count: number;
}

/**
 * Compares a file's lines with the account's stored lines and stores what happens to each. The digest covers everything
 * that will be done.
 */
export function compareWithStoredLines(
  open: OpenSite,
  plan: ImportComparison,
): { digest: string; figures: NewLineTotals } {
  const tally = new NewTally();
  const digest = commit(plan.rows, () =>
    judged(open, plan, (line, fate) => {
      if (fate.verdict === 'new') tally.add(line);
      if (fate.verdict !== 'new' || fate.occurrence !== 1 || fate.isBack) setFate(plan.rows, fate);
    }),
  );
  return { digest, figures: tally.figures() };
}

/** Returns the digest that the plan would have now. */
export function currentPlanDigest(open: OpenSite, plan: ImportComparison): string {
  return judged(open, plan, () => undefined);
}

function judged(
  { books }: OpenSite,
  { account, sha256, rows, foreign, wanted }: ImportComparison,
  each: (line: LineKey, fate: Fate) => void,
): string {
  const days = daysOfLines(rows);
  const stored = () => (account.id === null || days === null ? [] : storedLines(books, account.id, days));
  const continued = daysContinued(rows, numbered(stored()), foreign);
  // Lines with a bank id or an unusual number identify themselves.
  const isTelling = ({ words }: LineKey) =>
    words === 0 || (hashContainsNumber(words) && countWords(rows, words, foreign) === 1);
  const hash = createHash('sha256').update(`${sha256}\n${account.id ?? account.name}\n`);
  for (const { line, fate } of separateNewLines(
    linesByKey(rows, foreign),
    stored(),
    (row) => wanted.has(row),
    (key) => continued.has(key.booked_on) && !isTelling(key),
  )) {
    each(line, fate);
    const { row, verdict, occurrence, isBack } = fate;
    if (verdict === 'new') hash.update(`${row} ${lineKeyText(line)} ${occurrence}${isBack ? ' back' : ''}\n`);
  }
  return hash.digest('hex');
}

function* numbered(stored: Iterable<StoredLine>): Generator<LineKey> {
  for (const line of stored) if (!line.gone && hashContainsNumber(line.words)) yield line;
}

class NewTally {
  #first: string | null = null;
  #last: string | null = null;
  readonly #sums = new Map<string, ImportPlan['sums'][number]>();

  /** Lines arrive in order of their dates. */
  add({ booked_on, currency, amount_in_cents }: LineKey): void {
    this.#first ??= booked_on;
    this.#last = booked_on;
    const sum = this.#sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    this.#sums.set(currency, sum);
    sum.count++;
    if (amount_in_cents > 0) sum.in_cents += amount_in_cents;
    else sum.out_cents += amount_in_cents;
  }

  figures(): NewLineTotals {
    const sums = [...this.#sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const count = sums.reduce((all, sum) => all + sum.count, 0);
    return { count, sums, first_on: this.#first, last_on: this.#last };
  }
}
