import { type Cents, money } from '../ledger/index.ts';

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

/** Words that end a label, and what must stand before them on their line. */
const words: readonly { readonly word: string; readonly labels: readonly (readonly [Label, RegExp])[] }[] = [
  {
    word: 'balance',
    labels: [
      ['starting', /(?:^|\W)(?:starting|opening|beginning|previous|prior)\s$/i],
      ['ending', /(?:^|\W)(?:ending|closing|new)\s$/i],
    ],
  },
  { word: 'charges', labels: [['charges', /^\s*(?:(?:current|total|new)\s)?$/i]] },
  { word: 'payments', labels: [['payments', /^\s*(?:total\s)?$/i]] },
];

/**
 * Finds the labelled figures of a statement’s text or of the words of its PDF. What stands in no known form is not found; then
 * there is nothing to compare, and nothing is wrong.
 */
export function printedFigures(text: string): PrintedFigures {
  const found: { [Name in Label]: Cents[] } = { starting: [], ending: [], charges: [], payments: [] };
  for (const { word, labels } of words) {
    const form = formIn(text, word.slice(1));
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const figure = figureBehind(text, at + form.length, word === 'balance');
      if (figure === null) continue;
      const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
      if (!line.toLowerCase().endsWith(word.charAt(0))) continue;
      const label = labels.find(([, before]) => before.test(line.slice(0, -1)));
      if (label) found[label[0]].push(figure);
    }
  }
  return found;
}

/** A word less its first letter, which may be a capital; in capitals where the text has it in no other way. */
function formIn(text: string, rest: string): string {
  return text.includes(rest) ? rest : rest.toUpperCase();
}

/** The figure right behind a label. The words of a PDF may put it on the next line; a column’s heading has none. */
function figureBehind(text: string, at: number, nextLine: boolean): Cents | null {
  if (isLetter(text.charCodeAt(at))) return null;
  FILLER.lastIndex = at;
  const filler = FILLER.exec(text)?.[0] ?? '';
  if (filler.length === 0 || filler.length > FILLER_CAP) return null;
  if (!nextLine && filler.includes('\n')) return null;
  FIGURE_HERE.lastIndex = at + filler.length - (filler.endsWith('-') ? 1 : 0);
  const match = FIGURE_HERE.exec(text);
  return match === null ? null : centsOf(match);
}

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

function centsOf([, opening, sign, whole, fraction]: RegExpMatchArray): Cents | null {
  const cents = Number((whole as string).replace(/\D/g, '') + fraction);
  if (!Number.isSafeInteger(cents)) return null;
  return opening !== '' || sign !== '' ? 0 - cents : cents;
}

/** What stands behind these words on each line that holds them. */
export function linesBehind(text: string, words: string): string[] {
  const lines: string[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const from = at + words.length;
    const end = text.indexOf('\n', from);
    lines.push(text.slice(from, end < 0 ? from + LONGEST_LINE : Math.min(end, from + LONGEST_LINE)));
  }
  return lines;
}

const LONGEST_LINE = 200;

/** Whether a line plainly ends in this figure; what does not may still show it, see `figuresIn`. */
export function endsInFigure(line: string, cents: Cents): boolean {
  const figure = money(cents);
  const trimmed = line.trimEnd();
  return trimmed.endsWith(figure) && !/[\d.,]/.test(trimmed.charAt(trimmed.length - figure.length - 1));
}

/** Every figure on a line. */
export function figuresIn(line: string): Cents[] {
  const figures: Cents[] = [];
  for (const match of line.matchAll(FIGURES)) {
    const figure = centsOf(match);
    if (figure !== null) figures.push(figure);
  }
  return figures;
}
