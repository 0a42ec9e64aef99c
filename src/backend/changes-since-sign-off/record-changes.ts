import { hash } from 'node:crypto';
import type { ClosedRowKind, SignOffChange } from '../../contract/index.ts';
import { addMonths, formatMoney } from '../../domain/ledger/index.ts';
import {
  type CanonicalJson,
  type FieldDifference,
  findFieldDifferences,
} from '../../domain/periods/index.ts';
import {
  chunkAround,
  listClosedFiguresInForce,
  type StoredClosedFigures,
  type StoredContent,
} from '../store/periods/closed-figures.ts';
import type { ClosedSpan } from '../store/periods/closed-rows.ts';
import {
  addSignOffChange,
  endSignOffChange,
  listCurrentSignOffChanges,
} from '../store/periods/sign-off-change.ts';
import type { ReadableDb, WritableDb } from '../store/sqlite/connection.ts';
import { readChunkText } from './closed-chunks.ts';

/** The sync, import or check by which a change was detected. */
export interface SignOffChangeCause {
  action: string;
  job: string | null;
  /** Time of detection in UTC milliseconds, by the local clock. */
  at: number;
}

export type ClosedFiguresRow = StoredClosedFigures & { period: string };
export type RowFields = { readonly [name: string]: CanonicalJson };

export const closedDateRange = ({
  from_on,
  until_on,
}: Pick<StoredClosedFigures, 'from_on' | 'until_on'>): ClosedSpan => ({
  from: from_on,
  until: until_on,
});

/**
 * Returns the closed figures in force, and the month in which changes are counted. Returns null if no period is closed.
 */
export function closedFiguresInForce(
  books: ReadableDb,
): { allClosedFigures: ClosedFiguresRow[]; posted_in: string } | null {
  const allClosedFigures = listClosedFiguresInForce(books);
  const last = allClosedFigures.at(-1);
  return last === undefined ? null : { allClosedFigures, posted_in: addMonths(last.period, 1) };
}

/**
 * Returns the closed rows, as canonical JSON by id, of the chunk that contains the row. Returns null if the chunk is
 * damaged.
 */
export function readClosedRowsAround(
  books: ReadableDb,
  closedFigures: number,
  kind: ClosedRowKind,
  row: number,
): Map<number, string> | null {
  const chunk = chunkAround(books, closedFigures, kind, row);
  return chunk === null ? new Map() : parseChunkRows(chunk);
}

/** Returns the rows of a chunk by id, or null if the chunk is damaged. */
export function parseChunkRows(chunk: StoredContent): Map<number, string> | null {
  const text = readChunkText(chunk);
  if (text === null) return null;
  const lines = text.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [(JSON.parse(line) as { id: number }).id, line]));
}

/** A row as closed and as it is now, both as canonical JSON. Null if the row does not exist. */
export interface SignedAndCurrentRow {
  kind: ClosedRowKind;
  row: number;
  before: string | null;
  after: string | null;
}

/**
 * Records the difference between the closed and the current row, or ends a recorded change if there is none. Must be
 * called within `commit`. Returns true if anything was written.
 */
export function recordRowChange(
  books: WritableDb,
  closedFigures: Pick<ClosedFiguresRow, 'id' | 'period'>,
  { kind, row, before, after }: SignedAndCurrentRow,
  cause: SignOffChangeCause,
  { posted_in, currency }: { posted_in: string; currency: string },
): boolean {
  const existing = listCurrentSignOffChanges(books, closedFigures.id, kind, row);
  if (before === after) {
    if (existing !== null) endSignOffChange(books, existing.id, cause.at, 'reverted');
    return existing !== null;
  }
  const digest = hash('sha256', after ?? '', 'hex');
  if (existing?.digest === digest) return false;
  if (existing !== null) endSignOffChange(books, existing.id, cause.at, 'superseded');
  const [was, is] = [parseRowFields(before), parseRowFields(after)];
  const fields = findFieldDifferences(was, is);
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  addSignOffChange(books, closedFigures.id, {
    kind,
    row,
    change,
    text: describeChange(kind, row, change, closedFigures.period, fields, is ?? was),
    fields: fields as SignOffChange['fields'],
    amount_in_cents: amountOf(kind, is) - amountOf(kind, was),
    currency: textOf((is ?? was)?.['currency']) ?? currency,
    detected_at: cause.at,
    detected_by: cause.action,
    detected_job: cause.job,
    posted_in,
    digest,
  });
  return true;
}

export const parseRowFields = (text: string | null): RowFields | null =>
  text === null ? null : (JSON.parse(text) as RowFields);
const textOf = (value: CanonicalJson | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** Per kind: the field that contains the row's amount. Kinds without an amount are absent. */
const amounts: Partial<Record<ClosedRowKind, string>> = {
  statement: 'ending_balance_in_cents',
  payment: 'amount_in_cents',
  line: 'amount_in_cents',
  payout: 'stated_in_cents',
};

function amountOf(kind: ClosedRowKind, fields: RowFields | null): number {
  const amount = fields?.[amounts[kind] ?? ''];
  return typeof amount === 'number' ? amount : 0;
}

const nouns: Record<ClosedRowKind, string> = {
  statement: 'Statement',
  payment: 'Payment',
  line: 'Line',
  payout: 'Payout',
  match: 'Match',
  exception: 'Exception',
  file: 'The file of import',
};

/** Maximum number of changed fields named in the sentence. The complete list is stored separately. */
const MAX_NAMED_FIELDS = 2;

function describeChange(
  kind: ClosedRowKind,
  row: number,
  change: 'changed' | 'added' | 'removed',
  period: string,
  fields: readonly FieldDifference[],
  shown: RowFields | null,
): string {
  const name = `${nouns[kind]} ${row}`;
  const amount = amountOf(kind, shown);
  const of = amounts[kind] === undefined ? '' : ` of ${formatMoney(amount)}`;
  if (change === 'added') return `${name}${of} is dated in ${period} and came after it was closed.`;
  if (change === 'removed') return `${name}${of} is not there any more.`;
  const named = fields
    .slice(0, MAX_NAMED_FIELDS)
    .map(
      ({ field, before, after }) =>
        `${field} ${formatFieldValue(field, before)} → ${formatFieldValue(field, after)}`,
    );
  const more = fields.length > MAX_NAMED_FIELDS ? `; ${fields.length - MAX_NAMED_FIELDS} more` : '';
  return `${name} changed: ${named.join('; ')}${more}.`;
}

function formatFieldValue(field: string, value: CanonicalJson): string {
  if (value === null) return 'none';
  if (typeof value === 'number' && field.endsWith('_in_cents')) return formatMoney(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
