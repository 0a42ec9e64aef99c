import type { WantedChange } from '../../contract/index.ts';
import { readQuantity } from '../ledger/index.ts';
import { type CsvRecord, csvRecords } from './csv.ts';

/** A row of a file of changes: what it asks for, or why it cannot be read. `line` counts from 1, the header included. */
export interface FileRow {
  readonly line: number;
  readonly raw: string;
  readonly change: WantedChange | null;
  readonly reason: string | null;
}

/** A file without a header that names what is needed; the message says what is missing. */
export class NotAChangeFile extends Error {}

const names: Readonly<Record<keyof WantedChange, readonly string[]>> = {
  subscription_id: ['subscription_id', 'subscription'],
  component_id: ['component_id', 'component'],
  quantity: ['quantity', 'new_quantity', 'allocated_quantity'],
  memo: ['memo'],
  proration_upgrade_scheme: ['proration_upgrade_scheme', 'upgrade_scheme', 'upgrade'],
  proration_downgrade_scheme: ['proration_downgrade_scheme', 'downgrade_scheme', 'downgrade'],
};
const needed = ['subscription_id', 'component_id', 'quantity'] as const;

type Columns = ReadonlyMap<keyof WantedChange, number>;

/**
 * The rows of a CSV of changes, in order. Throws NotAChangeFile where its first line does not name the columns; a row that
 * cannot be read is given with the reason, and the others are read.
 */
export function* readChangeFile(text: string): Generator<FileRow, void, undefined> {
  let columns: Columns | null = null;
  for (const record of csvRecords(text)) {
    if (columns === null) columns = columnsOf(record);
    else yield readRow(record, columns);
  }
  if (columns === null) throw new NotAChangeFile('The file is empty.');
}

function columnsOf({ cells }: CsvRecord): Columns {
  const titles = cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const columns = new Map<keyof WantedChange, number>();
  for (const [field, known] of Object.entries(names) as [keyof WantedChange, readonly string[]][]) {
    const at = titles.findIndex((title) => known.includes(title));
    if (at >= 0) columns.set(field, at);
  }
  const missing = needed.filter((field) => !columns.has(field));
  if (missing.length === 0) return columns;
  throw new NotAChangeFile(
    `The first line does not name ${missing.length === 1 ? 'the column' : 'the columns'} ${missing.join(', ')}.`,
  );
}

function readRow({ line, raw, cells, open }: CsvRecord, columns: Columns): FileRow {
  const cell = (field: keyof WantedChange): string => cells[columns.get(field) ?? -1]?.trim() ?? '';
  const bad = (reason: string): FileRow => ({ line, raw, change: null, reason });
  if (open) return bad('A quote is opened and never closed.');
  const subscription_id = readId(cell('subscription_id'));
  if (subscription_id === null) return bad(notAnId('subscription_id', cell('subscription_id')));
  const component_id = readId(cell('component_id'));
  if (component_id === null) return bad(notAnId('component_id', cell('component_id')));
  const quantity = readQuantity(cell('quantity'));
  if (quantity === null) return bad(notAQuantity(cell('quantity')));
  const change: WantedChange = { subscription_id, component_id, quantity };
  for (const [field, most] of limits) {
    const value = cell(field);
    if (value.length > most) return bad(`${field} is longer than ${most} characters.`);
    if (value !== '') change[field] = value;
  }
  return { line, raw, change, reason: null };
}

const limits = [
  ['memo', 2000],
  ['proration_upgrade_scheme', 100],
  ['proration_downgrade_scheme', 100],
] as const;

function readId(text: string): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

function notAnId(field: string, text: string): string {
  return text === '' ? `${field} is missing.` : `${field} “${short(text)}” is not a whole number.`;
}

function notAQuantity(text: string): string {
  if (text === '') return 'quantity is missing.';
  return `quantity “${short(text)}” is not a number written with digits and a decimal point alone.`;
}

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
