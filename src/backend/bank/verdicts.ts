import type { LineKey, StoredLine } from '../store/bank/bank-line.ts';
import type { Fate, FileLine } from '../store/bank/plan-store.ts';
import { compareBytes } from '../store/lists/keyset-pagination.ts';

/** Stored lines with the same key. */
interface Twins {
  /** Ids of the existing lines, by occurrence. */
  readonly standing: number[];
  /** Occurrences of lines that were removed with their import. */
  readonly gone: number[];
  last: number;
}

/**
 * Separates the new lines of a file from the stored ones; both arrive in order of their keys. Lines are alike if account,
 * bank id, amount, currency and date agree, and also the texts if there is no bank id. As many of them are duplicates as
 * are stored: if a file has three and two are stored, only the third is new.
 *
 * `isWanted` returns true for rows that a person marked as new. `goesOn` returns true if a key's date continues where the
 * previous file ended; its lines are then new.
 */
export function* separateNewLines(
  lines: Iterable<FileLine>,
  stored: Iterable<StoredLine>,
  isWanted: (row: number) => boolean,
  goesOn: (key: LineKey) => boolean,
): Generator<{ line: FileLine; fate: Fate }> {
  const rest = stored[Symbol.iterator]();
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
    return { row, verdict: 'duplicate', stored: twins.standing.shift()!, occurrence: 1, isBack: false };
  }
  const back = twins.gone.shift();
  return { row, verdict: 'new', stored: null, occurrence: back ?? ++twins.last, isBack: back !== undefined };
}

/** Returns the stored lines of one key after another. Keys must be requested in their order. */
function twinsIn(rest: Iterator<StoredLine>): (key: LineKey) => Twins {
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

/** Compares keys in SQLite's order. */
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
