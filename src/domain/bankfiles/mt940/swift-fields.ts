import { splitLines } from '../text/text-lines.ts';

export type SwiftField = { readonly tag: string; readonly lines: readonly string[]; readonly line: number };

const TAG = /^:(\d{2}[A-Z]?|NS):(.*)$/;
/** Matches the end of a message: `-`, `-}`, or the start or end of an envelope. */
const END = /^-\}?\s*(?:\{5:.*)?$|^\{5:/;

/**
 * Yields the fields of an MT940 or MT942 text in order, and `null` at the end of a message. Lines before the first
 * field are the envelope. A line that starts no field continues the previous one.
 */
export function* readSwiftFields(text: Iterable<string>): Generator<SwiftField | null> {
  let open: { tag: string; lines: string[]; line: number } | null = null;
  let number = 0;
  for (const raw of splitLines(text)) {
    number++;
    const content = withoutEnvelope(raw);
    const groups = TAG.exec(content);
    const isEnd = groups === null && END.test(content);
    if (open !== null && (groups !== null || isEnd)) yield open;
    if (groups !== null) {
      open = { tag: groups[1] as string, lines: [(groups[2] as string).trimEnd()], line: number };
    } else if (isEnd) {
      open = null;
      yield null;
    } else if (content.trim() !== '') open?.lines.push(content.trimEnd());
  }
  if (open !== null) yield open;
  yield null;
}

/** Removes the SWIFT header blocks at the start of a line. */
const withoutEnvelope = (line: string): string =>
  line.startsWith('{') && line.includes('{4:') ? line.slice(line.indexOf('{4:') + 3) : line;
