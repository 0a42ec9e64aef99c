import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { type HeldLine, heldLines, type LineKey } from '../store/bank/bank-line.ts';
import {
  countWords,
  daysContinued,
  daysOfLines,
  type Fate,
  linesByKey,
  setFate,
} from '../store/bank/plan-store.ts';
import { commit, type WritableDb } from '../store/database.ts';
import { hasNumber, keyText } from './identity.ts';
import { judge } from './verdicts.ts';

/** What is held against what an account holds. */
export interface Unjudged {
  readonly account: { readonly id: number | null; readonly name: string };
  readonly sha256: string;
  readonly rows: WritableDb;
  /** Statements of other accounts, whose lines are left out. */
  readonly foreign: readonly number[];
  /** Rows that are brought in although lines like them are held. */
  readonly wanted: ReadonlySet<number>;
}

/** What the new lines of a file come to. */
export interface NewFigures extends Pick<ImportPlan, 'sums' | 'first_on' | 'last_on'> {
  readonly count: number;
}

/** Holds the lines of a file against what the account holds now, and keeps what becomes of each; the digest is over all that will be done. */
export function judgePlan(open: OpenSite, plan: Unjudged): { digest: string; figures: NewFigures } {
  const tally = new NewTally();
  const digest = commit(plan.rows, () =>
    judged(open, plan, (line, fate) => {
      if (fate.verdict === 'new') tally.add(line);
      if (fate.verdict !== 'new' || fate.occurrence !== 1 || fate.isBack) setFate(plan.rows, fate);
    }),
  );
  return { digest, figures: tally.figures() };
}

/** The digest that the plan would have now. */
export function digestNow(open: OpenSite, plan: Unjudged): string {
  return judged(open, plan, () => undefined);
}

function judged(
  { books }: OpenSite,
  { account, sha256, rows, foreign, wanted }: Unjudged,
  each: (line: LineKey, fate: Fate) => void,
): string {
  const days = daysOfLines(rows);
  const held = () => (account.id === null || days === null ? [] : heldLines(books, account.id, days));
  const continued = daysContinued(rows, numbered(held()), foreign);
  // Lines with a bank's id, or with a number like no other's, speak for themselves.
  const isTelling = ({ words }: LineKey) =>
    words === 0 || (hasNumber(words) && countWords(rows, words, foreign) === 1);
  const hash = createHash('sha256').update(`${sha256}\n${account.id ?? account.name}\n`);
  for (const { line, fate } of judge(
    linesByKey(rows, foreign),
    held(),
    (row) => wanted.has(row),
    (key) => continued.has(key.booked_on) && !isTelling(key),
  )) {
    each(line, fate);
    const { row, verdict, occurrence, isBack } = fate;
    if (verdict === 'new') hash.update(`${row} ${keyText(line)} ${occurrence}${isBack ? ' back' : ''}\n`);
  }
  return hash.digest('hex');
}

function* numbered(held: Iterable<HeldLine>): Generator<LineKey> {
  for (const line of held) if (!line.gone && hasNumber(line.words)) yield line;
}

class NewTally {
  #first: string | null = null;
  #last: string | null = null;
  readonly #sums = new Map<string, ImportPlan['sums'][number]>();

  /** Lines come in the order of their days. */
  add({ booked_on, currency, amount_in_cents }: LineKey): void {
    this.#first ??= booked_on;
    this.#last = booked_on;
    const sum = this.#sums.get(currency) ?? { currency, count: 0, in_cents: 0, out_cents: 0 };
    this.#sums.set(currency, sum);
    sum.count++;
    if (amount_in_cents > 0) sum.in_cents += amount_in_cents;
    else sum.out_cents += amount_in_cents;
  }

  figures(): NewFigures {
    const sums = [...this.#sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const count = sums.reduce((all, sum) => all + sum.count, 0);
    return { count, sums, first_on: this.#first, last_on: this.#last };
  }
}
