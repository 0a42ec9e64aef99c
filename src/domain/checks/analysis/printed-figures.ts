import { type Cents, formatMoney } from '../../ledger/index.ts';

/** Figures that follow known labels on a printed statement. */
export interface PrintedFigures {
  readonly starting: readonly Cents[];
  readonly ending: readonly Cents[];
  readonly charges: readonly Cents[];
  readonly payments: readonly Cents[];
}

type FigureLabel = keyof PrintedFigures;

/** Matches a figure with two decimals: `$1,234.50`, `-5.00`, `(5.00)`, `$-5.00`, `1.234,50 €`, `USD 42.50`. */
const FIGURE =
  /(\(|[-−]?)\s?(?:[A-Z]{3}\s?|[A-Z]{0,2}[$€£¥]\s?)?([-−]?)(\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})+|\d{1,13})[.,](\d{2})(?![\d%]|[.,]\d)/;
const FIGURE_HERE = new RegExp(FIGURE.source, 'y');
const FIGURES = new RegExp(FIGURE.source, 'g');

/** Matches dots, colons and spaces between a label and its figure. */
const FILLER = /[\s.:_…·-]*/y;
/** Maximum number of filler characters between a label and its figure. Chosen by judgment. */
const MAX_FILLER_LENGTH = 100;

/** Words at the end of a printed label, and the text that must precede them on the line. */
const LABEL_WORDS: readonly {
  readonly word: string;
  readonly labels: readonly (readonly [FigureLabel, RegExp])[];
}[] = [
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

/** Finds labeled figures in a statement's text or in the words of its PDF. Figures in unknown forms are skipped. */
export function findPrintedFigures(text: string): PrintedFigures {
  const figures: { [Name in FigureLabel]: Cents[] } = { starting: [], ending: [], charges: [], payments: [] };
  for (const { word, labels } of LABEL_WORDS) {
    const form = findSpelling(text, word.slice(1));
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const figure = findFigureAfter(text, at + form.length, word === 'balance');
      if (figure === null) continue;
      const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
      if (!line.toLowerCase().endsWith(word.charAt(0))) continue;
      const label = labels.find(([, before]) => before.test(line.slice(0, -1)));
      if (label) figures[label[0]].push(figure);
    }
  }
  return figures;
}

/** Returns the word ending in the case used by the text: lower case if it occurs there, otherwise capitals. */
const findSpelling = (text: string, wordEnd: string): string =>
  text.includes(wordEnd) ? wordEnd : wordEnd.toUpperCase();

/** Returns the figure after a label; null after a column heading. In a PDF, the figure may be on the next line. */
function findFigureAfter(text: string, at: number, nextLine: boolean): Cents | null {
  if (isLetterCode(text.charCodeAt(at))) return null;
  FILLER.lastIndex = at;
  const filler = FILLER.exec(text)?.[0] ?? '';
  if (filler.length === 0 || filler.length > MAX_FILLER_LENGTH) return null;
  if (!nextLine && filler.includes('\n')) return null;
  FIGURE_HERE.lastIndex = at + filler.length - (filler.endsWith('-') ? 1 : 0);
  const match = FIGURE_HERE.exec(text);
  return match === null ? null : toCents(match);
}

const isLetterCode = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

function toCents([, opening, sign, whole, fraction]: RegExpMatchArray): Cents | null {
  const cents = Number((whole as string).replace(/\D/g, '') + fraction);
  if (!Number.isSafeInteger(cents)) return null;
  return opening !== '' || sign !== '' ? 0 - cents : cents;
}

/** Returns the rest of each line that contains the given words, starting after them. */
export function findTextAfter(text: string, words: string): string[] {
  const lines: string[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const from = at + words.length;
    const end = text.indexOf('\n', from);
    lines.push(text.slice(from, end < 0 ? from + MAX_LINE_LENGTH : Math.min(end, from + MAX_LINE_LENGTH)));
  }
  return lines;
}

const MAX_LINE_LENGTH = 200;

/** Returns true if a line ends in the given figure. Figures elsewhere in a line are found by `findPrintedAmounts`. */
export function endsWithFigure(line: string, cents: Cents): boolean {
  const figure = formatMoney(cents);
  const trimmed = line.trimEnd();
  return trimmed.endsWith(figure) && !/[\d.,]/.test(trimmed.charAt(trimmed.length - figure.length - 1));
}

export function findPrintedAmounts(line: string): Cents[] {
  const figures: Cents[] = [];
  for (const match of line.matchAll(FIGURES)) {
    const figure = toCents(match);
    if (figure !== null) figures.push(figure);
  }
  return figures;
}
