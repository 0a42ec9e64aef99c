export type CanonicalJson =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalJson[]
  | { readonly [name: string]: CanonicalJson };

/** Returns canonical JSON (RFC 8785) for a digest. Throws RangeError for numbers that are not safe integers. */
export function canonicalJson(value: CanonicalJson): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
    throw new RangeError(`${value} is not a whole number`);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as CanonicalJson)}`).join(',')}}`;
}

const isList = (
  value: readonly CanonicalJson[] | { readonly [name: string]: CanonicalJson },
): value is readonly CanonicalJson[] => Array.isArray(value);
