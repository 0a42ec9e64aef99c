import { IntColumn } from './columns.ts';
import { type CharacterRuns, foldText, hashText } from './text-runs.ts';

const MAX_WORDS_PER_NAME = 5;
const NO_KEYS: readonly number[] = [];
const BLOOM_FILTER_BITS = 1 << 18;
/** Legal forms and forms of address, which are ignored when names are compared. */
const IGNORED_NAME_WORDS = new Set(
  'inc llc ltd limited plc gmbh ag kg ug ohg mbh sa sas sarl srl spa bv nv ab oy as aps co corp corporation company llp lp pty kk the and und et mr mrs ms dr'.split(
    ' ',
  ),
);

/**
 * Index of customer names as keys for comparison with a line's words. A key is a complete name with its words in any
 * order or, as weaker evidence, a family name with an initial.
 */
export class CustomerNames {
  readonly #words = new Map<string, number>();
  readonly #wordBloomFilter = new Uint8Array(BLOOM_FILTER_BITS >> 3);
  readonly #keys = new Map<string, number>();
  readonly #customers = new Map<string, number>();
  readonly #keysOf: (readonly number[])[] = [];
  readonly #namesOf: string[] = [];
  readonly paymentCount = new IntColumn();
  readonly lineCount = new IntColumn();
  /** Number of words per name key. A single word is weak evidence unless it occurs in hardly any other line. */
  readonly wordCount = new IntColumn();
  readonly isCompleteName = new IntColumn();

  /** Counts a payment under its customer's names. Returns the customer's number, equal for equal names; else -1. */
  add(names: readonly string[]): number {
    if (names.length === 0) return -1;
    const text = names.join('\n');
    let customer = this.#customers.get(text);
    if (customer === undefined) {
      customer = this.#keysOf.push([...new Set(names.flatMap((name) => this.#buildNameKeys(name)))]) - 1;
      this.#customers.set(text, customer);
      this.#namesOf.push(text);
    }
    for (const key of this.getKeys(customer)) this.paymentCount.set(key, this.paymentCount.at(key) + 1);
    return customer;
  }

  getKeys(customer: number): readonly number[] {
    return this.#keysOf[customer] ?? NO_KEYS;
  }

  /** Returns the names of a customer as billed. */
  getNames(customer: number): readonly string[] {
    return this.#namesOf[customer]?.split('\n') ?? [];
  }

  /** Yields the billed names of every customer. */
  *listNames(): Iterable<string> {
    for (const text of this.#namesOf) yield* text.split('\n');
  }

  /** Returns true if a word occurs in the name of a customer. */
  isNameWord(runs: CharacterRuns, run: number): boolean {
    return this.#findWord(runs, run) !== -1;
  }

  /** Calls `onName` for each name in a text, with the longest name at each position. */
  findNames(runs: CharacterRuns, onName: (key: number) => void): void {
    let from = 0;
    const words: number[] = [];
    const findNamesInWords = (): void => {
      if (words.length > 0) this.#findNamesIn(words, onName);
      words.length = 0;
    };
    for (; from < runs.runCount; from++) {
      const word = runs.runType[from] === 1 ? this.#findWord(runs, from) : -1;
      if (word >= 0) words.push(word);
      else findNamesInWords();
    }
    findNamesInWords();
  }

  /** Returns true if a name is distinctive: it does not occur in far more lines than its customers have payments. */
  isDistinctive(key: number): boolean {
    const maxLinesPerPayment = this.wordCount.at(key) === 1 ? 2 : 3;
    return this.lineCount.at(key) <= 2 + maxLinesPerPayment * this.paymentCount.at(key);
  }

  #findNamesIn(words: readonly number[], onName: (key: number) => void): void {
    for (let at = 0; at < words.length; at++) {
      for (let width = Math.min(MAX_WORDS_PER_NAME, words.length - at); width > 0; width--) {
        const key = this.#keys.get(buildKeyText(words.slice(at, at + width)));
        if (key === undefined) continue;
        onName(key);
        at += width - 1;
        break;
      }
    }
  }

  #findWord(runs: CharacterRuns, run: number): number {
    const bit = runs.hashRun(run) & (BLOOM_FILTER_BITS - 1);
    if (((this.#wordBloomFilter[bit >> 3] as number) & (1 << (bit & 7))) === 0) return -1;
    return this.#words.get(runs.text.slice(runs.start[run], runs.end[run])) ?? -1;
  }

  #buildNameKeys(name: string): readonly number[] {
    const keys = new Set<number>();
    for (const spelling of listSpellings(name)) {
      const words = spelling.match(/\p{L}+/gu) ?? [];
      const coreWords = words.filter((word) => !IGNORED_NAME_WORDS.has(word));
      if (coreWords.length === 0) continue;
      if (words.length > coreWords.length) keys.add(this.#registerKey(words, 1));
      if (coreWords.length > 1 || (coreWords[0] as string).length >= 5)
        keys.add(this.#registerKey(coreWords, 1));
      const first = coreWords[0] as string;
      const last = coreWords.at(-1) as string;
      if (coreWords.length === 3) keys.add(this.#registerKey([first, last], 1));
      if (coreWords.length === 2 || coreWords.length === 3)
        keys.add(this.#registerKey([first[0] as string, last], 0));
    }
    return [...keys];
  }

  #registerKey(words: readonly string[], complete: 0 | 1): number {
    const numbers = words.slice(0, MAX_WORDS_PER_NAME).map((word) => this.#registerWord(word));
    const text = buildKeyText(numbers);
    const knownKey = this.#keys.get(text);
    if (knownKey !== undefined) {
      if (complete === 1) this.isCompleteName.set(knownKey, 1);
      return knownKey;
    }
    const key = this.paymentCount.push(0);
    this.lineCount.push(0);
    this.wordCount.push(numbers.length);
    this.isCompleteName.push(complete);
    this.#keys.set(text, key);
    return key;
  }

  #registerWord(word: string): number {
    const knownWord = this.#words.get(word);
    if (knownWord !== undefined) return knownWord;
    const bit = hashText(word) & (BLOOM_FILTER_BITS - 1);
    this.#wordBloomFilter[bit >> 3] = (this.#wordBloomFilter[bit >> 3] as number) | (1 << (bit & 7));
    this.#words.set(word, this.#words.size);
    return this.#words.size - 1;
  }
}

function buildKeyText(words: readonly number[]): string {
  if (words.length === 1) return String(words[0]);
  if (words.length === 2) {
    const [a, b] = words as [number, number];
    return a < b ? `${a} ${b}` : `${b} ${a}`;
  }
  return [...words].sort((a, b) => a - b).join(' ');
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

const IS_ASCII = /^[\x20-\x7e]*$/;

/** Returns a name without apostrophes and hyphens between letters. */
const joinNameParts = (name: string): string => name.replace(/(?<=\p{L})['’`-](?=\p{L})/gu, '');

/** Returns the spellings of a name that banks use: Muller, Mueller for `Müller`; O Brien, OBrien for `O'Brien`. */
export function listSpellings(name: string): readonly string[] {
  const folded = foldText(name);
  if (IS_ASCII.test(name)) {
    const joined = joinNameParts(folded);
    return joined === folded ? [folded] : [folded, joined];
  }
  const forms = new Set([folded]);
  forms.add(
    foldText(
      name
        .toLowerCase()
        .normalize('NFC')
        .replace(/[äöüåø]/g, (letter) => UMLAUTS[letter] as string),
    ),
  );
  for (const form of [...forms]) forms.add(joinNameParts(form));
  return [...forms];
}
