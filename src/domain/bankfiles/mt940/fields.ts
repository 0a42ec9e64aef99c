import { TextWindow } from '../window.ts';

/** A field of a SWIFT message: its tag and its lines. */
export interface Field {
  readonly tag: string;
  readonly lines: readonly string[];
  readonly line: number;
}

const TAG = /^:(\d{2}[A-Z]?|NS):(.*)$/;
/** End of a message: `-`, `-}`, and the start or end of an envelope. */
const END = /^-\}?\s*(?:\{5:.*)?$|^\{5:/;

/**
 * Yields the fields of an MT940 or MT942 text in order, and `null` at the end of a message. Lines before the first field
 * are the envelope. A line that starts no field belongs to the previous one.
 */
export function* fieldsOf(text: Iterable<string>): Generator<Field | null> {
  let open: { tag: string; lines: string[]; line: number } | null = null;
  let number = 0;
  for (const raw of linesOf(text)) {
    number++;
    const content = raw.startsWith('{') && raw.includes('{4:') ? raw.slice(raw.indexOf('{4:') + 3) : raw;
    const found = TAG.exec(content);
    if (found !== null) {
      if (open !== null) yield open;
      open = { tag: found[1] as string, lines: [(found[2] as string).trimEnd()], line: number };
    } else if (END.test(content)) {
      if (open !== null) yield open;
      open = null;
      yield null;
    } else if (open !== null && content.trim() !== '') open.lines.push(content.trimEnd());
  }
  if (open !== null) yield open;
  yield null;
}

/** Yields the lines of a text with any line breaks, without holding them all. */
export function* linesOf(text: Iterable<string>): Generator<string> {
  const window = new TextWindow(text);
  let at = 0;
  for (;;) {
    at = window.hold(at, 2);
    let end = lineEnd(window.text, at);
    // The line break must be seen together with the following character.
    while (end + 1 >= window.text.length && !window.ended) {
      const seen = end - at;
      at = window.extend(at);
      end = lineEnd(window.text, at + seen);
    }
    yield window.text.slice(at, end);
    if (end >= window.text.length) return;
    at = end + (window.text.charCodeAt(end) === 13 && window.text.charCodeAt(end + 1) === 10 ? 2 : 1);
  }
}

function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++;
  return end;
}
