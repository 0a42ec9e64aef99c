import { itemsOf, type Reading, readAll, readOne, type Shape } from './reading.ts';
import { readStatementIds } from './statements.ts';
import { Unreadable } from './unreadable.ts';
import { isObject, type JsonValue } from './value.ts';

/** More rows than any page of the interface has (10000), many times over. */
const ROWS_CAP = 100_000;
/** What the service's framework calls an empty list in XML. */
const EMPTY_LISTS = ['nil_classes', 'nil-classes'];

function itemsIn(tree: JsonValue, name: string, itemNames: readonly string[]): readonly JsonValue[] {
  const list = isObject(tree) ? [name, ...EMPTY_LISTS].find((each) => Object.hasOwn(tree, each)) : undefined;
  const items = Array.isArray(tree)
    ? tree
    : list !== undefined && isObject(tree)
      ? itemsOf(tree[list], itemNames)
      : null;
  if (items === null) throw new Unreadable(`is no list of ${name.replaceAll('_', ' ')}`, false);
  if (items.length > ROWS_CAP) throw new Unreadable('has more rows than a page can have', false);
  return items;
}

/** Whether an item has anything of the record it should be; a list of which no item has is not the service's. */
function resembles<Entity>(item: JsonValue, shape: Shape<Entity>): boolean {
  if (!isObject(item)) return false;
  for (const key in item) if (shape.known.has(key) || shape.wrappers.includes(key)) return true;
  return false;
}

/** The list `name` of an answer: a plain array in JSON, the root element in XML. */
export function listOf<Entity>(name: string, shape: Shape<Entity>) {
  return (tree: JsonValue, reading: Reading): Entity[] => {
    const items = itemsIn(tree, name, shape.wrappers);
    if (items.length > 0 && !items.some((item) => resembles(item, shape))) {
      throw new Unreadable(`is no list of ${name}`, false);
    }
    return readAll(reading, shape, items, name);
  };
}

/** The one record of an answer; null where it had to be refused. */
export function recordOf<Entity>(name: string, shape: Shape<Entity>) {
  return (tree: JsonValue, reading: Reading): Entity | null => {
    if (!resembles(tree, shape)) throw new Unreadable(`is no ${name}`, false);
    return readOne(reading, shape, tree, name, null, null);
  };
}

/** The ids of 4.6 and 4.7. */
export function statementIds(tree: JsonValue, reading: Reading): number[] {
  return readStatementIds(reading, itemsIn(tree, 'statement_ids', ['id', 'statement_id']));
}

/** The `ok` of a replay (4.2). */
export function replayStatus(tree: JsonValue): 'ok' {
  if (isObject(tree) && typeof tree['status'] === 'string' && tree['status'].trim() === 'ok') return 'ok';
  throw new Unreadable('does not say “ok”', false);
}
