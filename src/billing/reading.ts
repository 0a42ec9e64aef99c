import { exactQuantity } from './decimal.ts';
import type { Extra, Problem, Quantity } from './entities.ts';
import { hasZone, instant } from './instant.ts';
import { DEPTH_CAP, isObject, type JsonObject, type JsonValue, print, put } from './value.ts';

/** What is found out while one answer is read. */
export interface Reading {
  readonly problems: Problem[];
  /** A number was met that JSON.parse may have rounded: the answer is then read again from numbers as text. */
  inexact: boolean;
  /** `list.field` of datetimes without a zone, told once each. */
  readonly zoneless: Set<string>;
}

export function newReading(): Reading {
  return { problems: [], inexact: false, zoneless: new Set() };
}

/** A row being read: where it stands, and what of it did not fit. */
export interface Row {
  readonly reading: Reading;
  readonly within: Row | null;
  readonly list: string;
  /** Null for a record that stands alone. */
  readonly index: number | null;
  readonly object: JsonObject;
  misfits: string[] | null;
}

/** How one kind of record is read: the key items may be wrapped in, the modelled fields, and the reader. */
export interface Shape<Entity> {
  readonly wrappers: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly read: (row: Row, object: JsonObject) => Entity;
}

class Refused extends Error {
  readonly field: string;
  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

const NOTHING: Extra = Object.freeze({});

function placeOf(row: Row, field: string): string {
  const outer = row.within === null ? '' : placeOf(row.within, '');
  const own = row.index === null ? row.list : `${row.list}[${row.index}]`;
  const place = outer === '' ? own : `${outer}.${own}`;
  return field === '' ? place : `${place}.${field}`;
}

/** Notes a field that does not fit; its original goes to `extra`. */
export function misfit(row: Row, field: string, value: JsonValue, reason: string): null {
  row.misfits ??= [];
  row.misfits.push(field);
  note(row, field, value, reason);
  return null;
}

function note(row: Row, field: string, value: JsonValue, reason: string): void {
  row.reading.problems.push({ place: placeOf(row, field), reason, raw: print(value), row: 'kept' });
}

export function text(row: Row, field: string, value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return misfit(row, field, value, 'is not a text');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) row.reading.inexact = true;
  return String(value);
}

export function datetime(row: Row, field: string, value: JsonValue | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') return misfit(row, field, value, 'is not a date and time');
  if (instant(value) === null) {
    note(row, field, value, 'is not a date and time; kept as sent');
  } else if (!hasZone(value) && !row.reading.zoneless.has(`${row.list}.${field}`)) {
    row.reading.zoneless.add(`${row.list}.${field}`);
    note(row, field, value, 'has no time zone and is read as UTC (told once for this field)');
  }
  return value;
}

const INTEGER = /^[+-]?\d{1,16}$/;

/** The integer a value means, or null where it is none that can be held exactly. */
function asInteger(reading: Reading, value: JsonValue): number | null {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    reading.inexact = true;
    return null;
  }
  if (typeof value !== 'string' || !INTEGER.test(value.trim())) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

export function integer(row: Row, field: string, value: JsonValue | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  return asInteger(row.reading, value) ?? misfit(row, field, value, 'is not a whole number that can be held');
}

export function boolean(row: Row, field: string, value: JsonValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined || value === '') return null;
  if (value === 'true' || value === 1 || value === '1') return true;
  if (value === 'false' || value === 0 || value === '0') return false;
  return misfit(row, field, value, 'is neither true nor false');
}

export function requiredInteger(row: Row, field: string, value: JsonValue | undefined): number {
  if (value === null || value === undefined || value === '') throw new Refused(field, 'is missing');
  const number = asInteger(row.reading, value);
  if (number === null) throw new Refused(field, 'is not a whole number that can be held');
  return number;
}

/** An identifier: a whole number, never negative. */
export function requiredId(row: Row, field: string, value: JsonValue | undefined): number {
  const id = requiredInteger(row, field, value);
  if (id < 0) throw new Refused(field, 'is negative');
  return id;
}

export function requiredText(field: string, value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) throw new Refused(field, 'is missing');
  throw new Refused(field, 'is not a text');
}

export function requiredQuantity(row: Row, field: string, value: JsonValue | undefined): Quantity {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (value === null || value === undefined || value === '') throw new Refused(field, 'is missing');
  if (typeof value === 'number') row.reading.inexact = true;
  const quantity =
    typeof value === 'number' || typeof value === 'string' ? exactQuantity(String(value)) : null;
  if (quantity === null) throw new Refused(field, 'is not a quantity');
  return quantity;
}

/** Whether a value kept as sent nests no deeper than allowed; looks at its numbers on the way. */
function fits(reading: Reading, value: JsonValue, depth: number): boolean {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) reading.inexact = true;
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEPTH_CAP) return false;
  if (Array.isArray(value)) return value.every((item) => fits(reading, item, depth + 1));
  for (const key in value) if (!fits(reading, value[key] as JsonValue, depth + 1)) return false;
  return true;
}

/** A value of no fixed type, as sent. */
export function anything(row: Row, field: string, value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  if (!fits(row.reading, value, 1)) throw new Refused(field, `is nested deeper than ${DEPTH_CAP}`);
  return value;
}

/** The fields of a row that are not modelled, and the originals of those that did not fit. */
export function extra(row: Row, known: ReadonlySet<string>): Extra {
  const { object } = row;
  let kept: JsonObject | null = null;
  for (const field in object) {
    if (known.has(field) && (row.misfits === null || !row.misfits.includes(field))) continue;
    kept ??= {};
    put(kept, field, anything(row, field, object[field]));
  }
  return kept ?? NOTHING;
}

/**
 * The record inside its wrapper (`{"webhook": {…}}`), or the item itself where it is plain. What stands beside the
 * record in its wrapper is kept with it.
 */
function unwrapped(item: JsonObject, wrappers: readonly string[]): JsonObject {
  if (item['id'] !== undefined) return item;
  for (const wrapper of wrappers) {
    const inner = item[wrapper];
    if (!isObject(inner)) continue;
    const { [wrapper]: _, ...beside } = item;
    return Object.keys(beside).length === 0 ? inner : { ...beside, ...inner };
  }
  return item;
}

/** Reads one record; null where it had to be refused, which is then a problem. */
export function readOne<Entity>(
  reading: Reading,
  shape: Shape<Entity>,
  item: JsonValue,
  list: string,
  index: number | null,
  within: Row | null,
): Entity | null {
  const object = isObject(item) ? unwrapped(item, shape.wrappers) : {};
  const row: Row = { reading, within, list, index, object, misfits: null };
  try {
    if (!isObject(item)) throw new Refused('', 'is not a record');
    return shape.read(row, object);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const place = placeOf(row, error.field);
    reading.problems.push({ place, reason: error.message, raw: print(item), row: 'refused' });
    return null;
  }
}

export function readAll<Entity>(
  reading: Reading,
  shape: Shape<Entity>,
  items: readonly JsonValue[],
  list: string,
  within: Row | null = null,
): Entity[] {
  const entities: Entity[] = [];
  for (let index = 0; index < items.length; index++) {
    const entity = readOne(reading, shape, items[index] as JsonValue, list, index, within);
    if (entity !== null) entities.push(entity);
  }
  return entities;
}

/**
 * The items of a list however it came: an array; XML without `type="array"` (an object whose one key is the item's name);
 * nothing at all. Null where the value is no list.
 */
export function itemsOf(value: JsonValue | undefined, names: readonly string[]): readonly JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return [];
  if (!isObject(value)) return null;
  const keys = Object.keys(value);
  const only = keys.length === 1 && names.includes(keys[0] as string) ? value[keys[0] as string] : undefined;
  if (only === undefined) return null;
  return Array.isArray(only) ? only : [only];
}

/** A list inside a record. */
export function nested<Entity>(
  row: Row,
  field: string,
  value: JsonValue | undefined,
  shape: Shape<Entity>,
): Entity[] {
  const items = itemsOf(value, shape.wrappers);
  if (items !== null) return readAll(row.reading, shape, items, field, row);
  misfit(row, field, value as JsonValue, 'is not a list');
  return [];
}
