import type { Random } from '../model/random.ts';

export type IdStyle = 'dense' | 'sparse';

/** Hands out ascending ids: consecutive if dense, otherwise with random gaps. */
export class IdSequence {
  readonly #random: Random;
  readonly #style: IdStyle;
  #last: number;

  constructor(random: Random, style: IdStyle, first: number) {
    this.#random = random;
    this.#style = style;
    this.#last = first;
  }

  next(): number {
    this.#last += this.#style === 'dense' ? 1 : this.#random.integer(37, 6000);
    return this.#last;
  }
}

/** Returns the id with one error of a typist: a wrong digit, two digits exchanged, or a digit too few. */
export function slipDigit(random: Random, id: number): string {
  const digits = String(id).split('');
  const at = random.integer(1, digits.length - 1);
  const kind = random.integer(0, 3);
  const before = digits[at - 1] as string;
  const here = digits[at] as string;
  if (kind === 0 && before !== here && (at > 1 || here !== '0')) {
    digits[at - 1] = here;
    digits[at] = before;
  } else if (kind === 1 && digits.length > 5) {
    digits.splice(at, 1);
  } else {
    digits[at] = String((Number(here) + random.integer(1, 9)) % 10);
  }
  return digits.join('');
}

/** Returns the beginning of an id, as a bank writes it at the end of a column. */
export const cutId = (random: Random, id: number): string =>
  String(id).slice(0, Math.max(4, String(id).length - random.integer(1, 2)));
