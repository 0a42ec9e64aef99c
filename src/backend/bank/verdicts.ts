import type { HeldLine, LineKey } from '../store/bank/bank-line.ts';
import type { Fate, FileLine } from '../store/bank/plan-store.ts';
import { compareBytes } from '../store/keyset.ts';

/** Held lines of one key. */
interface Twins {
  /** Numbers of the lines that stand, by occurrence. */
  readonly standing: number[];
  /** Occurrences of those that went with their import. */
  readonly gone: number[];
  last: number;
}

/**
 * Tells the new lines of a file from those held; both come in the order of their keys. Of lines alike in account, bank id, amount,
 * currency and day (and words, where the bank gives no id) as many are duplicates as are held: the first of three twins that a file
 * holds while two are held is not new, the third is.
 *
 * `isWanted`: rows that are new because a person said so. `goesOn`: whether a key is of a day that goes on where the file before it
 * ended; its twins are new then.
 */
export function* judge(
  lines: Iterable<FileLine>,
  held: Iterable<HeldLine>,
  isWanted: (row: number) => boolean,
  goesOn: (key: LineKey) => boolean,
): Generator<{ line: FileLine; fate: Fate }> {
  const rest = held[Symbol.iterator]();
  try {
    const twinsOf = twinsIn(rest);
    let twins: Twins | null = null;
    let before: FileLine | null = null;
    for (const line of lines) {
      if (twins === null || before === null || compareKeys(before, line) !== 0) twins = twinsOf(line);
      before = line;
      yield { line, fate: fateOf(line, twins, () => !isWanted(line.row) && !goesOn(line)) };
    }
  } finally {
    rest.return?.();
  }
}

function fateOf({ row }: FileLine, twins: Twins, mayBeHeld: () => boolean): Fate {
  if (twins.standing.length > 0 && mayBeHeld()) {
    return { row, verdict: 'duplicate', held: twins.standing.shift()!, occurrence: 1, isBack: false };
  }
  const back = twins.gone.shift();
  return { row, verdict: 'new', held: null, occurrence: back ?? ++twins.last, isBack: back !== undefined };
}

/** Gives the held lines of one key after the other; keys must be asked for in their order. */
function twinsIn(rest: Iterator<HeldLine>): (key: LineKey) => Twins {
  let next = rest.next();
  return (key) => {
    const twins: Twins = { standing: [], gone: [], last: 0 };
    for (; !next.done; next = rest.next()) {
      const order = compareKeys(next.value, key);
      if (order > 0) break;
      if (order < 0) continue;
      const { id, occurrence, gone } = next.value;
      twins.last = occurrence;
      if (gone) twins.gone.push(occurrence);
      else twins.standing.push(id);
    }
    return twins;
  };
}

/** The order of keys, as SQLite has it. */
function compareKeys(a: LineKey, b: LineKey): number {
  return (
    compareTexts(a.booked_on, b.booked_on) ||
    a.amount_in_cents - b.amount_in_cents ||
    compareTexts(a.currency, b.currency) ||
    compareTexts(a.bank_id, b.bank_id) ||
    a.words - b.words
  );
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : compareBytes(a, b));
