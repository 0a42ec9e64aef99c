import type { CalendarDate } from '../ledger/index.ts';
import { readAmount } from './amount.ts';
import { readDate } from './date-text.ts';
import type { Question, Reading } from './file.ts';
import { inCurrency } from './finish.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from './profile.ts';

/** A text of the file with its location. */
export interface Sample {
  readonly place: string;
  readonly text: string;
}

/** What the texts determine, and what must be asked. */
export interface Decision<Value> {
  readonly value: Value;
  readonly question: Question | null;
}

const EXAMPLES = 3;

const orderNames: { readonly [order in DateOrder]: string } = {
  ymd: 'year, month, day',
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ydm: 'year, day, month',
};

/**
 * Returns the date order that all texts allow. If several orders are possible and mean different days, or none fits all
 * and the remaining texts suggest another, the most likely one is used (days in order, none after today) and a question
 * is asked.
 */
export function dateOrderOf(samples: Iterable<Sample>, today: CalendarDate | undefined): Decision<DateOrder> {
  const { tallies, unlike } = surveyOf(samples, today);
  const all = [...tallies.values()];
  const most = Math.max(...all.map(({ fits }) => fits));
  // Year, day, month is never used where year, month, day is possible.
  const isoFits = (tallies.get('ymd')?.fits ?? 0) > 0;
  const possible = all.filter(({ order, fits }) => fits > 0 && !(isoFits && order === 'ydm'));
  const [first, ...others] = possible
    .filter(({ fits }) => fits === most)
    .toSorted((a, b) => unlikeliness(a) - unlikeliness(b));
  const value = first?.order ?? 'ymd';
  const alternatives = [
    ...others,
    ...possible.filter(({ order, fits }) => fits < most && first?.losesTo.has(order)),
  ].map(({ order }) => order);
  const telling = unlike.filter(({ dates }) => alternatives.some((order) => differ(dates, value, order)));
  const differing = alternatives.filter((order) => telling.some(({ dates }) => differ(dates, value, order)));
  if (differing.length === 0) return { value, question: null };
  return { value, question: orderQuestion([value, ...differing], telling.slice(0, EXAMPLES)) };
}

/** A text that means different days in different orders. */
interface Unlike {
  readonly sample: Sample;
  readonly dates: ReadonlyMap<DateOrder, CalendarDate>;
}

interface Tally {
  readonly order: DateOrder;
  fits: number;
  /** Orders in which some text is a date that is none in this order. */
  readonly losesTo: Set<DateOrder>;
  rises: number;
  falls: number;
  late: number;
  last: CalendarDate;
  first: CalendarDate;
  final: CalendarDate;
}

const newTally = (order: DateOrder): Tally => ({
  order,
  fits: 0,
  losesTo: new Set(),
  rises: 0,
  falls: 0,
  late: 0,
  last: '',
  first: '9999-12-31',
  final: '0000-01-01',
});

const MOST_UNLIKE = 1000;
/** Maximum number of cached texts: dates repeat, dates with times rarely do. */
const MOST_KNOWN = 2000;

/** Parses every text in every order. */
function surveyOf(samples: Iterable<Sample>, today: CalendarDate | undefined) {
  const known = new Map<string, ReadonlyMap<DateOrder, CalendarDate>>();
  const tallies = new Map(dateOrders.map((order) => [order, newTally(order)] as const));
  const unlike: Unlike[] = [];
  for (const sample of samples) {
    let dates = known.get(sample.text);
    if (dates === undefined) {
      dates = datesOf(sample.text);
      if (known.size === MOST_KNOWN) known.clear();
      known.set(sample.text, dates);
      if (unlike.length < MOST_UNLIKE && new Set(dates.values()).size > 1) unlike.push({ sample, dates });
    }
    for (const [order, tally] of tallies) {
      const date = dates.get(order);
      if (date !== undefined) count(tally, date, today);
      else for (const other of dates.keys()) tally.losesTo.add(other);
    }
  }
  return { tallies, unlike };
}

function count(tally: Tally, date: CalendarDate, today: CalendarDate | undefined): void {
  tally.fits++;
  if (date < tally.last) tally.falls++;
  if (date > tally.last && tally.last !== '') tally.rises++;
  if (date < tally.first) tally.first = date;
  if (date > tally.final) tally.final = date;
  if (today !== undefined && date > today) tally.late++;
  tally.last = date;
}

function datesOf(text: string): ReadonlyMap<DateOrder, CalendarDate> {
  const found = new Map<DateOrder, CalendarDate>();
  for (const order of dateOrders) {
    const date = readDate(text, order);
    if (date !== null) found.set(order, date);
  }
  return found;
}

/** Returns a score of improbability: future dates weigh most, then dates out of order, then a long range. */
function unlikeliness({ first, final, late, rises, falls }: Tally): number {
  const span = Number(final.replaceAll('-', '')) - Number(first.replaceAll('-', ''));
  return late * 1e9 + Math.min(rises, falls) * 1e6 + span;
}

const differ = (dates: Unlike['dates'], a: DateOrder, b: DateOrder): boolean => {
  const [one, other] = [dates.get(a), dates.get(b)];
  return one !== undefined && other !== undefined && one !== other;
};

function orderQuestion(orders: readonly DateOrder[], telling: readonly Unlike[]): Question {
  const [first] = telling;
  const meaning = (dates: Unlike['dates'] | undefined, order: DateOrder) => dates?.get(order) ?? 'no date';
  return {
    key: 'date_order',
    text: `Which way round are the dates? ${first?.sample.text} can be ${orders.map((order) => meaning(first?.dates, order)).join(' or ')}.`,
    readings: orders.map((order) => ({
      value: order,
      label: orderNames[order],
      examples: telling.map(({ sample: { place, text: raw }, dates }) => ({
        place,
        raw,
        meaning: meaning(dates, order),
      })),
    })),
  };
}

/**
 * Returns the decimal mark that all amounts allow. Asks if both are possible with different amounts, or if each fits
 * amounts that the other does not.
 */
export function decimalMarkOf(samples: Iterable<Sample>, currency: string | null): Decision<DecimalMark> {
  const fits = { '.': 0, ',': 0 };
  const alone = { '.': 0, ',': 0 };
  const unlike: Sample[] = [];
  for (const { place, text } of samples) {
    const point = readAmount(text, '.', currency);
    const comma = readAmount(text, ',', currency);
    if ('cents' in point) fits['.']++;
    if ('cents' in comma) fits[',']++;
    if ('cents' in point && !('cents' in comma)) alone['.']++;
    if ('cents' in comma && !('cents' in point)) alone[',']++;
    if ('cents' in point && 'cents' in comma && point.cents !== comma.cents && unlike.length < EXAMPLES) {
      unlike.push({ place, text });
    }
  }
  const value = fits['.'] >= fits[','] ? '.' : ',';
  const decided = fits['.'] !== fits[','] && (alone['.'] === 0 || alone[','] === 0);
  if (decided || unlike.length === 0) return { value, question: null };
  const reading = (mark: DecimalMark): Reading => ({
    value: mark,
    label: mark === '.' ? 'decimal point (1,234.50)' : 'decimal comma (1.234,50)',
    examples: unlike.map(({ place, text: raw }) => {
      const amount = readAmount(raw, mark, currency);
      return { place, raw, meaning: 'cents' in amount ? inCurrency(amount.cents, currency) : amount.reason };
    }),
  });
  return {
    value,
    question: {
      key: 'decimal_mark',
      text: `Which sign begins the decimals? ${unlike[0]?.text} can be read in two ways.`,
      readings: decimalMarks.toSorted((a) => (a === value ? -1 : 1)).map(reading),
    },
  };
}
