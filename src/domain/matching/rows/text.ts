/**
 * A text of a bank line cut into runs of letters and runs of digits, without making strings: lines are many and their texts long.
 * Runs that touch are a group: `INV-0012 x9` has the groups `INV`, `0012` and `x9`, the last of two runs.
 */
const MOST_RUNS = 96;
const MOST_DIGITS = 15;

/** Two texts are told apart by 32 bits here; what rests on equality compares the texts themselves. */
export const HASH_SEED = 0x811c_9dc5;

export const hashOf = (text: string): number => {
  let hash = HASH_SEED;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
};

export const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x0100_0193);

export class Runs {
  /** The text in lower case, its letters without accents. */
  text = '';
  count = 0;
  groups = 0;
  readonly start = new Int32Array(MOST_RUNS);
  readonly end = new Int32Array(MOST_RUNS);
  /** 1: letters, 2: digits. */
  readonly sort = new Uint8Array(MOST_RUNS);
  readonly groupOf = new Int32Array(MOST_RUNS);
  /** First run of each group, and one behind the last. */
  readonly groupFrom = new Int32Array(MOST_RUNS + 1);

  read(text: string): void {
    const plain = folded(text);
    this.text = plain;
    this.count = 0;
    this.groups = 0;
    let sort = 0;
    for (let at = 0; at < plain.length; at++) {
      const now = sortOf(plain.charCodeAt(at));
      if (now !== 0 && now !== sort) {
        if (this.count === MOST_RUNS) break;
        if (sort === 0) this.groupFrom[this.groups++] = this.count;
        this.groupOf[this.count] = this.groups - 1;
        this.start[this.count] = at;
        this.sort[this.count++] = now;
      }
      if (now !== 0) this.end[this.count - 1] = at + 1;
      sort = now;
    }
    this.groupFrom[this.groups] = this.count;
  }

  groupStart(group: number): number {
    return this.start[this.groupFrom[group] as number] as number;
  }

  groupEnd(group: number): number {
    return this.end[(this.groupFrom[group + 1] as number) - 1] as number;
  }

  groupRuns(group: number): number {
    return (this.groupFrom[group + 1] as number) - (this.groupFrom[group] as number);
  }

  /** Letters and digits from one group to another, nothing between them. */
  joined(from: number, to: number): string {
    let text = '';
    for (let group = from; group <= to; group++) {
      text += this.text.slice(this.groupStart(group), this.groupEnd(group));
    }
    return text;
  }

  /** The value of a run of digits; -1 where it is too long to be held exactly. */
  value(run: number): number {
    return digits(this.text, this.start[run] as number, this.end[run] as number, 0);
  }

  /** A hash of a run’s characters. */
  hash(run: number): number {
    let hash = HASH_SEED;
    const end = this.end[run] as number;
    for (let at = this.start[run] as number; at < end; at++) hash = mixed(hash, this.text.charCodeAt(at));
    return hash;
  }
}

export function digits(text: string, from: number, to: number, before: number): number {
  let value = before;
  let length = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (value > 0 || digit > 0) length++;
    if (length > MOST_DIGITS) return -1;
    value = value * 10 + digit;
  }
  return value < 1e15 ? value : -1;
}

function sortOf(code: number): 0 | 1 | 2 {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 48 && code <= 57) return 2;
  return code > 127 && isLetter(code) ? 1 : 0;
}

const LETTER = /\p{L}/u;
const known = new Map<number, boolean>();

function isLetter(code: number): boolean {
  const letter = known.get(code) ?? LETTER.test(String.fromCharCode(code));
  known.set(code, letter);
  return letter;
}

const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const MARKS = /\p{M}/gu;
const SPELLED_LETTERS = /[ßøæœłđðþı]/g;

/** Lower case without accents: `Müller` and `MULLER` are the same. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  for (let at = 0; at < lower.length; at++) {
    if (lower.charCodeAt(at) > 127) {
      return lower
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(SPELLED_LETTERS, (letter) => SPELLED[letter] as string);
    }
  }
  return lower;
}

/** The form by which codes such as gateway ids are compared: letters and digits alone. Empty where it is like a short word. */
export function codeOf(text: string): string {
  const plain = folded(text).replace(/[^a-z0-9]/g, '');
  return /\d/.test(plain) || plain.length >= 8 ? plain : '';
}

/**
 * A code as a number of 52 bits, whatever its signs, its case, and the zeros before its digits; -1 for what is too short to be one. Equal ones
 * are taken for the same code where amounts are compared as well.
 */
export function codeHash(text: string): number {
  const code = folded(text)
    .replace(/[^a-z0-9]/g, '')
    .replace(/^0+(?=\d+$)/, '');
  return code.length < 3 ? -1 : wideHash(code);
}

/** A hash of 52 bits. */
export function wideHash(text: string): number {
  let [low, high] = [HASH_SEED, 0x9747_b28c];
  for (let at = 0; at < text.length; at++) {
    low = mixed(low, text.charCodeAt(at));
    high = Math.imul(high ^ text.charCodeAt(at), 0x5bd1_e995) ^ (high >>> 15);
  }
  return (low >>> 0) * 1_048_576 + (high & 0xf_ffff);
}

/** The number a text is, whatever its leading zeros and the signs between; -1 where it is none. */
export function numberOf(text: string): number {
  const plain = text.replace(/[\s./-]/g, '');
  return /^\d+$/.test(plain) ? digits(plain, 0, plain.length, 0) : -1;
}
