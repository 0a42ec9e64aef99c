import { type CanonicalJson, canonicalJson } from './canonical-json.ts';

/** A changed field with its values before and after. A missing value is null. */
export interface FieldDifference {
  readonly field: string;
  readonly before: CanonicalJson;
  readonly after: CanonicalJson;
}

type Fields = { readonly [name: string]: CanonicalJson };

/**
 * Returns the fields that differ between two states of a row. A field of a nested row includes the row's id, for
 * example `transactions 17 amount_in_cents`.
 */
export const findFieldDifferences = (before: Fields | null, after: Fields | null): FieldDifference[] =>
  compareFields('', before ?? {}, after ?? {});

function compareFields(path: string, before: Fields, after: Fields): FieldDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [getField(before, name), getField(after, name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const field = path === '' ? name : `${path} ${name}`;
    const nested = [toFields(was), toFields(is)] as const;
    if (nested[0] === null && nested[1] === null) return [{ field, before: was, after: is }];
    const within = compareFields(field, nested[0] ?? {}, nested[1] ?? {});
    return within.length > 0 ? within : [{ field, before: was, after: is }];
  });
}

const getField = (fields: Fields, name: string): CanonicalJson =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;

/** Returns objects as they are, lists of rows as objects keyed by id or position, and null for other values. */
function toFields(value: CanonicalJson): Fields | null {
  if (value === null || typeof value !== 'object') return null;
  if (!Array.isArray(value)) return value as Fields;
  return Object.fromEntries(
    (value as readonly CanonicalJson[]).map((each, at) => [getRowName(each, at), each]),
  );
}

function getRowName(each: CanonicalJson, at: number): string {
  const id = toFields(each)?.['id'];
  return typeof id === 'number' ? String(id) : `#${at + 1}`;
}
