import { Ints } from './column.ts';
import { folded, hashOf, type Runs } from './text.ts';

const MOST_WORDS = 5;
const NONE: readonly number[] = [];
const BITS = 1 << 18;
/** Forms of companies and forms of address: a name is the same with and without them. */
const FORMS = new Set(
  'inc llc ltd limited plc gmbh ag kg ug ohg mbh sa sas sarl srl spa bv nv ab oy as aps co corp corporation company llp lp pty kk the and und et mr mrs ms dr'.split(
    ' ',
  ),
);

/**
 * The names of customers, as keys that a line’s words are held against: a whole name in any order of its words, and, weaker, a
 * family name with an initial. Customers of one name share its key.
 */
export class Payees {
  readonly #words = new Map<string, number>();
  readonly #bits = new Uint8Array(BITS >> 3);
  readonly #keys = new Map<string, number>();
  readonly #payers = new Map<string, number>();
  readonly #keysOf: (readonly number[])[] = [];
  /** How many payments a key has, and in how many lines it stands. */
  readonly payments = new Ints();
  readonly lines = new Ints();
  /** Words of the key: one word alone is weak, unless it stands for hardly anything else. */
  readonly width = new Ints();
  /** 1: a whole name. */
  readonly whole = new Ints();

  /** Counts a payment under its names; gives the customer’s number, which is the same for the same names; -1 where there is none. */
  add(names: readonly string[]): number {
    if (names.length === 0) return -1;
    const text = names.join('\n');
    let payer = this.#payers.get(text);
    if (payer === undefined) {
      payer = this.#keysOf.push([...new Set(names.flatMap((name) => this.#keysOfName(name)))]) - 1;
      this.#payers.set(text, payer);
    }
    for (const key of this.keysOf(payer)) this.payments.set(key, this.payments.at(key) + 1);
    return payer;
  }

  /** The keys of a customer’s names, each once. */
  keysOf(payer: number): readonly number[] {
    return this.#keysOf[payer] ?? NONE;
  }

  /** Calls for each name that stands in the text: of those at one place, the longest. */
  find(runs: Runs, found: (key: number) => void): void {
    let from = 0;
    const words: number[] = [];
    const flush = (): void => {
      if (words.length > 0) this.#findIn(words, found);
      words.length = 0;
    };
    for (; from < runs.count; from++) {
      const word = runs.sort[from] === 1 ? this.#wordAt(runs, from) : -1;
      if (word >= 0) words.push(word);
      else flush();
    }
    flush();
  }

  /** Whether a name says something: not where it stands in far more lines than its customers have payments. */
  tells(key: number): boolean {
    const most = this.width.at(key) === 1 ? 2 : 3;
    return this.lines.at(key) <= 2 + most * this.payments.at(key);
  }

  #findIn(words: readonly number[], found: (key: number) => void): void {
    for (let at = 0; at < words.length; at++) {
      for (let width = Math.min(MOST_WORDS, words.length - at); width > 0; width--) {
        const key = this.#keys.get(keyText(words.slice(at, at + width)));
        if (key === undefined) continue;
        found(key);
        at += width - 1;
        break;
      }
    }
  }

  #wordAt(runs: Runs, run: number): number {
    const bit = runs.hash(run) & (BITS - 1);
    if (((this.#bits[bit >> 3] as number) & (1 << (bit & 7))) === 0) return -1;
    return this.#words.get(runs.text.slice(runs.start[run], runs.end[run])) ?? -1;
  }

  #keysOfName(name: string): readonly number[] {
    const keys = new Set<number>();
    for (const spelling of spellings(name)) {
      const words = spelling.match(/\p{L}+/gu) ?? [];
      const bare = words.filter((word) => !FORMS.has(word));
      if (bare.length === 0) continue;
      if (words.length > bare.length) keys.add(this.#key(words, 1));
      if (bare.length > 1 || (bare[0] as string).length >= 5) keys.add(this.#key(bare, 1));
      const first = bare[0] as string;
      const last = bare.at(-1) as string;
      if (bare.length === 3) keys.add(this.#key([first, last], 1));
      if (bare.length === 2 || bare.length === 3) keys.add(this.#key([first[0] as string, last], 0));
    }
    return [...keys];
  }

  #key(words: readonly string[], whole: 0 | 1): number {
    const numbers = words.slice(0, MOST_WORDS).map((word) => this.#word(word));
    const text = keyText(numbers);
    const known = this.#keys.get(text);
    if (known !== undefined) {
      if (whole === 1) this.whole.set(known, 1);
      return known;
    }
    const key = this.payments.push(0);
    this.lines.push(0);
    this.width.push(numbers.length);
    this.whole.push(whole);
    this.#keys.set(text, key);
    return key;
  }

  #word(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const bit = hashOf(word) & (BITS - 1);
    this.#bits[bit >> 3] = (this.#bits[bit >> 3] as number) | (1 << (bit & 7));
    this.#words.set(word, this.#words.size);
    return this.#words.size - 1;
  }
}

function keyText(words: readonly number[]): string {
  if (words.length === 1) return String(words[0]);
  if (words.length === 2) {
    const [a, b] = words as [number, number];
    return a < b ? `${a} ${b}` : `${b} ${a}`;
  }
  return [...words].sort((a, b) => a - b).join(' ');
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** The ways a name is written by banks: `Müller` as Muller and Mueller, `O’Brien` as O Brien and OBrien. */
function spellings(name: string): readonly string[] {
  const ways = new Set([folded(name)]);
  ways.add(
    folded(
      name
        .toLowerCase()
        .normalize('NFC')
        .replace(/[äöüåø]/g, (letter) => UMLAUTS[letter] as string),
    ),
  );
  for (const way of [...ways]) ways.add(way.replace(/(?<=\p{L})['’`-](?=\p{L})/gu, ''));
  return [...ways];
}
