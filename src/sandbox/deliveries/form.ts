/** Form text as the service posts it: keys with bare brackets, values as `encodeURIComponent` writes them. */

export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Repeated
  | FormValue[]
  | { [key: string]: FormValue };

/** Objects whose keys are repeated without an index, as `public_signup_pages` has them. */
export class Repeated {
  readonly items: readonly { [key: string]: FormValue }[];

  constructor(items: readonly { [key: string]: FormValue }[]) {
    this.items = items;
  }
}

export function encodeForm(fields: Record<string, FormValue>): string {
  let text = '';
  for (const key in fields) text += encode(key, fields[key]);
  return text.slice(1);
}

/** The pairs of one value, each with an ampersand before it. */
function encode(key: string, value: FormValue): string {
  if (typeof value === 'string')
    return `&${key}=${plain.test(value) ? value : encodeURIComponent(value.toWellFormed())}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `&${key}=${value}`;
  if (value === null) return `&${key}=`;
  if (value === undefined) return '';
  if (value instanceof Repeated) return value.items.map((item) => members(key, item)).join('');
  if (Array.isArray(value)) return value.map((inner, i) => encode(`${key}[${i}]`, inner)).join('');
  return members(key, value);
}

function members(key: string, value: { [key: string]: FormValue }): string {
  let text = '';
  for (const name in value) text += encode(`${key}[${name}]`, value[name]);
  return text;
}

/** What needs no encoding. */
const plain = /^[\w.!~*'()-]*$/;
