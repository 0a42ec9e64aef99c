import type { CalendarDate } from '../../ledger/index.ts';
import type { ImportAnswerOption, ImportQuestion } from '../model/bank-file.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '../model/profile.ts';
import { parseAmount } from './amount-text.ts';
import { formatAmountInCurrency } from './currency.ts';
import { parseDateText } from './date-text.ts';

/** A text from the file with its location, used to detect a format. */
export type TextSample = { readonly location: string; readonly text: string };

/** A setting detected from sample texts, with a question if the texts are ambiguous. */
export type DetectedSetting<Value> = { readonly value: Value; readonly question: ImportQuestion | null };

/** Returns the setting if it is known; otherwise detects it. */
export const resolveSetting = <Value>(known: Value | undefined, detect: () => DetectedSetting<Value>) =>
  known === undefined ? detect() : { value: known, question: null };

const MAX_EXAMPLES = 3;

const orderNames: { readonly [order in DateOrder]: string } = {
  ymd: 'year, month, day',
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ydm: 'year, day, month',
};

/**
 * Returns the date order with which all texts are valid. If several orders remain, or the texts contradict each other,
 * returns the most likely order (dates in sequence, none in the future) with a question.
 */
export function detectDateOrder(
  samples: Iterable<TextSample>,
  today: CalendarDate | undefined,
): DetectedSetting<DateOrder> {
  const { tallies, ambiguous } = tallyDates(samples, today);
  const all = [...tallies.values()];
  const maxFits = Math.max(...all.map(({ validCount }) => validCount));
  // Year-day-month is never used if year-month-day is possible.
  const isoFits = (tallies.get('ymd')?.validCount ?? 0) > 0;
  const possible = all.filter(({ order, validCount }) => validCount > 0 && !(isoFits && order === 'ydm'));
  const [first, ...others] = possible
    .filter(({ validCount }) => validCount === maxFits)
    .toSorted((a, b) => rateImprobability(a) - rateImprobability(b));
  const value = first?.order ?? 'ymd';
  const alternatives = [
    ...others,
    ...possible.filter(({ order, validCount }) => validCount < maxFits && first?.losesTo.has(order)),
  ].map(({ order }) => order);
  const distinguishing = ambiguous.filter(({ dates }) =>
    alternatives.some((order) => differ(dates, value, order)),
  );
  const differing = alternatives.filter((order) =>
    distinguishing.some(({ dates }) => differ(dates, value, order)),
  );
  if (differing.length === 0) return { value, question: null };
  return {
    value,
    question: createOrderQuestion([value, ...differing], distinguishing.slice(0, MAX_EXAMPLES)),
  };
}

/** A date text that means different days in different date orders. */
type AmbiguousDate = { readonly sample: TextSample; readonly dates: ReadonlyMap<DateOrder, CalendarDate> };

type DateOrderTally = ReturnType<typeof createTally>;

const createTally = (order: DateOrder) => ({
  order,
  validCount: 0,
  /** Date orders that accept a text that this date order rejects. */
  losesTo: new Set<DateOrder>(),
  ascendingCount: 0,
  descendingCount: 0,
  futureCount: 0,
  last: '',
  first: '9999-12-31',
  final: '0000-01-01',
});

const MAX_AMBIGUOUS_DATES = 1000;
/** Maximum number of cached date texts. Dates repeat, but dates with times rarely do. */
const MAX_CACHED_TEXTS = 2000;

function tallyDates(samples: Iterable<TextSample>, today: CalendarDate | undefined) {
  const datesByText = new Map<string, ReadonlyMap<DateOrder, CalendarDate>>();
  const tallies = new Map(dateOrders.map((order) => [order, createTally(order)] as const));
  const ambiguous: AmbiguousDate[] = [];
  for (const sample of samples) {
    let dates = datesByText.get(sample.text);
    if (dates === undefined) {
      dates = parseInEachOrder(sample.text);
      if (datesByText.size === MAX_CACHED_TEXTS) datesByText.clear();
      datesByText.set(sample.text, dates);
      const isAmbiguous = new Set(dates.values()).size > 1;
      if (isAmbiguous && ambiguous.length < MAX_AMBIGUOUS_DATES) ambiguous.push({ sample, dates });
    }
    countDates(tallies, dates, today);
  }
  return { tallies, ambiguous };
}

function countDates(
  tallies: ReadonlyMap<DateOrder, DateOrderTally>,
  dates: AmbiguousDate['dates'],
  today: CalendarDate | undefined,
): void {
  for (const [order, tally] of tallies) {
    const date = dates.get(order);
    if (date !== undefined) countDate(tally, date, today);
    else for (const other of dates.keys()) tally.losesTo.add(other);
  }
}

function countDate(tally: DateOrderTally, date: CalendarDate, today: CalendarDate | undefined): void {
  tally.validCount++;
  if (date < tally.last) tally.descendingCount++;
  if (date > tally.last && tally.last !== '') tally.ascendingCount++;
  if (date < tally.first) tally.first = date;
  if (date > tally.final) tally.final = date;
  if (today !== undefined && date > today) tally.futureCount++;
  tally.last = date;
}

function parseInEachOrder(text: string): ReadonlyMap<DateOrder, CalendarDate> {
  const dates = new Map<DateOrder, CalendarDate>();
  for (const order of dateOrders) {
    const date = parseDateText(text, order);
    if (date !== null) dates.set(order, date);
  }
  return dates;
}

/** Returns the penalty of a date order: first for future dates, then dates out of sequence, then a long range. */
function rateImprobability({ first, final, futureCount, ascendingCount, descendingCount }: DateOrderTally) {
  const span = Number(final.replaceAll('-', '')) - Number(first.replaceAll('-', ''));
  return futureCount * 1e9 + Math.min(ascendingCount, descendingCount) * 1e6 + span;
}

const differ = (dates: AmbiguousDate['dates'], a: DateOrder, b: DateOrder): boolean => {
  const [one, other] = [dates.get(a), dates.get(b)];
  return one !== undefined && other !== undefined && one !== other;
};

function createOrderQuestion(orders: readonly DateOrder[], distinguishing: readonly AmbiguousDate[]) {
  const [first] = distinguishing;
  const meaning = (dates: AmbiguousDate['dates'] | undefined, order: DateOrder) =>
    dates?.get(order) ?? 'no date';
  return {
    key: 'date_order',
    text: `What is the date order? ${first?.sample.text} can be ${orders.map((order) => meaning(first?.dates, order)).join(' or ')}.`,
    readings: orders.map((order) => ({
      value: order,
      label: orderNames[order],
      examples: distinguishing.map(({ sample: { location, text: raw }, dates }) => ({
        location,
        raw,
        meaning: meaning(dates, order),
      })),
    })),
  };
}

/**
 * Returns the decimal mark with which all amounts are valid. Asks if both marks are possible and give different
 * amounts, or if each mark fits amounts that the other mark does not fit.
 */
export function detectDecimalMark(
  samples: Iterable<TextSample>,
  currency: string | null,
): DetectedSetting<DecimalMark> {
  const { validCounts, exclusiveCounts, ambiguous } = tallyAmounts(samples, currency);
  const value = validCounts['.'] >= validCounts[','] ? '.' : ',';
  const decided =
    validCounts['.'] !== validCounts[','] && (exclusiveCounts['.'] === 0 || exclusiveCounts[','] === 0);
  if (decided || ambiguous.length === 0) return { value, question: null };
  const toOption = (mark: DecimalMark): ImportAnswerOption => ({
    value: mark,
    label: mark === '.' ? 'decimal point (1,234.50)' : 'decimal comma (1.234,50)',
    examples: ambiguous.map(({ location, text: raw }) => {
      const amount = parseAmount(raw, mark, currency);
      return {
        location,
        raw,
        meaning: 'cents' in amount ? formatAmountInCurrency(amount.cents, currency) : amount.reason,
      };
    }),
  });
  return {
    value,
    question: {
      key: 'decimal_mark',
      text: `What is the decimal separator? ${ambiguous[0]?.text} can be read in two ways.`,
      readings: decimalMarks.toSorted((a) => (a === value ? -1 : 1)).map(toOption),
    },
  };
}

/** Counts the amounts that are valid with each decimal mark, and those that are valid with only one. */
function tallyAmounts(samples: Iterable<TextSample>, currency: string | null) {
  const validCounts = { '.': 0, ',': 0 };
  const exclusiveCounts = { '.': 0, ',': 0 };
  const ambiguous: TextSample[] = [];
  for (const sample of samples) {
    const point = parseAmount(sample.text, '.', currency);
    const comma = parseAmount(sample.text, ',', currency);
    const [isPoint, isComma] = ['cents' in point, 'cents' in comma];
    if (isPoint) validCounts['.']++;
    if (isComma) validCounts[',']++;
    if (isPoint !== isComma) exclusiveCounts[isPoint ? '.' : ',']++;
    if ('cents' in point && 'cents' in comma && point.cents !== comma.cents) ambiguous.push(sample);
    if (ambiguous.length > MAX_EXAMPLES) ambiguous.pop();
  }
  return { validCounts, exclusiveCounts, ambiguous };
}
