import { prorationSchemes } from '../../contract/allocations/proration-schemes.ts';
import type { QuantityChange } from '../../contract/index.ts';
import { type CsvRecord, parseCsvRecords } from '../csv/csv-records.ts';
import { parseRequestedQuantity } from '../ledger/index.ts';

/** A row of a change file: the requested change, or the reason why it cannot be read. */
export interface ChangeFileRow {
  readonly line: number;
  readonly raw: string;
  readonly change: QuantityChange | null;
  readonly reason: string | null;
}

/** Thrown if a change file's header lacks required columns. The message names the missing ones. */
export class InvalidChangeFileError extends Error {}

const COLUMN_NAMES: Readonly<Record<keyof QuantityChange, readonly string[]>> = {
  subscription_id: ['subscription_id', 'subscription'],
  component_id: ['component_id', 'component'],
  quantity: ['quantity', 'new_quantity', 'allocated_quantity'],
  memo: ['memo'],
  proration_upgrade_scheme: ['proration_upgrade_scheme', 'upgrade_scheme', 'upgrade'],
  proration_downgrade_scheme: ['proration_downgrade_scheme', 'downgrade_scheme', 'downgrade'],
};
const REQUIRED_COLUMNS = ['subscription_id', 'component_id', 'quantity'] as const;

type Columns = ReadonlyMap<keyof QuantityChange, number>;

/** Yields the rows of a change file in order. Throws InvalidChangeFileError if the header is unusable. */
export function* readAllocationChangeFile(text: string): Generator<ChangeFileRow, void, undefined> {
  let columns: Columns | null = null;
  for (const record of parseCsvRecords(text)) {
    if (columns === null) columns = findColumns(record);
    else yield readRow(record, columns);
  }
  if (columns === null) throw new InvalidChangeFileError('The file is empty.');
}

function findColumns({ cells }: CsvRecord): Columns {
  const titles = cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const columns = new Map<keyof QuantityChange, number>();
  for (const [field, knownTitles] of Object.entries(COLUMN_NAMES) as [
    keyof QuantityChange,
    readonly string[],
  ][]) {
    const at = titles.findIndex((title) => knownTitles.includes(title));
    if (at >= 0) columns.set(field, at);
  }
  const missing = REQUIRED_COLUMNS.filter((field) => !columns.has(field));
  if (missing.length === 0) return columns;
  throw new InvalidChangeFileError(
    `The header lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}.`,
  );
}

function readRow({ line, raw, cells, hasUnclosedQuote }: CsvRecord, columns: Columns): ChangeFileRow {
  const readCell = (field: keyof QuantityChange): string => cells[columns.get(field) ?? -1]?.trim() ?? '';
  const reject = (reason: string): ChangeFileRow => ({ line, raw, change: null, reason });
  if (hasUnclosedQuote) return reject('A quotation mark is not closed.');
  const subscription_id = parseId(readCell('subscription_id'));
  if (subscription_id === null)
    return reject(describeInvalidId('subscription_id', readCell('subscription_id')));
  const component_id = parseId(readCell('component_id'));
  if (component_id === null) return reject(describeInvalidId('component_id', readCell('component_id')));
  const quantity = parseRequestedQuantity(readCell('quantity'));
  if (quantity === null) return reject(describeInvalidQuantity(readCell('quantity')));
  const change: QuantityChange = { subscription_id, component_id, quantity };
  const memo = readCell('memo');
  if (memo.length > MAX_MEMO_LENGTH) return reject(`memo is longer than ${MAX_MEMO_LENGTH} characters.`);
  if (memo !== '') change.memo = memo;
  const upgrade = readCell('proration_upgrade_scheme');
  const downgrade = readCell('proration_downgrade_scheme');
  if (!isProrationScheme('upgrade', upgrade)) return reject(describeInvalidScheme('upgrade', upgrade));
  if (!isProrationScheme('downgrade', downgrade))
    return reject(describeInvalidScheme('downgrade', downgrade));
  if (upgrade !== '') change.proration_upgrade_scheme = upgrade;
  if (downgrade !== '') change.proration_downgrade_scheme = downgrade;
  return { line, raw, change, reason: null };
}

const MAX_MEMO_LENGTH = 2000;

function parseId(text: string): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

const describeInvalidId = (field: string, text: string): string =>
  text === '' ? `${field} is missing.` : `${field} “${shorten(text)}” is not a whole number.`;

/** Returns true if the text is a proration scheme for this direction, or empty (the site's own setting applies). */
const isProrationScheme = <Direction extends keyof typeof prorationSchemes>(
  direction: Direction,
  text: string,
): text is (typeof prorationSchemes)[Direction][number] | '' =>
  text === '' || prorationSchemes[direction].some((scheme) => scheme === text);

const describeInvalidScheme = (direction: keyof typeof prorationSchemes, text: string): string =>
  `proration_${direction}_scheme “${shorten(text)}” is not one of ${prorationSchemes[direction].join(', ')}.`;

function describeInvalidQuantity(text: string): string {
  if (text === '') return 'quantity is missing.';
  return `quantity “${shorten(text)}” is not a whole number of at least 0.`;
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
