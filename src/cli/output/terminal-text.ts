/** Text for a terminal. Text from the service is untrusted: it may contain control sequences and wide characters. */

/** Lines of text, possibly nested. False, null and undefined lines are omitted. */
export type TextLines = readonly (string | false | null | undefined | TextLines)[];

export function flattenTextLines(lines: TextLines): string[] {
  return lines.flatMap((line) => {
    if (typeof line === 'string') return line;
    return line ? flattenTextLines(line) : [];
  });
}

/** Formats an indented entry of a list. Omits missing parts. */
export const formatIndentedEntry = (...parts: (string | null)[]): string =>
  `  ${parts.filter((part) => part !== null && part !== '').join('  ')}`;

/**
 * Matches control characters (C0, C1), line separators, format characters, for example marks of the writing direction,
 * and invisible characters, for example U+200B. These characters could hide or reorder text.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plainAscii = /^[\x20-\x7e]*$/;

// Both objects are created on first use, because they are expensive and most output is plain ASCII.
const wideGrapheme = lazy(
  () =>
    /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/v,
);
const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

function lazy<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** Puts text on one line and replaces unprintable characters with `·`, so that the text cannot move the cursor. */
export function sanitizeLine(text: string): string {
  return plainAscii.test(text) ? text : text.replace(/\r\n|[\t\n\r]/g, ' ').replace(unprintable, '·');
}

/** Replaces unprintable characters with `·` in text of several lines. Line ends and tabs are preserved. */
export function sanitizeText(text: string): string {
  if (plainAscii.test(text)) return text;
  return text
    .replace(/\r\n/g, '\n')
    .replace(unprintable, (char) => (char === '\n' || char === '\t' ? char : '·'));
}

/** Escapes every unprintable character in a JSON text, except line feeds, as `\uXXXX`. The parsed value stays the same. */
export function escapeUnprintable(json: string): string {
  return json.replace(unprintable, (char) => (char === '\n' ? char : [...codeUnits(char)].join('')));
}

/** Yields the UTF-16 code units of a text as JSON escapes. */
function* codeUnits(text: string): Generator<string> {
  for (let index = 0; index < text.length; index++)
    yield `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}

/** Returns the number of terminal columns that a text takes up. */
export function measureDisplayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter().segment(text)) columns += graphemeWidth(segment);
  return columns;
}

function graphemeWidth(grapheme: string): number {
  if (wideGrapheme().test(grapheme)) return 2;
  return /^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme) ? 0 : 1;
}

/** Truncates text to at most `columns` and marks the cut with `…`. */
export function truncateText(text: string, columns: number): string {
  if (measureDisplayWidth(text) <= columns) return text;
  let start = '';
  let used = 0;
  for (const { segment } of segmenter().segment(text)) {
    used += graphemeWidth(segment);
    if (used > columns - 1) break;
    start += segment;
  }
  return `${start}…`;
}

/** Pads text with spaces to exactly `columns` terminal columns. */
export function padText(text: string, columns: number, align: 'left' | 'right'): string {
  const fill = ' '.repeat(Math.max(0, columns - measureDisplayWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}
