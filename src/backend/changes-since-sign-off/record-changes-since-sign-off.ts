import { hash } from 'node:crypto';
import type { ClosedFiguresRowKind, SignOffChange } from '../../contract/index.ts';
import { addMonths, formatMoney } from '../../domain/ledger/index.ts';
import {
  type CanonicalJson,
  type FieldDifference,
  findFieldDifferences,
} from '../../domain/periods/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type ClosedRowChunkContent,
  listClosedFiguresInForce,
  type StoredClosedFigures,
} from '../store/periods/closed-figures.ts';
import type { ClosedDateRange } from '../store/periods/closed-rows.ts';
import {
  addSignOffChange,
  endSignOffChange,
  findCurrentSignOffChange,
} from '../store/periods/sign-off-change.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import {
  amountFields,
  getAmount,
  getChangedAmount,
  getChangeSize,
  type RowFields,
  sumMovements,
} from './change-amounts.ts';
import { readClosedChunkText } from './closed-row-chunks.ts';

/** The sync, import or check that detected a change. */
export interface SignOffChangeCause {
  action: string;
  job: string | null;
  /** Time of detection in UTC milliseconds, by the local clock. */
  at: number;
}

export type ClosedFiguresRow = StoredClosedFigures & { period: string };

export const toClosedDateRange = ({ from_on, until_on }: ClosedFiguresRow): ClosedDateRange => ({
  from: from_on,
  until: until_on,
});

/** Closed figures in force, oldest first, and the month in which their changes are counted. */
export interface ClosedFiguresInForce {
  readonly allClosedFigures: readonly ClosedFiguresRow[];
  readonly posted_in: string;
}

/** The site whose changes are recorded, with their cause and the month in which they are counted. */
export interface SignOffChangeContext {
  readonly open: OpenSite;
  readonly cause: SignOffChangeCause;
  readonly posted_in: string;
}

/** Returns the closed figures in force, or null if no period is closed. */
export function findClosedFiguresInForce(books: ReadableDb): ClosedFiguresInForce | null {
  const allClosedFigures = listClosedFiguresInForce(books);
  const last = allClosedFigures.at(-1);
  return last === undefined ? null : { allClosedFigures, posted_in: addMonths(last.period, 1) };
}

/** Returns the rows of a chunk as canonical JSON, by row id. Null if the chunk is damaged. */
export function parseClosedChunkRows(chunk: ClosedRowChunkContent): Map<number, string> | null {
  const text = readClosedChunkText(chunk);
  if (text === null) return null;
  const lines = text.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [(JSON.parse(line) as { id: number }).id, line]));
}

/** A row as closed (`before`) and as stored now (`after`), in canonical JSON. Null if the row does not exist. */
export interface SignedAndCurrentRow {
  kind: ClosedFiguresRowKind;
  row: number;
  before: string | null;
  after: string | null;
}

/**
 * Records the difference between the closed and the current row, or ends a recorded change if there is none. Must be
 * called in a transaction. Returns true if anything was written.
 */
export function recordClosedRowChange(
  { open: { books, file }, cause, posted_in }: SignOffChangeContext,
  closedFigures: Pick<ClosedFiguresRow, 'id' | 'period'>,
  states: SignedAndCurrentRow,
): boolean {
  const { kind, row, before, after } = states;
  const existing = findCurrentSignOffChange(books, closedFigures.id, kind, row);
  if (before === after) {
    if (existing !== null) endSignOffChange(books, existing.id, cause.at, 'reverted');
    return existing !== null;
  }
  const digest = hash('sha256', after ?? '', 'hex');
  if (existing?.digest === digest) return false;
  if (existing !== null) endSignOffChange(books, existing.id, cause.at, 'superseded');
  const [was, is] = [parseClosedRowFields(before), parseClosedRowFields(after)];
  const fields = findFieldDifferences(was, is);
  const currency = (is ?? was)?.['currency'];
  addSignOffChange(books, closedFigures.id, {
    kind,
    row,
    change: before === null ? 'added' : after === null ? 'removed' : 'changed',
    text: describeChange(states, closedFigures.period, fields),
    fields: fields as SignOffChange['fields'],
    amount_in_cents: getChangedAmount(kind, was, is),
    absolute_in_cents: getChangeSize(kind, was, is),
    currency: typeof currency === 'string' ? currency : file.currency,
    detected_at: cause.at,
    detected_by: cause.action,
    detected_job: cause.job,
    posted_in,
    digest,
  });
  return true;
}

export const parseClosedRowFields = (text: string | null): RowFields | null =>
  text === null ? null : (JSON.parse(text) as RowFields);

const rowNouns: Record<ClosedFiguresRowKind, string> = {
  statement: 'Statement',
  payment: 'Payment',
  line: 'Line',
  payout: 'Payout',
  match: 'Match',
  exception: 'Exception',
  file: 'Source file of import',
};

/** Maximum number of changed fields that the sentence names. Another field stores the complete list. */
const MAX_NAMED_FIELDS = 2;

function describeChange(
  { kind, row, before, after }: SignedAndCurrentRow,
  period: string,
  fields: readonly FieldDifference[],
): string {
  const name = `${rowNouns[kind]} ${row}`;
  const ofAmount = describeAmount(kind, parseClosedRowFields(after ?? before));
  if (before === null)
    return `${name}${ofAmount} is dated in ${period} but arrived after the period was closed.`;
  if (after === null) return `${name}${ofAmount} no longer exists.`;
  const named = fields.slice(0, MAX_NAMED_FIELDS).map(({ field, ...values }) => {
    return `${field} ${formatFieldValue(field, values.before)} → ${formatFieldValue(field, values.after)}`;
  });
  const more = fields.length > MAX_NAMED_FIELDS ? `; ${fields.length - MAX_NAMED_FIELDS} more` : '';
  return `${name} changed: ${named.join('; ')}${more}.`;
}

const formatMoneyIfKnown = (cents: number | null): string =>
  cents === null ? 'an unknown amount' : formatMoney(cents);

/** Returns a phrase for the amount of a row. Empty for kinds without an amount. */
function describeAmount(kind: ClosedFiguresRowKind, fields: RowFields | null): string {
  if (amountFields[kind] === undefined) return '';
  const amount = formatMoneyIfKnown(getAmount(kind, fields));
  if (kind !== 'statement') return ` of ${amount}`;
  const { raised, lowered } = sumMovements(fields);
  return ` with charges of ${formatMoneyIfKnown(raised)}, payments and credits of ${formatMoneyIfKnown(lowered)} and a balance of ${amount}`;
}

function formatFieldValue(field: string, value: CanonicalJson): string {
  if (value === null) return 'none';
  if (typeof value === 'number' && field.endsWith('_in_cents')) return formatMoney(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
