import type { MatchLine } from '../../../src/domain/matching/index.ts';
import type { World } from '../model/world.ts';
import { foldName } from '../text/name-forms.ts';
import { COMMON_WORD_SHARE } from './rules.ts';

/** Relation of the name on a line to a customer's name. */
export type NameEvidence = 'absent' | 'full' | 'partial' | 'contradicts';

/** Name that a line states, and whether the column's width may have cut it. */
export interface StatedName {
  readonly words: readonly string[];
  readonly maybeCut: boolean;
}

/** Reads the payer field, or the unusual words of the texts if there is no payer field. */
export class NameReader {
  readonly #width: number | null;
  /** Frequent words that are no part of a customer's name. */
  readonly #common = new Set<string>();

  constructor({ lines, payments, facts }: World) {
    this.#width = facts.name_width;
    const nameWords = new Set(payments.flatMap(({ names }) => names.flatMap(foldName)));
    const counts = new Map<string, number>();
    for (const line of lines) {
      for (const word of new Set(readWords(line))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const limit = Math.max(5, lines.length * COMMON_WORD_SHARE);
    for (const [word, count] of counts) if (count >= limit && !nameWords.has(word)) this.#common.add(word);
  }

  read(line: MatchLine): StatedName {
    const { counterparty } = line;
    if (counterparty !== null && counterparty.trim() !== '') {
      const maybeCut = this.#width !== null && counterparty.length >= this.#width - 1;
      return { words: foldName(counterparty), maybeCut };
    }
    return { words: readWords(line).filter((word) => !this.#common.has(word)), maybeCut: false };
  }
}

function readWords({ description, reference }: MatchLine): string[] {
  return foldName(`${description} ${reference ?? ''}`)
    .flatMap((word) => word.match(/[A-Z]+/g) ?? [])
    .filter((word) => word.length > 1);
}

/** Compares the name on a line with a customer's folded name. */
export function compareNames({ words, maybeCut }: StatedName, name: readonly string[]): NameEvidence {
  if (words.length === 0) return 'absent';
  const letters = name.map((word) => word.replace(/[^A-Z]/g, ''));
  if (sameWords(words, name) || sameWords(words, letters)) return 'full';
  if (maybeCut && isCutOf(words, name)) return 'partial';
  if (words.every((word) => name.includes(word))) return 'partial';
  return isInitialForm(words, name) || containsName(words, letters) ? 'partial' : 'contradicts';
}

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join(' ') === [...b].sort().join(' ');

/** Returns true if the text is the beginning of the name, with the first or the last words first. */
function isCutOf(words: readonly string[], name: readonly string[]): boolean {
  const text = words.join('');
  return name.some((_, n) => [...name.slice(n), ...name.slice(0, n)].join('').startsWith(text));
}

/** Returns true for `M WEBER` and `WEBER M` if the name is `MAX WEBER`. */
function isInitialForm(words: readonly string[], name: readonly string[]): boolean {
  const [first = '', ...rest] = name;
  const initials = words.filter((word) => word.length === 1);
  const others = words.filter((word) => word.length > 1);
  return initials.length === 1 && first.startsWith(initials[0] as string) && sameWords(others, rest);
}

/** Returns true if a text contains all words of the name besides other unusual words. */
const containsName = (words: readonly string[], name: readonly string[]): boolean =>
  name.length > 1 && name.every((word) => word.length < 2 || words.includes(word));
