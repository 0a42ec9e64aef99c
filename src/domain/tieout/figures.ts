import type { Cents } from '../ledger/index.ts';

/** What a printed statement says in figures: each time a label stands directly before one. */
export interface PrintedFigures {
  readonly starting: readonly Cents[];
  readonly ending: readonly Cents[];
  readonly charges: readonly Cents[];
  readonly payments: readonly Cents[];
}

type Label = keyof PrintedFigures;

/** A figure with two decimals: `$1,234.50`, `-5.00`, `(5.00)`, `$-5.00`, `1.234,50 €`, `USD 42.50`. */
const FIGURE =
  /(\(|[-−]?)\s?(?:[A-Z]{3}\s?|[A-Z]{0,2}[$€£¥]\s?)?([-−]?)(\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})+|\d{1,13})[.,](\d{2})(?![\d%]|[.,]\d)/;
const FIGURE_HERE = new RegExp(FIGURE.source, 'y');
const FIGURES = new RegExp(FIGURE.source, 'g');

/** Dots, colons and space between a label and its figure. */
const FILLER = /[\s.:_…·-]*/y;
/** So much filler is believed to lead from a label to its figure. */
const FILLER_CAP = 100;

/** A word that ends a label, and what must stand before it on its line. */
const labels: readonly { readonly word: string; readonly before: RegExp; readonly label: Label }[] = [
  { word: 'balance', before: /(?:^|\W)(?:starting|opening|beginning|previous|prior)\s$/i, label: 'starting' },
  { word: 'balance', before: /(?:^|\W)(?:ending|closing|new)\s$/i, label: 'ending' },
  { word: 'charges', before: /^\s*(?:(?:current|total|new)\s)?$/i, label: 'charges' },
  { word: 'payments', before: /^\s*(?:total\s)?$/i, label: 'payments' },
];

/**
 * Finds the labelled figures of a statement’s text or of the words of its PDF. What stands in no known form is not found; then
 * there is nothing to compare, and nothing is wrong.
 */
export function printedFigures(text: string): PrintedFigures {
  const found: { [Name in Label]: Cents[] } = { starting: [], ending: [], charges: [], payments: [] };
  for (const { word, before, label } of labels) {
    for (const end of endsOf(text, word)) {
      const start = end - word.length;
      if (!before.test(text.slice(text.lastIndexOf('\n', start) + 1, start))) continue;
      const figure = figureBehind(text, end, word === 'balance');
      if (figure !== null) found[label].push(figure);
    }
  }
  return found;
}

/** Where a word ends each time it occurs, in small letters, capitalised or in capitals. */
function endsOf(text: string, word: string): number[] {
  const ends: number[] = [];
  for (const form of [word.slice(1), word.slice(1).toUpperCase()]) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      if (text[at - 1]?.toLowerCase() === word[0]) ends.push(at + form.length);
    }
  }
  return ends;
}

/** The figure right behind a label. The words of a PDF may put it on the next line; a column’s heading has none. */
function figureBehind(text: string, at: number, nextLine: boolean): Cents | null {
  FILLER.lastIndex = at;
  const filler = FILLER.exec(text)?.[0] ?? '';
  if (filler.length === 0 || filler.length > FILLER_CAP) return null;
  if (!nextLine && filler.includes('\n')) return null;
  FIGURE_HERE.lastIndex = at + filler.length - (filler.endsWith('-') ? 1 : 0);
  const match = FIGURE_HERE.exec(text);
  return match === null ? null : centsOf(match);
}

function centsOf([, opening, sign, whole, fraction]: RegExpMatchArray): Cents | null {
  const cents = Number((whole as string).replace(/\D/g, '') + fraction);
  if (!Number.isSafeInteger(cents)) return null;
  return opening !== '' || sign !== '' ? 0 - cents : cents;
}

/** The figures on the rest of every line that holds these words, behind them. One list a line that has any. */
export function figuresOnLinesWith(text: string, words: string): (readonly Cents[])[] {
  const lines: Cents[][] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const from = at + words.length;
    const end = text.indexOf('\n', from);
    const rest = text.slice(from, end < 0 ? from + 200 : Math.min(end, from + 200));
    const figures: Cents[] = [];
    for (const match of rest.matchAll(FIGURES)) {
      const figure = centsOf(match);
      if (figure !== null) figures.push(figure);
    }
    if (figures.length > 0) lines.push(figures);
  }
  return lines;
}
