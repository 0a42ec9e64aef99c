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
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(fields)) write(pairs, key, value);
  return pairs.join('&');
}

function write(pairs: string[], key: string, value: FormValue): void {
  if (value === undefined) return;
  if (value instanceof Repeated) {
    for (const item of value.items)
      for (const [name, inner] of Object.entries(item)) write(pairs, `${key}[${name}]`, inner);
  } else if (Array.isArray(value)) {
    for (const [i, inner] of value.entries()) write(pairs, `${key}[${i}]`, inner);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) write(pairs, `${key}[${name}]`, inner);
  } else {
    pairs.push(`${key}=${value === null ? '' : encodeURIComponent(String(value).toWellFormed())}`);
  }
}
