/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * JSON in the one form that a digest is taken of (RFC 8785): names in the order of their code units, no blanks. Numbers are whole, so
 * that there is one way to write each; RangeError for another.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
    throw new RangeError(`${value} is not a whole number`);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`).join(',')}}`;
}

const isList = (value: readonly Json[] | { readonly [name: string]: Json }): value is readonly Json[] =>
  Array.isArray(value);
