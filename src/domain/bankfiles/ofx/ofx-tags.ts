import type { DecodedFileText } from '../text/encoding.ts';
import { SlidingTextWindow } from '../text/text-window.ts';

/** A tag of an OFX text. A `value` tag is an element with its text; `open` and `close` tags delimit an aggregate. */
export interface OfxTag {
  readonly type: 'open' | 'close' | 'value';
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const NAME = /^[A-Za-z][\w.:-]{0,40}$/;
const MAX_TAG_LENGTH = 200;
const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

/** Names of elements that are never aggregates, even if they are empty and not closed. */
const ELEMENTS = new Set(
  'TRNTYPE DTPOSTED DTUSER DTAVAIL TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM SIC PAYEEID NAME MEMO CURSYM CURRATE CURDEF BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY BALAMT DTASOF DTSTART DTEND CODE SEVERITY MESSAGE ORG FID TRNUID DTSERVER LANGUAGE EXTDNAME INV401KSOURCE CURRENCYSYM INTU.BID INTU.USERID'.split(
    ' ',
  ),
);

export const OFX_DECLARATION_ERROR = 'The file contains a declaration (<!…), which OFX files never have.';

/** Error that ends the reading of an invalid OFX text. */
export class OfxReadError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Yields the tags of an OFX text, both SGML (1.x, where elements are not closed) and XML (2.x). A `<` that starts no
 * tag and an `&` that starts no entity are text, because banks write both. Rejects declarations and therefore custom
 * entities.
 */
export function* scanOfxTags(text: DecodedFileText, start: number): Generator<OfxTag> {
  const closed = findClosedNames(text);
  const scanner = new OfxScanner(text, start);
  while (scanner.findTagStart()) {
    if (scanner.skipComment()) continue;
    const tag = scanner.readTag();
    if (tag === null) continue;
    const { name, line } = tag;
    if (tag.closing) yield { type: 'close', name, value: '', line };
    if (tag.closing || tag.empty) continue;
    const value = scanner.readValue();
    const isAggregate = value === '' && !ELEMENTS.has(name) && closed.has(name);
    yield { type: isAggregate ? 'open' : 'value', name, value, line };
  }
}

class OfxScanner {
  readonly #window: SlidingTextWindow;
  #at: number;
  #line: number;

  constructor(text: DecodedFileText, start: number) {
    this.#window = new SlidingTextWindow(text.chunks());
    this.#at = this.#window.ensure(0, start) + start;
    this.#line = findLineNumber(this.#window.text, this.#at);
  }

  /** Advances to the next `<` in the OFX text. Returns false at the end of the text. */
  findTagStart(): boolean {
    for (;;) {
      const open = this.#window.text.indexOf('<', this.#at);
      this.#advanceTo(open < 0 ? this.#window.text.length : open);
      if (open < 0 && this.#window.reachedEnd) return false;
      this.#at = this.#window.ensure(this.#at, MAX_TAG_LENGTH);
      if (open >= 0) return true;
    }
  }

  /** Skips an OFX comment at the current position and returns true if there was one. Throws for a declaration. */
  skipComment(): boolean {
    const window = this.#window;
    if (!window.text.startsWith('<!', this.#at)) return false;
    if (!window.text.startsWith('<!--', this.#at)) throw new OfxReadError(OFX_DECLARATION_ERROR, this.#line);
    let end = window.text.indexOf('-->', this.#at);
    while (end < 0 && !window.reachedEnd) {
      this.#at = window.extend(this.#at);
      end = window.text.indexOf('-->', this.#at);
    }
    if (end < 0) throw new OfxReadError('A comment is not closed.', this.#line);
    this.#advanceTo(end + 3);
    return true;
  }

  /** Reads a tag and its line number. If the `<` does not start a tag, skips it and returns null. */
  readTag(): (ParsedTag & { readonly line: number }) | null {
    const tag = parseTag(this.#window.text, this.#at);
    const line = this.#line;
    this.#advanceTo(tag === null ? this.#at + 1 : tag.end);
    return tag === null ? null : { ...tag, line };
  }

  readValue(): string {
    const window = this.#window;
    let end = findTextEnd(window.text, this.#at);
    // The text at the end of the buffer may be the start of a tag.
    while (end > window.text.length - MAX_TAG_LENGTH && !window.reachedEnd) {
      this.#at = window.extend(this.#at);
      end = findTextEnd(window.text, this.#at);
    }
    const value = decodeEntities(window.text.slice(this.#at, end));
    this.#advanceTo(end);
    return value;
  }

  #advanceTo(position: number): void {
    this.#line += countLines(this.#window.text, this.#at, position);
    this.#at = position;
  }
}

interface ParsedTag {
  readonly name: string;
  readonly end: number;
  readonly closing: boolean;
  readonly empty: boolean;
}

/** Returns the tag that starts at a position; null if the `<` is a plain character. */
function parseTag(text: string, open: number): ParsedTag | null {
  const inside = text.slice(open + 1, open + MAX_TAG_LENGTH);
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

/** Returns the end of an element's text, where the next tag starts. CDATA sections belong to the text. */
function findTextEnd(text: string, from: number): number {
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
    if (text.startsWith('<!', open) || parseTag(text, open) !== null) return open;
    at = open + 1;
  }
}

function decodeEntities(text: string): string {
  return removeCdataMarkers(text)
    .replace(/&(#\d{1,7}|#x[\da-fA-F]{1,6}|[a-z]{2,6});/g, (entity, name: string) => {
      if (!name.startsWith('#')) return entities.get(name) ?? entity;
      const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .trim();
}

function removeCdataMarkers(text: string): string {
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

function findClosedNames(text: DecodedFileText): ReadonlySet<string> {
  const names = new Set<string>();
  const window = new SlidingTextWindow(text.chunks());
  let at = 0;
  for (;;) {
    const open = window.text.indexOf('</', at);
    if (open < 0 && window.reachedEnd) return names;
    // A tag may continue past the end of the buffer.
    at = window.ensure(open < 0 ? Math.max(at, window.text.length - 1) : open, MAX_TAG_LENGTH);
    if (open < 0) continue;
    const tag = parseTag(window.text, at);
    if (tag !== null) names.add(tag.name);
    at += 2;
  }
}

/** Returns the line number of a position. */
export const findLineNumber = (text: string, at: number): number => 1 + countLines(text, 0, at);

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) lines++;
  return lines;
}
