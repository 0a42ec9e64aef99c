import { isJsonObject, type JsonValue } from '../formats/json-value.ts';
import { UnreadableResponseError } from '../formats/unreadable-response.ts';
import {
  type RecordShape,
  type ResponseReadContext,
  readRecord,
  readRecords,
  toListItems,
} from './record-reader.ts';
import { readStatementIds } from './statements.ts';

/** Maximum number of rows in a response. The largest page of the interface has 10,000. */
const MAX_ROWS = 100_000;
/** Element names that the service's framework uses for empty lists in XML. */
const EMPTY_LIST_NAMES = ['nil_classes', 'nil-classes'];

function findListItems(tree: JsonValue, name: string, itemNames: readonly string[]): readonly JsonValue[] {
  const list = isJsonObject(tree)
    ? [name, ...EMPTY_LIST_NAMES].find((each) => Object.hasOwn(tree, each))
    : undefined;
  const items = Array.isArray(tree)
    ? tree
    : list !== undefined && isJsonObject(tree)
      ? toListItems(tree[list], itemNames)
      : null;
  if (items === null)
    throw new UnreadableResponseError(`is not a list of ${name.replaceAll('_', ' ')}`, false);
  if (items.length > MAX_ROWS)
    throw new UnreadableResponseError('has more rows than any page of the service', false);
  return items;
}

/** Returns true if an item has a field of the record. Otherwise the list is not from the service. */
function hasKnownField<Entity>(item: JsonValue, shape: RecordShape<Entity>): boolean {
  if (!isJsonObject(item)) return false;
  for (const key in item) if (shape.knownFields.has(key) || shape.wrapperKeys.includes(key)) return true;
  return false;
}

/** Creates a reader for the list `name` of a response: a plain array in JSON, the root element in XML. */
export function createListResponseReader<Entity>(name: string, shape: RecordShape<Entity>) {
  return (tree: JsonValue, reading: ResponseReadContext): Entity[] => {
    const items = findListItems(tree, name, shape.wrapperKeys);
    if (items.length > 0 && !items.some((item) => hasKnownField(item, shape))) {
      throw new UnreadableResponseError(`is not a list of ${name}`, false);
    }
    return readRecords({ reading, list: name, parent: null }, shape, items);
  };
}

/** Creates a reader for a response with a single record. The reader returns null if the record is rejected. */
export function createRecordResponseReader<Entity>(name: string, shape: RecordShape<Entity>) {
  return (tree: JsonValue, reading: ResponseReadContext): Entity | null => {
    if (!hasKnownField(tree, shape)) throw new UnreadableResponseError(`is not a ${name}`, false);
    return readRecord({ reading, list: name, parent: null }, shape, tree, null);
  };
}

/** Reads a list of statement ids (interface 4.6 and 4.7). */
export function readStatementIdList(tree: JsonValue, reading: ResponseReadContext): number[] {
  return readStatementIds(reading, findListItems(tree, 'statement_ids', ['id', 'statement_id']));
}

/** Reads the `ok` in the response to a replay request (interface 4.2). */
export function readReplayStatus(tree: JsonValue): 'ok' {
  if (isJsonObject(tree) && typeof tree['status'] === 'string' && tree['status'].trim() === 'ok') return 'ok';
  throw new UnreadableResponseError('does not contain the status “ok”', false);
}
