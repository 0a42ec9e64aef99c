import { canonicalJson, type Json } from './canonical.ts';

/** A field that differs; null on the side where there is none. */
export interface Difference {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

type Fields = { readonly [name: string]: Json };

/**
 * What differs between two states of a row, by the names of its fields; rows within it by their ids, as `transactions 17 amount_in_cents`.
 */
export function differences(before: Fields | null, after: Fields | null): Difference[] {
  return between('', before ?? {}, after ?? {});
}

function between(path: string, before: Fields, after: Fields): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [own(before, name), own(after, name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const field = path === '' ? name : `${path} ${name}`;
    const nested = [fieldsOf(was), fieldsOf(is)] as const;
    if (nested[0] === null && nested[1] === null) return [{ field, before: was, after: is }];
    const within = between(field, nested[0] ?? {}, nested[1] ?? {});
    return within.length > 0 ? within : [{ field, before: was, after: is }];
  });
}

const own = (fields: Fields, name: string): Json =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;

/** An object as it is; a list of rows by their ids, else by their places. Null for what has no fields. */
function fieldsOf(value: Json): Fields | null {
  if (value === null || typeof value !== 'object') return null;
  if (!Array.isArray(value)) return value as Fields;
  return Object.fromEntries((value as readonly Json[]).map((each, at) => [nameOf(each, at), each]));
}

function nameOf(each: Json, at: number): string {
  const id = fieldsOf(each)?.['id'];
  return typeof id === 'number' ? String(id) : `#${at + 1}`;
}
