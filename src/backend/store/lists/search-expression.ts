import { hash } from 'node:crypto';

/** Tokens of the column `narrow`, which bring filters into the index. */
export const deliveryToken = (delivery: number): string => `d${delivery}`;

export const urlToken = (url: string): string => `u${hash('sha1', url).slice(0, 16)}`;

/** Maximum number of search words. Further words are ignored. */
const MOST_WORDS = 8;

/** Minimum length of a prefix. A shorter one would match a large part of all rows. */
const SHORTEST_PREFIX = 3;

/**
 * Converts search words to an FTS5 expression over `columns`: all words must occur, a "quoted phrase" in its order, and
 * `word*` matches every word with that prefix. Returns null if there is no letter or digit.
 */
export function searchExpression(text: string, columns: readonly string[]): string | null {
  const terms = searchTerms(text).map(term);
  return terms.length === 0 ? null : `{${columns.join(' ')}} : (${terms.join(' AND ')})`;
}

/** A word or phrase of a search. A prefix matches every word that starts with it. */
export interface SearchTerm {
  text: string;
  prefix: boolean;
}

/** Returns the terms of a search. */
export function searchTerms(text: string): SearchTerm[] {
  return [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([word, phrase]) => readTerm(phrase ?? word, phrase === undefined))
    .filter((each) => each !== null)
    .slice(0, MOST_WORDS);
}

/** Returns an expression for these words in this order. The last one is a prefix unless `whole` is true. */
export function phraseExpression(text: string, columns: readonly string[], whole: boolean): string | null {
  const phrase = text.replace(/\p{C}/gu, ' ').trim();
  if (!hasWord(phrase)) return null;
  const last = /[\p{L}\p{N}_]+$/u.exec(phrase)?.[0] ?? '';
  const prefix = !whole && last.length >= SHORTEST_PREFIX;
  return `{${columns.join(' ')}} : (${term({ text: phrase, prefix })})`;
}

/** Returns an expression for rows with one of these texts in a column, or null if the index cannot express it. */
export function oneOf(column: string, texts: readonly string[]): string | null {
  if (texts.length === 0 || !texts.every(hasWord)) return null;
  return `${column} : (${texts.map(quoted).join(' OR ')})`;
}

/** Returns an expression for rows with all of these texts in a column, or null if there are none. */
export function allOf(column: string, texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `${column} : (${texts.map(quoted).join(' AND ')})`;
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function readTerm(text: string, mayBePrefix: boolean): SearchTerm | null {
  const plain = text.replace(/\p{C}/gu, ' ');
  if (!hasWord(plain)) return null;
  const prefix = mayBePrefix && plain.endsWith('*') && plain.length > SHORTEST_PREFIX;
  return { text: plain.replace(/\*+$/, ''), prefix };
}

function term({ text, prefix }: SearchTerm): string {
  return quoted(text) + (prefix ? '*' : '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
