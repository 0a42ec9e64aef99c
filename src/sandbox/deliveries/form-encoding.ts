/** Value that is form-encoded in the style of the service: brackets in keys stay unescaped, values are escaped. */
export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | RepeatedFormKey
  | FormValue[]
  | { [key: string]: FormValue };

/** Marks objects that are encoded with a repeated key without an index, for example `public_signup_pages`. */
export class RepeatedFormKey {
  readonly items: readonly { [key: string]: FormValue }[];

  constructor(items: readonly { [key: string]: FormValue }[]) {
    this.items = items;
  }
}

export function encodeForm(fields: Record<string, FormValue>): string {
  let text = '';
  for (const key in fields) text += encodePairs(key, fields[key]);
  return text.slice(1);
}

/** Returns the encoded pairs of a value, each preceded by an ampersand. */
function encodePairs(key: string, value: FormValue): string {
  if (typeof value === 'string')
    return `&${key}=${UNENCODED.test(value) ? value : encodeURIComponent(value.toWellFormed())}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `&${key}=${value}`;
  if (value === null) return `&${key}=`;
  if (value === undefined) return '';
  if (value instanceof RepeatedFormKey) return value.items.map((item) => encodeMembers(key, item)).join('');
  if (Array.isArray(value)) return value.map((inner, i) => encodePairs(`${key}[${i}]`, inner)).join('');
  return encodeMembers(key, value);
}

function encodeMembers(key: string, value: { [key: string]: FormValue }): string {
  let text = '';
  for (const name in value) text += encodePairs(`${key}[${name}]`, value[name]);
  return text;
}

/** Matches text that needs no form encoding. */
const UNENCODED = /^[\w.!~*'()-]*$/;
