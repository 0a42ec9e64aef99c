import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  type BankFile,
  type BankFileBytes,
  type BankFileOptions,
  type BankLine,
  type FileProblem,
  readBankFile,
} from '../../../src/domain/bankfiles/index.ts';
import { isCalendarDate } from '../../../src/domain/ledger/index.ts';

/** A bank file with its lines and problems. */
export interface CompleteFile extends Omit<BankFile, 'lines'> {
  readonly lines: readonly BankLine[];
  readonly problems: readonly FileProblem[];
}

/**
 * Returns the bytes in chunks of the given size. The buffer of a chunk is overwritten when the next chunk is requested.
 */
export const toChunks = (bytes: Uint8Array, size: number): BankFileBytes => ({
  size: bytes.length,
  *chunks() {
    const piece = new Uint8Array(size);
    for (let at = 0; at < bytes.length; at += size) {
      piece.fill(0);
      piece.set(bytes.subarray(at, at + size));
      yield piece.subarray(0, Math.min(size, bytes.length - at));
    }
  },
});

/** Reads a file and collects its lines and problems. */
export async function readCompleteFile(
  bytes: Uint8Array,
  options: BankFileOptions = {},
  piece = 1 << 16,
): Promise<CompleteFile> {
  const lines: BankLine[] = [];
  const problems: FileProblem[] = [];
  const file = await readBankFile(toChunks(bytes, piece), options, {
    onLine: (line) => void lines.push(line),
    onProblem: (problem) => void problems.push(problem),
  });
  expect(file.lines).toBe(lines.length);
  return { ...file, lines, problems };
}

export const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`./files/${name}`, import.meta.url));

/** Reads a file from the fixtures folder and checks the invariants of the result. */
export async function readFixture(name: string, options: BankFileOptions = {}): Promise<CompleteFile> {
  return expectAllRowsAccounted(await readCompleteFile(fixture(name), options));
}

export async function readText(
  text: string | Uint8Array,
  options: BankFileOptions = {},
): Promise<CompleteFile> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return expectAllRowsAccounted(await readCompleteFile(bytes, options));
}

/** Expects each row to be either a line or a problem with a location and a reason. */
export function expectAllRowsAccounted(file: CompleteFile): CompleteFile {
  const unread = file.problems.filter(({ effect }) => effect === 'failed' || effect === 'skipped');
  const rows = [...file.lines.map(({ row }) => row), ...unread.flatMap(({ row }) => row ?? [])];
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: file.rows }, (_, row) => row + 1));
  for (const { location, reason, raw } of file.problems) {
    expect(location).toBeTruthy();
    expect(reason).toMatch(/\S/);
    expect(raw.length).toBeLessThanOrEqual(500);
  }
  for (const line of file.lines) {
    expect(Number.isSafeInteger(line.amount_in_cents)).toBe(true);
    expect(Object.is(line.amount_in_cents, -0)).toBe(false);
    expect(isCalendarDate(line.booked_on)).toBe(true);
    expect(file.statements[line.statement]).toBeDefined();
    if (line.net_in_cents !== null) {
      expect(line.amount_in_cents - (line.fee_in_cents ?? 0)).toBe(line.net_in_cents);
    }
  }
  return file;
}

/** Returns one summary per line: date, amount, currency, reference and description. */
export const listLineSummaries = (file: CompleteFile): string[] => file.lines.map(formatLine);

export const formatLine = ({
  booked_on,
  amount_in_cents,
  currency,
  reference,
  description,
}: BankLine): string =>
  [booked_on, amount_in_cents, currency ?? '-', reference ?? '-', description].join(' | ');

/** Returns one summary per problem, for example `failed 5 line 6: reason`. */
export const listProblemSummaries = (file: CompleteFile): string[] =>
  file.problems.map(({ effect, row, location, reason }) => `${effect} ${row ?? '-'} ${location}: ${reason}`);
