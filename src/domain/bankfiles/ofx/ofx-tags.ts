import type { DecodedText } from '../text/encoding.ts';
import { TextWindow } from '../text/text-window.ts';

/** A tag of an OFX text. `value` is an element with its text; `open` and `close` belong to an aggregate. */
export interface OfxTag {
  readonly type: 'open' | 'close' | 'value';
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const NAME = /^[A-Za-z][\w.:-]{0,40}$/;
const LONGEST_TAG = 200;
const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Elements that are never aggregates, even if they are empty and not closed. */
const ELEMENTS = new Set(
  'TRNTYPE DTPOSTED DTUSER DTAVAIL TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM SIC PAYEEID NAME MEMO CURSYM CURRATE CURDEF BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY BALAMT DTASOF DTSTART DTEND CODE SEVERITY MESSAGE ORG FID TRNUID DTSERVER LANGUAGE EXTDNAME INV401KSOURCE CURRENCYSYM INTU.BID INTU.USERID'.split(
    ' ',
  ),
);

export const DECLARED = 'The file contains a declaration (<!…), which OFX files never have.';

/** Thrown to stop reading an OFX text. */
export class OfxReadError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Yields the tags of an OFX text, both SGML (1.x, where elements are not closed) and XML (2.x). A `<` that starts no tag
 * and an `&` that starts no entity are text, because banks write both. Declarations, and with them custom entities, are
 * refused.
 */
export function* scanOfxTags(text: DecodedText, start: number): Generator<OfxTag> {
  const closed = closedNames(text);
  const window = new TextWindow(text.pieces());
  let at = window.ensure(0, start) + start;
  let line = lineAt(window.text, at);
  /** Advances to a position and counts the lines passed. */
  const goTo = (location: number) => {
    line += countLines(window.text, at, location);
    at = location;
  };
  for (;;) {
    const open = window.text.indexOf('<', at);
    goTo(open < 0 ? window.text.length : open);
    if (open < 0 && window.reachedEnd) return;
    at = window.ensure(at, LONGEST_TAG);
    if (open < 0) continue;
    if (window.text.startsWith('<!', at)) {
      if (!window.text.startsWith('<!--', at)) throw new OfxReadError(DECLARED, line);
      let end = window.text.indexOf('-->', at);
      for (; end < 0 && !window.reachedEnd; end = window.text.indexOf('-->', at)) at = window.extend(at);
      if (end < 0) throw new OfxReadError('A comment is not closed.', line);
      goTo(end + 3);
      continue;
    }
    const tag = tagAt(window.text, at);
    if (tag === null) {
      at++;
      continue;
    }
    const { name, end, closing, empty } = tag;
    if (closing) yield { type: 'close', name, value: '', line };
    if (closing || empty) {
      goTo(end);
      continue;
    }
    const length = end - at;
    let stop = textEnd(window.text, end);
    // Text at the end of the buffer may be the start of a tag.
    while (stop > window.text.length - LONGEST_TAG && !window.reachedEnd) {
      at = window.extend(at);
      stop = textEnd(window.text, at + length);
    }
    const value = plain(window.text.slice(at + length, stop));
    const aggregate = value === '' && !ELEMENTS.has(name) && closed.has(name);
    yield { type: aggregate ? 'open' : 'value', name, value, line };
    goTo(stop);
  }
}

interface ParsedTag {
  readonly name: string;
  readonly end: number;
  readonly closing: boolean;
  readonly empty: boolean;
}

/** Returns the tag that starts here, or null if `<` is a plain character. */
function tagAt(text: string, open: number): ParsedTag | null {
  const inside = text.slice(open + 1, open + LONGEST_TAG);
  const length = inside.indexOf('>');
  if (length < 0 || !/^(?:\/?[A-Za-z]|\?)[^<]*$/.test(inside.slice(0, length))) return null;
  const inner = inside.slice(0, length);
  const close = open + 1 + length;
  if (inner.startsWith('?')) return { name: '?', end: close + 1, closing: false, empty: true };
  const closing = inner.startsWith('/');
  const empty = inner.endsWith('/');
  const [word = ''] = inner
    .slice(closing ? 1 : 0, empty ? -1 : undefined)
    .trim()
    .split(/\s/, 1);
  return NAME.test(word) ? { name: word.toUpperCase(), end: close + 1, closing, empty } : null;
}

/** Returns the end of an element's text: the next tag. CDATA sections belong to the text. */
function textEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) return text.length;
    if (text.startsWith('<![CDATA[', open)) {
      const end = text.indexOf(']]>', open);
      if (end < 0) return text.length;
      at = end + 3;
      continue;
    }
    if (text.startsWith('<!', open) || tagAt(text, open) !== null) return open;
    at = open + 1;
  }
}

function plain(text: string): string {
  return withoutSections(text)
    .replace(/&(#\d{1,7}|#x[\da-fA-F]{1,6}|[a-z]{2,6});/g, (whole, name: string) => {
      if (!name.startsWith('#')) return entities.get(name) ?? whole;
      const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .trim();
}

/** Removes the CDATA markers. */
function withoutSections(text: string): string {
  let plainText = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<![CDATA[', at);
    const close = open < 0 ? -1 : text.indexOf(']]>', open);
    if (close < 0) return plainText + text.slice(at);
    plainText += text.slice(at, open) + text.slice(open + 9, close);
    at = close + 3;
  }
}

/** Returns the names that have a closing tag. */
function closedNames(text: DecodedText): ReadonlySet<string> {
  const names = new Set<string>();
  const window = new TextWindow(text.pieces());
  let at = 0;
  for (;;) {
    const open = window.text.indexOf('</', at);
    if (open < 0 && window.reachedEnd) return names;
    // A tag may be split over the end of the buffer.
    at = window.ensure(open < 0 ? Math.max(at, window.text.length - 1) : open, LONGEST_TAG);
    if (open < 0) continue;
    const tag = tagAt(window.text, at);
    if (tag !== null) names.add(tag.name);
    at += 2;
  }
}

/** Returns the line number of a position. */
export const lineAt = (text: string, at: number): number => 1 + countLines(text, 0, at);

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) lines++;
  return lines;
}
