import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  type BankFile,
  type BankLine,
  type ReadOptions,
  readBankFile,
} from '../../../src/domain/bankfiles/index.ts';
import { isCalendarDate } from '../../../src/domain/ledger/index.ts';

export const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`./files/${name}`, import.meta.url));

/** Reads a file of `files`, or a text, and holds it to what is true of every reading. */
export async function readFixture(name: string, options: ReadOptions = {}): Promise<BankFile> {
  return accounted(await readBankFile(fixture(name), options));
}

export async function readText(text: string | Uint8Array, options: ReadOptions = {}): Promise<BankFile> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return accounted(await readBankFile(bytes, options));
}

/** Every row is a line or a problem that says where and why; none is both, none is neither. */
export function accounted(file: BankFile): BankFile {
  const unread = file.problems.filter(({ effect }) => effect === 'failed' || effect === 'skipped');
  const rows = [...file.lines.map(({ row }) => row), ...unread.flatMap(({ row }) => row ?? [])];
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: file.rows }, (_, row) => row + 1));
  for (const { place, reason, raw } of file.problems) {
    expect(place).toBeTruthy();
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

/** Lines as a table: day, amount, currency, reference, description. */
export const told = (file: BankFile): string[] => file.lines.map(lineTold);

export const lineTold = ({
  booked_on,
  amount_in_cents,
  currency,
  reference,
  description,
}: BankLine): string =>
  [booked_on, amount_in_cents, currency ?? '-', reference ?? '-', description].join(' | ');

/** Problems as `failed 5 line 6: reason`. */
export const problemsTold = (file: BankFile): string[] =>
  file.problems.map(({ effect, row, place, reason }) => `${effect} ${row ?? '-'} ${place}: ${reason}`);
