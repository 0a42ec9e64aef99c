import { hash } from 'node:crypto';
import type { DriftRow, SealedKind } from '../../contract/index.ts';
import { money, monthAfter } from '../../domain/ledger/index.ts';
import { type Difference, differences, type Json } from '../../domain/periods/index.ts';
import type { ReadableDb, WritableDb } from '../store/database.ts';
import { addDrift, endDrift, liveDrift } from '../store/periods/period-drift.ts';
import {
  chunkAround,
  type StoredContent,
  type StoredSeal,
  sealsInForce,
} from '../store/periods/period-seal.ts';
import type { SealSpan } from '../store/periods/sealed-rows.ts';
import { textOfChunk } from './chunks.ts';

/** What brought a change that is noticed: a sync, an import, a check. */
export interface DriftCause {
  what: string;
  job: string | null;
  /** Our clock, ms UTC. */
  at: number;
}

export type Seal = StoredSeal & { period: string };
export type Fields = { readonly [name: string]: Json };

export const spanOf = ({ from_on, until_on }: Pick<StoredSeal, 'from_on' | 'until_on'>): SealSpan => ({
  from: from_on,
  until: until_on,
});

/** The seals in force, and the month that what changes lands in; null where nothing is closed. */
export function forceOf(books: ReadableDb): { seals: Seal[]; lands_in: string } | null {
  const seals = sealsInForce(books);
  const last = seals.at(-1);
  return last === undefined ? null : { seals, lands_in: monthAfter(last.period, 1) };
}

/** The sealed rows of the chunk that a row is in, by their ids, as canonical JSON; null where the chunk is not as it was sealed. */
export function sealedAround(
  books: ReadableDb,
  seal: number,
  kind: SealedKind,
  row: number,
): Map<number, string> | null {
  const chunk = chunkAround(books, seal, kind, row);
  return chunk === null ? new Map() : rowsOfChunk(chunk);
}

/** The rows of a chunk, likewise. */
export function rowsOfChunk(chunk: StoredContent): Map<number, string> | null {
  const text = textOfChunk(chunk);
  if (text === null) return null;
  const lines = text.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [(JSON.parse(line) as { id: number }).id, line]));
}

/** A row as it was sealed and as it is, in canonical JSON; null where it is not there. */
export interface TwoStates {
  kind: SealedKind;
  row: number;
  before: string | null;
  after: string | null;
}

/**
 * Notes what differs between two states of a row, once; ends what stood where nothing does. To be called inside `commit`. Gives whether
 * anything was written.
 */
export function noteStates(
  books: WritableDb,
  seal: Pick<Seal, 'id' | 'period'>,
  { kind, row, before, after }: TwoStates,
  cause: DriftCause,
  { lands_in, currency }: { lands_in: string; currency: string },
): boolean {
  const stands = liveDrift(books, seal.id, kind, row);
  if (before === after) {
    if (stands !== null) endDrift(books, stands.id, cause.at, 'back');
    return stands !== null;
  }
  const digest = hash('sha256', after ?? '', 'hex');
  if (stands?.digest === digest) return false;
  if (stands !== null) endDrift(books, stands.id, cause.at, 'again');
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const fields = differences(was, is);
  const what = before === null ? 'added' : after === null ? 'gone' : 'changed';
  addDrift(books, seal.id, {
    kind,
    row,
    what,
    text: sentence(kind, row, what, seal.period, fields, is ?? was),
    fields: fields as DriftRow['fields'],
    amount_in_cents: amountOf(kind, is) - amountOf(kind, was),
    currency: textOf((is ?? was)?.['currency']) ?? currency,
    noticed_at: cause.at,
    noticed_what: cause.what,
    noticed_job: cause.job,
    lands_in,
    digest,
  });
  return true;
}

export const fieldsOf = (text: string | null): Fields | null =>
  text === null ? null : (JSON.parse(text) as Fields);
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

/** The field that says how much money a row is about; none where it is about none of its own. */
const amounts: Partial<Record<SealedKind, string>> = {
  statement: 'ending_balance_in_cents',
  payment: 'amount_in_cents',
  line: 'amount_in_cents',
  payout: 'stated_in_cents',
};

function amountOf(kind: SealedKind, fields: Fields | null): number {
  const amount = fields?.[amounts[kind] ?? ''];
  return typeof amount === 'number' ? amount : 0;
}

const nouns: Record<SealedKind, string> = {
  statement: 'Statement',
  payment: 'Payment',
  line: 'Line',
  payout: 'Payout',
  match: 'Match',
  exception: 'Exception',
  file: 'The file of import',
};

/** Fields told in the sentence; the others are in the list. */
const TOLD = 2;

function sentence(
  kind: SealedKind,
  row: number,
  what: 'changed' | 'added' | 'gone',
  period: string,
  fields: readonly Difference[],
  shown: Fields | null,
): string {
  const name = `${nouns[kind]} ${row}`;
  const amount = amountOf(kind, shown);
  const of = amounts[kind] === undefined ? '' : ` of ${money(amount)}`;
  if (what === 'added') return `${name}${of} is dated in ${period} and came after it was closed.`;
  if (what === 'gone') return `${name}${of} is not there any more.`;
  const told = fields
    .slice(0, TOLD)
    .map(({ field, before, after }) => `${field} ${inWords(field, before)} → ${inWords(field, after)}`);
  const more = fields.length > TOLD ? `; ${fields.length - TOLD} more` : '';
  return `${name} changed: ${told.join('; ')}${more}.`;
}

function inWords(field: string, value: Json): string {
  if (value === null) return 'none';
  if (typeof value === 'number' && field.endsWith('_in_cents')) return money(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
