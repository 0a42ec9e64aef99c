import { decomposeAccents } from './search-pattern.ts';

/** A search hit with the surrounding text, as a single line. */
export interface SearchPassage {
  /** Page number of the hit, starting at 1; null if the document has no page breaks. */
  readonly page: number | null;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

/** Character that marks the start of each page. */
export const PAGE_BREAK = '\f';

/** Maximum number of characters shown before a search hit. */
const MAX_CHARACTERS_BEFORE = 40;
const MAX_CHARACTERS_AFTER = 56;

/** Counts the hits of a search pattern and returns the first passages. */
export function findPassages(
  text: string,
  pattern: RegExp,
  maxPassages: number,
): { readonly count: number; readonly passages: SearchPassage[] } {
  const words = decomposeAccents(text);
  const passages: SearchPassage[] = [];
  let count = 0;
  for (const { index, 0: hit } of words.matchAll(pattern)) {
    count += 1;
    if (passages.length < maxPassages) passages.push(extractPassage(words, index, hit));
  }
  return { count, passages };
}

/** Returns the passage around a search hit at position `at`. */
export function extractPassage(text: string, at: number, hit: string): SearchPassage {
  const end = at + hit.length;
  const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at);
  const after = text.slice(end, end + MAX_CHARACTERS_AFTER);
  return {
    page: findPageNumber(text, at),
    before: toSingleLine(at > MAX_CHARACTERS_BEFORE ? before.replace(/^\S*\s/, '… ') : before).trimStart(),
    hit: toSingleLine(hit),
    after: toSingleLine(
      end + MAX_CHARACTERS_AFTER < text.length ? after.replace(/\s\S*$/, ' …') : after,
    ).trimEnd(),
  };
}

function findPageNumber(text: string, at: number): number | null {
  if (!text.startsWith(PAGE_BREAK)) return null;
  let page = 0;
  for (
    let mark = text.indexOf(PAGE_BREAK);
    mark >= 0 && mark <= at;
    mark = text.indexOf(PAGE_BREAK, mark + 1)
  )
    page += 1;
  return page;
}

function toSingleLine(text: string): string {
  return text.replace(/\s+/g, ' ').normalize('NFC');
}
