/**
 * Maximum number of runs per text. A run is a sequence of letters or of digits, and adjacent runs form a group:
 * `INV-0012 x9` has the groups `INV`, `0012` and `x9`, the last with two runs.
 */
const MAX_RUNS = 96;
const MAX_DIGITS = 15;

/** Seed of the 32-bit hashes. If equality matters, the texts themselves are compared. */
export const HASH_SEED = 0x811c_9dc5;

export const hashText = (text: string): number => {
  let hash = HASH_SEED;
  for (let at = 0; at < text.length; at++) hash = mixHash(hash, text.charCodeAt(at));
  return hash;
};

export const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x0100_0193);

export class CharacterRuns {
  /** The parsed text in lower case without accents. */
  text = '';
  runCount = 0;
  groupCount = 0;
  readonly start = new Int32Array(MAX_RUNS);
  readonly end = new Int32Array(MAX_RUNS);
  /** Type of each run: 1 for letters, 2 for digits. */
  readonly runType = new Uint8Array(MAX_RUNS);
  readonly groupOf = new Int32Array(MAX_RUNS);
  /** First run of each group. Has one more entry than there are groups. */
  readonly groupFrom = new Int32Array(MAX_RUNS + 1);

  parse(text: string): void {
    const plain = foldText(text);
    this.text = plain;
    this.runCount = 0;
    this.groupCount = 0;
    let previousType = 0;
    for (let at = 0; at < plain.length; at++) {
      const type = runTypeOf(plain.charCodeAt(at));
      if (type !== 0 && type !== previousType) {
        if (this.runCount === MAX_RUNS) break;
        if (previousType === 0) this.groupFrom[this.groupCount++] = this.runCount;
        this.groupOf[this.runCount] = this.groupCount - 1;
        this.start[this.runCount] = at;
        this.runType[this.runCount++] = type;
      }
      if (type !== 0) this.end[this.runCount - 1] = at + 1;
      previousType = type;
    }
    this.groupFrom[this.groupCount] = this.runCount;
  }

  groupStart(group: number): number {
    return this.start[this.groupFrom[group] as number] as number;
  }

  groupEnd(group: number): number {
    return this.end[(this.groupFrom[group + 1] as number) - 1] as number;
  }

  groupRunCount(group: number): number {
    return (this.groupFrom[group + 1] as number) - (this.groupFrom[group] as number);
  }

  /** Returns the letters and digits of a range of groups, joined. */
  joinGroups(from: number, to: number): string {
    let text = '';
    for (let group = from; group <= to; group++)
      text += this.text.slice(this.groupStart(group), this.groupEnd(group));
    return text;
  }

  /** Returns the value of a run of digits; -1 if it has too many digits to be exact. */
  readNumber(run: number): number {
    return appendDigits(this.text, this.start[run] as number, this.end[run] as number, 0);
  }

  hashRun(run: number): number {
    let hash = HASH_SEED;
    const end = this.end[run] as number;
    for (let at = this.start[run] as number; at < end; at++) hash = mixHash(hash, this.text.charCodeAt(at));
    return hash;
  }
}

export function appendDigits(text: string, from: number, to: number, before: number): number {
  let value = before;
  let length = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (value > 0 || digit > 0) length++;
    if (length > MAX_DIGITS) return -1;
    value = value * 10 + digit;
  }
  return value < 1e15 ? value : -1;
}

function runTypeOf(code: number): 0 | 1 | 2 {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 48 && code <= 57) return 2;
  return code > 127 && isLetter(code) ? 1 : 0;
}

const LETTER = /\p{L}/u;
const isLetterCache = new Map<number, boolean>();

function isLetter(code: number): boolean {
  const letter = isLetterCache.get(code) ?? LETTER.test(String.fromCharCode(code));
  isLetterCache.set(code, letter);
  return letter;
}

const LETTER_SPELLINGS: Readonly<Record<string, string>> = {
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

/** Returns the text in lower case without accents, so that `Müller` and `MULLER` become equal. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  for (let at = 0; at < lower.length; at++) {
    if (lower.charCodeAt(at) > 127) {
      return lower
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(SPELLED_LETTERS, (letter) => LETTER_SPELLINGS[letter] as string);
    }
  }
  return lower;
}

/** Returns the letters and digits of a code for comparison; an empty string if it resembles a short word. */
export function normalizeCode(text: string): string {
  const plain = foldText(text).replace(/[^a-z0-9]/g, '');
  return /\d/.test(plain) || plain.length >= 8 ? plain : '';
}

/**
 * Returns a 52-bit hash of a code without punctuation, case and leading zeros; -1 if it is too short. Equal hashes
 * count as the same code if the amounts are compared as well.
 */
export function hashCode(text: string): number {
  const code = foldText(text)
    .replace(/[^a-z0-9]/g, '')
    .replace(/^0+(?=\d+$)/, '');
  return code.length < 3 ? -1 : hashText52(code);
}

/** Returns a 52-bit hash of a text. */
export function hashText52(text: string): number {
  let [low, high] = [HASH_SEED, 0x9747_b28c];
  for (let at = 0; at < text.length; at++) {
    low = mixHash(low, text.charCodeAt(at));
    high = Math.imul(high ^ text.charCodeAt(at), 0x5bd1_e995) ^ (high >>> 15);
  }
  return (low >>> 0) * 1_048_576 + (high & 0xf_ffff);
}

/** Returns the number in a text, ignoring leading zeros and separators; -1 if the text is not a number. */
export function parseNumber(text: string): number {
  const plain = text.replace(/[\s./-]/g, '');
  return /^\d+$/.test(plain) ? appendDigits(plain, 0, plain.length, 0) : -1;
}
