import { hash } from 'node:crypto';

/** Returns the token of a delivery state in the search index column `narrow`, so that searches can filter by state. */
export const toDeliverySearchToken = (delivery: number): string => `d${delivery}`;

export const toUrlSearchToken = (url: string): string => `u${hash('sha1', url).slice(0, 16)}`;

/** Maximum number of words in a search. Further words are ignored. Chosen by judgment. */
const MAX_SEARCH_WORDS = 8;

/** Minimum length of a prefix in characters. A shorter prefix would match a large share of all rows. */
const MIN_PREFIX_LENGTH = 3;

/** Converts words, "phrases" and prefixes* to an FTS5 expression. Returns null if the text has no letter or digit. */
export function toFullTextExpression(text: string, columns: readonly string[]): string | null {
  const terms = parseSearchTerms(text).map(term);
  return terms.length === 0 ? null : `{${columns.join(' ')}} : (${terms.join(' AND ')})`;
}

/** Returns an FTS5 expression that requires one alternative from each list. Null if there are no lists. */
export function toAlternativesExpression(
  entries: readonly (readonly SearchTerm[])[],
  columns: readonly string[],
): string | null {
  const terms = entries.map((alternatives) => `(${alternatives.map(term).join(' OR ')})`);
  return terms.length === 0 ? null : `{${columns.join(' ')}} : (${terms.join(' AND ')})`;
}

/** A word or phrase of a search. A prefix matches every word that starts with it. */
export interface SearchTerm {
  text: string;
  prefix: boolean;
}

/** Parses search text into words, phrases and prefixes. */
export function parseSearchTerms(text: string): SearchTerm[] {
  return [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([word, phrase]) => readTerm(phrase ?? word, phrase === undefined))
    .filter((each) => each !== null)
    .slice(0, MAX_SEARCH_WORDS);
}

/** Returns an FTS5 expression for the words as a phrase. The last word is a prefix unless `wholeWord` is true. */
export function toPhraseExpression(
  text: string,
  columns: readonly string[],
  wholeWord: boolean,
): string | null {
  const phrase = text.replace(/\p{C}/gu, ' ').trim();
  if (!hasWord(phrase)) return null;
  const last = /[\p{L}\p{N}_]+$/u.exec(phrase)?.[0] ?? '';
  const prefix = !wholeWord && last.length >= MIN_PREFIX_LENGTH;
  return `{${columns.join(' ')}} : (${term({ text: phrase, prefix })})`;
}

/** Returns an FTS5 expression for any of these texts in a column, or null if a text has no letter or digit. */
export function buildAnyTextQuery(column: string, texts: readonly string[]): string | null {
  if (texts.length === 0 || !texts.every(hasWord)) return null;
  return `${column} : (${texts.map(quoted).join(' OR ')})`;
}

/** Returns an FTS5 expression for all of these texts in a column, or null if there are none. */
export function buildAllTextsQuery(column: string, texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `${column} : (${texts.map(quoted).join(' AND ')})`;
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function readTerm(text: string, mayBePrefix: boolean): SearchTerm | null {
  const plain = text.replace(/\p{C}/gu, ' ');
  if (!hasWord(plain)) return null;
  const prefix = mayBePrefix && plain.endsWith('*') && plain.length > MIN_PREFIX_LENGTH;
  return { text: plain.replace(/\*+$/, ''), prefix };
}

function term({ text, prefix }: SearchTerm): string {
  return quoted(text) + (prefix ? '*' : '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
