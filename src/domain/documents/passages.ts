import { decomposed } from './sought.ts';

/** A place where a document says what is sought, on one line. */
export interface Passage {
  /** From 1; null where the document does not say where its pages begin. */
  readonly page: number | null;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

/** Stands before the words of each page. */
export const PAGE_MARK = '\f';

/** Signs shown before and behind what was found. */
const BEFORE = 40;
const AFTER = 56;

/** How often a document says what the pattern is of, and the first `most` places. */
export function passagesIn(
  text: string,
  pattern: RegExp,
  most: number,
): { readonly count: number; readonly passages: Passage[] } {
  const words = decomposed(text);
  const passages: Passage[] = [];
  let count = 0;
  for (const { index, 0: hit } of words.matchAll(pattern)) {
    count += 1;
    if (passages.length < most) passages.push(passageAt(words, index, hit));
  }
  return { count, passages };
}

/** The passage around what stands at a place in the text. */
export function passageAt(text: string, at: number, hit: string): Passage {
  const end = at + hit.length;
  const before = text.slice(Math.max(0, at - BEFORE), at);
  const after = text.slice(end, end + AFTER);
  return {
    page: pageAt(text, at),
    before: onLine(at > BEFORE ? before.replace(/^\S*\s/, '… ') : before).trimStart(),
    hit: onLine(hit),
    after: onLine(end + AFTER < text.length ? after.replace(/\s\S*$/, ' …') : after).trimEnd(),
  };
}

function pageAt(text: string, at: number): number | null {
  if (!text.startsWith(PAGE_MARK)) return null;
  let page = 0;
  for (let mark = text.indexOf(PAGE_MARK); mark >= 0 && mark <= at; mark = text.indexOf(PAGE_MARK, mark + 1))
    page += 1;
  return page;
}

function onLine(text: string): string {
  return text.replace(/\s+/g, ' ').normalize('NFC');
}
