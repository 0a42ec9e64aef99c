import type { CalendarDate } from '../ledger/index.ts';
import { readAmount } from './amount.ts';
import { readDate } from './dateText.ts';
import type { Question, Reading } from './file.ts';
import { inCurrency } from './finish.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from './profile.ts';

/** A text of the file and where it stands. */
export interface Sample {
  readonly place: string;
  readonly text: string;
}

/** What was decided from the texts themselves, and what has to be asked. */
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
 * The order of dates that all texts allow. Where several do and mean different days, the likelier is taken (days in order, none after
 * today) and the question is put. Where none suits all, the one that suits most.
 */
export function dateOrderOf(samples: Iterable<Sample>, today: CalendarDate | undefined): Decision<DateOrder> {
  const readings = new Map<string, ReadonlyMap<DateOrder, CalendarDate>>();
  const tallies = new Map(dateOrders.map((order) => [order, newTally()] as const));
  const kept: Sample[] = [];
  for (const sample of samples) {
    const known = readings.get(sample.text);
    const reading = known ?? readingsOf(sample.text);
    if (known === undefined) {
      readings.set(sample.text, reading);
      if (kept.length < 1000 && new Set(reading.values()).size > 1) kept.push(sample);
    }
    for (const [order, date] of reading) {
      const tally = tallies.get(order);
      if (tally === undefined) continue;
      tally.fits++;
      if (date < tally.last) tally.falls++;
      if (date > tally.last && tally.last !== '') tally.rises++;
      if (date < tally.first) tally.first = date;
      if (date > tally.final) tally.final = date;
      if (today !== undefined && date > today) tally.late++;
      tally.last = date;
    }
  }
  const most = Math.max(...[...tallies.values()].map(({ fits }) => fits));
  const fitting = dateOrders.filter((order) => tallies.get(order)?.fits === most);
  // Nobody writes year, day, month where year, month, day makes sense.
  const possible = fitting.includes('ymd') ? fitting.filter((order) => order !== 'ydm') : fitting;
  const likely = possible.toSorted((a, b) => unlikeliness(tallies.get(a)) - unlikeliness(tallies.get(b)));
  const value = likely[0] ?? 'ymd';
  const differing = likely.filter(
    (order, at) => at === 0 || kept.some((sample) => differ(readings, sample.text, value, order)),
  );
  if (differing.length < 2 || kept.length === 0) return { value, question: null };
  const text = `Which way round are the dates? ${kept[0]?.text} can be ${differing.map((order) => readings.get(kept[0]?.text ?? '')?.get(order) ?? 'no date').join(' or ')}.`;
  return {
    value,
    question: {
      key: 'date_order',
      text,
      readings: differing.map((order) => ({
        value: order,
        label: orderNames[order],
        examples: kept.slice(0, EXAMPLES).map(({ place, text: raw }) => ({
          place,
          raw,
          meaning: readings.get(raw)?.get(order) ?? 'no date',
        })),
      })),
    },
  };
}

function readingsOf(text: string): ReadonlyMap<DateOrder, CalendarDate> {
  const found = new Map<DateOrder, CalendarDate>();
  for (const order of dateOrders) {
    const date = readDate(text, order);
    if (date !== null) found.set(order, date);
  }
  return found;
}

interface Tally {
  fits: number;
  rises: number;
  falls: number;
  late: number;
  last: CalendarDate;
  first: CalendarDate;
  final: CalendarDate;
}

const newTally = (): Tally => ({
  fits: 0,
  rises: 0,
  falls: 0,
  late: 0,
  last: '',
  first: '9999-12-31',
  final: '0000-01-01',
});

/** Days to come are the least likely, then days that go up and down, then a long span. */
function unlikeliness(tally: Tally | undefined): number {
  if (tally === undefined || tally.fits === 0) return 0;
  const span = Number(tally.final.replaceAll('-', '')) - Number(tally.first.replaceAll('-', ''));
  return tally.late * 1e9 + Math.min(tally.rises, tally.falls) * 1e6 + span;
}

const differ = (
  readings: ReadonlyMap<string, ReadonlyMap<DateOrder, CalendarDate>>,
  text: string,
  a: DateOrder,
  b: DateOrder,
): boolean => readings.get(text)?.get(a) !== readings.get(text)?.get(b);

/** The decimal mark that all amounts allow; asked where both do and mean different amounts. */
export function decimalMarkOf(samples: Iterable<Sample>, currency: string | null): Decision<DecimalMark> {
  const fits = { '.': 0, ',': 0 };
  const unlike: Sample[] = [];
  for (const { place, text } of samples) {
    const point = readAmount(text, '.', currency);
    const comma = readAmount(text, ',', currency);
    if ('cents' in point) fits['.']++;
    if ('cents' in comma) fits[',']++;
    if ('cents' in point && 'cents' in comma && point.cents !== comma.cents && unlike.length < EXAMPLES) {
      unlike.push({ place, text });
    }
  }
  if (fits['.'] !== fits[',']) return { value: fits['.'] > fits[','] ? '.' : ',', question: null };
  if (unlike.length === 0) return { value: '.', question: null };
  const reading = (mark: DecimalMark): Reading => ({
    value: mark,
    label: mark === '.' ? 'decimal point (1,234.50)' : 'decimal comma (1.234,50)',
    examples: unlike.map(({ place, text: raw }) => {
      const amount = readAmount(raw, mark, currency);
      return { place, raw, meaning: 'cents' in amount ? inCurrency(amount.cents, currency) : amount.reason };
    }),
  });
  return {
    value: '.',
    question: {
      key: 'decimal_mark',
      text: `Which sign begins the decimals? ${unlike[0]?.text} can be read in two ways.`,
      readings: decimalMarks.map(reading),
    },
  };
}
