import type { BankLineKey, StoredBankLine } from '../store/bank/bank-line.ts';
import type { BankFileLine, BankLineVerdict } from '../store/bank/import-plan-store.ts';
import { compareBinaryTexts } from '../store/lists/keyset-pagination.ts';

/** Stored lines that have the same key. */
interface EqualStoredLines {
  /** Ids of the existing lines, in order of their occurrence numbers. */
  readonly existingIds: number[];
  /** Occurrence numbers of lines that were removed together with their import. */
  readonly removedOccurrences: number[];
  lastOccurrence: number;
}

/**
 * Separates a file's new lines from the lines that are already stored. Both must be sorted by key. Lines are equal if
 * account, amount, currency, date and bank id are equal. Without a bank id, the texts must be equal too. Equal lines
 * are counted: if a file has three and two are stored, only the third is new. `isForced` returns true for rows that a
 * person marked as new. `continuesPreviousFile` returns true if a key's date continues where the previous file ended,
 * so that its lines are new.
 */
export function* separateNewBankLines(
  lines: Iterable<BankFileLine>,
  stored: Iterable<StoredBankLine>,
  isForced: (row: number) => boolean,
  continuesPreviousFile: (key: BankLineKey) => boolean,
): Generator<{ line: BankFileLine; decision: BankLineVerdict }> {
  const remainingStored = stored[Symbol.iterator]();
  try {
    const readEqualLines = createEqualLinesReader(remainingStored);
    let equalLines: EqualStoredLines | null = null;
    let before: BankFileLine | null = null;
    for (const line of lines) {
      if (equalLines === null || before === null || compareKeys(before, line) !== 0)
        equalLines = readEqualLines(line);
      before = line;
      const canBeDuplicate = () => !isForced(line.row) && !continuesPreviousFile(line);
      yield { line, decision: decideLineVerdict(line, equalLines, canBeDuplicate) };
    }
  } finally {
    remainingStored.return?.();
  }
}

function decideLineVerdict(
  { row }: BankFileLine,
  equalLines: EqualStoredLines,
  canBeDuplicate: () => boolean,
): BankLineVerdict {
  if (equalLines.existingIds.length > 0 && canBeDuplicate()) {
    const stored = equalLines.existingIds.shift()!;
    return { row, verdict: 'duplicate', stored, occurrence: 1, isRestored: false };
  }
  const back = equalLines.removedOccurrences.shift();
  const occurrence = back ?? ++equalLines.lastOccurrence;
  return { row, verdict: 'new', stored: null, occurrence, isRestored: back !== undefined };
}

/** Returns a function that reads the stored lines of a key. Keys must be requested in ascending order. */
function createEqualLinesReader(
  remainingStored: Iterator<StoredBankLine>,
): (key: BankLineKey) => EqualStoredLines {
  let next = remainingStored.next();
  return (key) => {
    const equalLines: EqualStoredLines = { existingIds: [], removedOccurrences: [], lastOccurrence: 0 };
    for (; !next.done; next = remainingStored.next()) {
      const order = compareKeys(next.value, key);
      if (order > 0) break;
      if (order < 0) continue;
      const { id, occurrence, removed } = next.value;
      equalLines.lastOccurrence = occurrence;
      if (removed) equalLines.removedOccurrences.push(occurrence);
      else equalLines.existingIds.push(id);
    }
    return equalLines;
  };
}

/** Compares bank line keys in SQLite's sort order. */
function compareKeys(a: BankLineKey, b: BankLineKey): number {
  return (
    compareTexts(a.booked_on, b.booked_on) ||
    a.amount_in_cents - b.amount_in_cents ||
    compareTexts(a.currency, b.currency) ||
    compareTexts(a.bank_id, b.bank_id) ||
    a.text_hash - b.text_hash
  );
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : compareBinaryTexts(a, b));
