import { toExactQuantity } from '../formats/decimal.ts';
import { hasTimeZone, parseInstant } from '../formats/instant.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_NESTING_DEPTH,
  setOwnProperty,
  toJsonText,
} from '../formats/json-value.ts';
import {
  type ExtraFields,
  NO_TIME_ZONE_REASON,
  type Quantity,
  type ResponseReadProblem,
} from './record-types.ts';

/** Problems and flags collected while a response is read. */
export interface ResponseReadContext {
  readonly problems: ResponseReadProblem[];
  /** True if JSON.parse may have rounded a number. The response is then parsed again with exact numbers. */
  hasInexactNumber: boolean;
  /** Names of datetime fields without a time zone, as `list.field`, so that each one is reported only once. */
  readonly fieldsWithoutZone: Set<string>;
}

export function createResponseReadContext(): ResponseReadContext {
  return { problems: [], hasInexactNumber: false, fieldsWithoutZone: new Set() };
}

/** A row that is being read. */
export interface RowContext {
  readonly reading: ResponseReadContext;
  readonly parent: RowContext | null;
  readonly list: string;
  /** Index of the row in its list; null for a single record. */
  readonly index: number | null;
  readonly object: JsonObject;
  unreadableFields: string[] | null;
}

/** Converts the value of a field. Throws RejectedRow if the record is unusable without it. */
type FieldReader<Value> = (row: RowContext, field: string, value: JsonValue | undefined) => Value;

/** Describes how one kind of record is read. `wrapperKeys` are the keys in which an item may be wrapped. */
export interface RecordShape<Entity> {
  readonly wrapperKeys: readonly string[];
  readonly knownFields: ReadonlySet<string>;
  readonly read: (row: RowContext) => Entity;
}

/** The record that these readers create. `extra` contains unknown fields and the values of unreadable fields. */
type RecordOf<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends FieldReader<infer Value> ? Value : never;
} & { extra: ExtraFields };

/** Creates the shape of a record from the readers of its fields. They are called in the given order. */
export function defineRecordShape<Fields extends Record<string, FieldReader<unknown>>>(
  wrapperKeys: readonly string[],
  fields: Fields,
): RecordShape<RecordOf<Fields>> {
  const readers = Object.entries(fields);
  const knownFields = new Set(readers.map(([field]) => field));
  return {
    wrapperKeys,
    knownFields,
    read(row) {
      const entity: Record<string, unknown> = {};
      for (const [field, read] of readers) entity[field] = read(row, field, row.object[field]);
      entity['extra'] = readExtraFields(row, knownFields);
      return entity as RecordOf<Fields>;
    },
  };
}

/** Type of the records that a record shape reads. */
export type InferRecord<Shape> = Shape extends RecordShape<infer Entity> ? Entity : never;

class RejectedRow extends Error {
  readonly field: string;
  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

const NO_EXTRA_FIELDS: ExtraFields = Object.freeze({});

function getFieldPath(row: RowContext, field: string): string {
  const outer = row.parent === null ? '' : getFieldPath(row.parent, '');
  const own = row.index === null ? row.list : `${row.list}[${row.index}]`;
  const location = outer === '' ? own : `${outer}.${own}`;
  return field === '' ? location : `${location}.${field}`;
}

/** Reports a field that cannot be read. The field's original value goes to `extra`. */
export function reportUnreadableField(
  row: RowContext,
  field: string,
  value: JsonValue,
  reason: string,
): null {
  row.unreadableFields ??= [];
  row.unreadableFields.push(field);
  addProblem(row, field, value, reason);
  return null;
}

function addProblem(row: RowContext, field: string, value: JsonValue, reason: string): void {
  row.reading.problems.push({
    path: getFieldPath(row, field),
    reason,
    raw: toJsonText(value),
    outcome: 'kept',
  });
}

export function readText(row: RowContext, field: string, value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return reportUnreadableField(row, field, value, 'is not text');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) row.reading.hasInexactNumber = true;
  return String(value);
}

export function readDatetime(row: RowContext, field: string, value: JsonValue | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') return reportUnreadableField(row, field, value, 'is not a date and time');
  if (parseInstant(value) === null) {
    addProblem(row, field, value, 'is not a date and time; stored as sent');
  } else if (!hasTimeZone(value) && !row.reading.fieldsWithoutZone.has(`${row.list}.${field}`)) {
    row.reading.fieldsWithoutZone.add(`${row.list}.${field}`);
    addProblem(row, field, value, NO_TIME_ZONE_REASON);
  }
  return value;
}

const INTEGER = /^[+-]?\d{1,16}$/;

/** Returns the value if it is an exact integer; otherwise null. */
function toInteger(reading: ResponseReadContext, value: JsonValue): number | null {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    reading.hasInexactNumber = true;
    return null;
  }
  if (typeof value !== 'string' || !INTEGER.test(value.trim())) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

export function readInteger(row: RowContext, field: string, value: JsonValue | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  return (
    toInteger(row.reading, value) ?? reportUnreadableField(row, field, value, 'is not an exact whole number')
  );
}

export function readBoolean(row: RowContext, field: string, value: JsonValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined || value === '') return null;
  if (value === 'true' || value === 1 || value === '1') return true;
  if (value === 'false' || value === 0 || value === '0') return false;
  return reportUnreadableField(row, field, value, 'is neither true nor false');
}

export function readRequiredInteger(row: RowContext, field: string, value: JsonValue | undefined): number {
  if (value === null || value === undefined || value === '') throw new RejectedRow(field, 'is missing');
  const number = toInteger(row.reading, value);
  if (number === null) throw new RejectedRow(field, 'is not an exact whole number');
  return number;
}

/** Reads a required id, which must be a non-negative integer. */
export function readRequiredId(row: RowContext, field: string, value: JsonValue | undefined): number {
  const id = readRequiredInteger(row, field, value);
  if (id < 0) throw new RejectedRow(field, 'is negative');
  return id;
}

export function readRequiredText(_row: RowContext, field: string, value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) throw new RejectedRow(field, 'is missing');
  throw new RejectedRow(field, 'is not text');
}

export function readRequiredQuantity(row: RowContext, field: string, value: JsonValue | undefined): Quantity {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (value === null || value === undefined || value === '') throw new RejectedRow(field, 'is missing');
  if (typeof value === 'number') row.reading.hasInexactNumber = true;
  const quantity =
    typeof value === 'number' || typeof value === 'string' ? toExactQuantity(String(value)) : null;
  if (quantity === null) throw new RejectedRow(field, 'is not a quantity');
  return quantity;
}

/** Returns true if a value that is stored unchanged is not nested too deeply. Also detects inexact numbers in it. */
function isWithinMaxDepth(reading: ResponseReadContext, value: JsonValue, depth: number): boolean {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) reading.hasInexactNumber = true;
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_NESTING_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isWithinMaxDepth(reading, item, depth + 1));
  for (const key in value) if (!isWithinMaxDepth(reading, value[key] as JsonValue, depth + 1)) return false;
  return true;
}

/** Reads a value of any type without converting it. */
export function readAnyValue(row: RowContext, field: string, value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  if (!isWithinMaxDepth(row.reading, value, 1))
    throw new RejectedRow(field, `has more than ${MAX_NESTING_DEPTH} levels of nesting`);
  return value;
}

/** Returns the unknown fields of a row together with the original values of its unreadable fields. */
function readExtraFields(row: RowContext, known: ReadonlySet<string>): ExtraFields {
  const { object } = row;
  let extraFields: JsonObject | null = null;
  for (const field in object) {
    if (known.has(field) && (row.unreadableFields === null || !row.unreadableFields.includes(field)))
      continue;
    extraFields ??= {};
    setOwnProperty(extraFields, field, readAnyValue(row, field, object[field]));
  }
  return extraFields ?? NO_EXTRA_FIELDS;
}

/** Returns the record inside a wrapper such as `{"webhook": {…}}`, merged with the wrapper's other fields. */
function unwrap(item: JsonObject, wrappers: readonly string[]): JsonObject {
  if (item['id'] !== undefined) return item;
  for (const wrapper of wrappers) {
    const inner = item[wrapper];
    if (!isJsonObject(inner)) continue;
    const { [wrapper]: _, ...otherFields } = item;
    return Object.keys(otherFields).length === 0 ? inner : { ...otherFields, ...inner };
  }
  return item;
}

/** The list from which rows are read. `parent` is the row that contains the list. */
export interface RowSource {
  readonly reading: ResponseReadContext;
  readonly list: string;
  readonly parent: RowContext | null;
}

/** Reads one record. If the record is rejected, reports a problem and returns null. */
export function readRecord<Entity>(
  { reading, list, parent }: RowSource,
  shape: RecordShape<Entity>,
  item: JsonValue,
  index: number | null,
): Entity | null {
  const object = isJsonObject(item) ? unwrap(item, shape.wrapperKeys) : {};
  const row: RowContext = { reading, parent, list, index, object, unreadableFields: null };
  try {
    if (!isJsonObject(item)) throw new RejectedRow('', 'is not a record');
    return shape.read(row);
  } catch (error) {
    if (!(error instanceof RejectedRow)) throw error;
    const path = getFieldPath(row, error.field);
    reading.problems.push({ path, reason: error.message, raw: toJsonText(item), outcome: 'rejected' });
    return null;
  }
}

export function readRecords<Entity>(
  source: RowSource,
  shape: RecordShape<Entity>,
  items: readonly JsonValue[],
): Entity[] {
  const entities: Entity[] = [];
  for (const [index, item] of items.entries()) {
    const entity = readRecord(source, shape, item, index);
    if (entity !== null) entities.push(entity);
  }
  return entities;
}

/** Returns the items of an array or XML list, an empty list for an absent value, and null for any other value. */
export function toListItems(
  value: JsonValue | undefined,
  names: readonly string[],
): readonly JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return [];
  if (!isJsonObject(value)) return null;
  const keys = Object.keys(value);
  const only = keys.length === 1 && names.includes(keys[0] as string) ? value[keys[0] as string] : undefined;
  if (only === undefined) return null;
  return Array.isArray(only) ? only : [only];
}

/** Creates a reader for a list that is nested in a record. */
export function createNestedListReader<Entity>(shape: RecordShape<Entity>): FieldReader<Entity[]> {
  return (row, field, value) => {
    const items = toListItems(value, shape.wrapperKeys);
    if (items !== null) return readRecords({ reading: row.reading, list: field, parent: row }, shape, items);
    reportUnreadableField(row, field, value as JsonValue, 'is not a list');
    return [];
  };
}
