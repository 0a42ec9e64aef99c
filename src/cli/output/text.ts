/**
 * Text for a terminal. What the service sent is untrusted: it may hold control sequences, and it may hold characters
 * that take two columns or none.
 */

/** C0 and C1 controls, line separators, and the marks that turn the writing direction or hide a character. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const plain = /^[\x20-\x7e]*$/;

/** Both are costly to make, and most commands meet plain text only. */
const wide = once(
  () =>
    /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/v,
);
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The text on one line and harmless: controls become `·`, so that nothing can move the cursor or reorder a line. */
export function printable(text: string): string {
  return plain.test(text) ? text : text.replace(/\r\n|[\t\n\r]/g, ' ').replace(unprintable, '·');
}

/** The same for text of several lines, whose line ends and tabs are kept. */
export function printableLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(unprintable, (char) => (char === '\n' || char === '\t' ? char : '·'));
}

/** JSON for a terminal: the same document, with every control written as `\uXXXX`. */
export function harmlessJson(json: string): string {
  return json.replace(controls, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Columns the text takes on a terminal. */
export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter().segment(text)) columns += graphemeColumns(segment);
  return columns;
}

function graphemeColumns(grapheme: string): number {
  if (wide().test(grapheme)) return 2;
  return /^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme) ? 0 : 1;
}

/** The text cut to at most `columns`, the cut shown by `…`. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter().segment(text)) {
    used += graphemeColumns(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text filled with spaces to exactly `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right'): string {
  const fill = ' '.repeat(Math.max(0, columns - columnsOf(text)));
  return align === 'right' ? fill + text : text + fill;
}
