import type { Collector } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import type { Question, ReadOptions } from '../file.ts';
import {
  type DateOrder,
  DETECTED,
  type DecimalMark,
  dateOrders,
  decimalMarks,
  type Field,
  type Profile,
} from '../profile.ts';
import { builtInProfiles } from '../profiles/index.ts';
import { dateOrderOf, decimalMarkOf, type Sample } from '../readings.ts';
import { askForColumns } from './ask.ts';
import { findHeader, hasAmount, type Layout, layoutOf, recognize } from './header.ts';
import { balanceLabel, takeLabeled } from './labels.ts';
import { LineReader } from './lines.ts';
import { behind, type Row, type Table } from './table.ts';

export interface TableReading {
  readonly profile: Profile | null;
  readonly questions: readonly Question[];
  /** Date on which each payout was sent. */
  readonly paidOn: ReadonlyMap<string, string>;
}

const nothing: TableReading = { profile: null, questions: [], paidOn: new Map() };

/**
 * Returns the requested profile: itself, or by name among the saved and built-in ones. Undefined if the name is unknown.
 */
export function profileAsked({ profile, profiles = [] }: ReadOptions): Profile | null | undefined {
  if (profile === undefined) return null;
  if (typeof profile !== 'string') return profile;
  return [...profiles, ...builtInProfiles].find(({ name }) => name === profile);
}

/** Reads a table into lines: with the requested profile, with one whose columns it has, or by detection. */
export function readTable(table: Table, file: Collector, options: ReadOptions): TableReading {
  const asked = profileAsked(options);
  if (asked === undefined) {
    file.problem('refused', 'the file', `There is no profile called “${String(options.profile)}”.`);
    return nothing;
  }
  const { head } = table;
  const profile = asked ?? recognize(head, [...(options.profiles ?? []), ...builtInProfiles]);
  if (profile === null) return readUnknown(table, file, options);
  const layout = layoutOf(head, profile);
  if (layout === null) {
    const wanted = Object.values(profile.columns).flat().slice(0, 8).join(', ');
    file.problem(
      'refused',
      head[0]?.place ?? 'the file',
      `No line holds the columns of the profile ${profile.label}: it needs a date and an amount among ${wanted}.`,
      head[0]?.raw,
    );
    return { ...nothing, profile };
  }
  return readBy(table, file, options, profile, layout, []);
}

/** Reads a table without a known profile. */
function readUnknown(table: Table, file: Collector, options: ReadOptions): TableReading {
  const { layout, questions } = askForColumns(table, findHeader(table.head), options.answers ?? {});
  if (layout === null || !layout.columns.has('booked_on') || !hasAmount(layout.columns)) {
    const raw = table.head[0]?.raw;
    file.problem(
      'refused',
      table.head[0]?.place ?? 'the file',
      'No column of dates and no column of amounts was found: this is no list of bank lines, or it needs a profile.',
      raw,
    );
    return nothing;
  }
  const known = withoutOthersAccounts(layout, table, file);
  return readBy(table, file, options, detectedProfile(known), known, questions);
}

/** A column with accounts that change from row to row is the counterparty's account. */
function withoutOthersAccounts(layout: Layout, { head, rows }: Table, file: Collector): Layout {
  const [column] = layout.columns.get('account') ?? [];
  if (column === undefined) return layout;
  if (!hasTwoTexts(behind(rows, layout.header), column)) return layout;
  const name = layout.names[column] ?? '';
  const reason = `The column “${name}” names several accounts; they were taken for those of the other party.`;
  file.problem('doubtful', head[layout.header]?.place ?? 'the file', reason);
  const columns = new Map(layout.columns);
  columns.delete('account');
  return { ...layout, columns };
}

function hasTwoTexts(rows: Iterable<Row>, column: number): boolean {
  let first = '';
  for (const { cells } of rows) {
    const text = cells[column]?.trim() ?? '';
    if (first !== '' && text !== '' && text !== first) return true;
    first ||= text;
  }
  return false;
}

/** Returns the detected layout as a profile that can be saved. */
function detectedProfile({ header, names, columns, currency }: Layout): Profile {
  const common = {
    name: DETECTED,
    label: 'Detected columns',
    source: 'bank' as const,
    ...(currency === null ? {} : { currency }),
  };
  const entries = [...columns];
  if (header < 0) {
    const positions = Object.fromEntries(entries.map(([field, [at = 0]]) => [field, at + 1]));
    return { ...common, recognized_by: [], columns: {}, positions, header_line: 0 };
  }
  const named = entries.map(([field, at]) => [field, at.map((column) => names[column] ?? '')] as const);
  const columnsByName: Partial<Record<Field, string[]>> = Object.fromEntries(named);
  const plain = names.filter((name) => !/^column \d+$|\(\d+\)$/.test(name));
  return { ...common, recognized_by: plain, columns: columnsByName };
}

function readBy(
  table: Table,
  file: Collector,
  options: ReadOptions,
  profile: Profile,
  layout: Layout,
  asked: readonly Question[],
): TableReading {
  const answers = new Map(Object.entries(options.answers ?? {}));
  const body = () => behind(table.rows, layout.header);
  const questions = [...asked];

  const answeredOrder = dateOrders.find((order) => order === answers.get('date_order'));
  const order = decide(answeredOrder ?? profile.date_order, () =>
    dateOrderOf(samples(body(), layout, ['booked_on', 'value_on', 'paid_on']), options.today),
  );
  const stated = profile.currency ?? layout.currency;
  const otherwise = currencyCode(options.currency ?? '');
  const answeredMark = decimalMarks.find((mark) => mark === answers.get('decimal_mark'));
  const mark = decide(
    answeredMark ?? profile.decimal_mark ?? (profile.unit === 'minor' ? '.' : undefined),
    () => decimalMarkOf(samples(body(), layout, AMOUNTS), currencyOf(body(), layout) ?? stated ?? otherwise),
  );
  for (const { question } of [order, mark]) if (question !== null) questions.push(question);

  const manner = { order: order.value, mark: mark.value, currency: stated ?? otherwise };
  const statement = file.statement(table.head[layout.header + 1]?.place ?? 'the file');
  for (const row of table.head.slice(0, Math.max(layout.header, 0))) takeLabeled(row, statement, manner);
  const reader = new LineReader(file, profile, layout, {
    ...manner,
    currency: stated ?? statement.currency,
    otherwise,
  });
  reader.survey(body());
  for (const row of body()) {
    const taken = reader.read(row);
    if (!taken && balanceLabel(row) !== null) takeLabeled(row, statement, manner);
  }
  return {
    profile: completed(profile, table, order, mark),
    questions,
    paidOn: reader.paidOn,
  };
}

const AMOUNTS: readonly Field[] = [
  'amount',
  'credit',
  'debit',
  'fee',
  'net',
  'net_credit',
  'net_debit',
  'balance',
];

interface Decided<Value> {
  readonly value: Value;
  readonly question: Question | null;
}

const decide = <Value>(given: Value | undefined, find: () => Decided<Value>): Decided<Value> =>
  given === undefined ? find() : { value: given, question: null };

/** Returns the profile completed with what was detected with certainty. */
function completed(
  profile: Profile,
  { delimiter, encoding, sheet }: Table,
  order: Decided<DateOrder>,
  mark: Decided<DecimalMark>,
): Profile {
  return {
    ...profile,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(order.question === null ? { date_order: order.value } : {}),
    ...(mark.question === null && profile.unit !== 'minor' ? { decimal_mark: mark.value } : {}),
  };
}

/** Yields the texts of some fields row by row. */
function* samples(rows: Iterable<Row>, { columns }: Layout, fields: readonly Field[]): Generator<Sample> {
  const wanted = fields.flatMap((field) => columns.get(field) ?? []);
  for (const row of rows) {
    const { cells } = row;
    for (const column of wanted) {
      const text = cells[column]?.trim();
      if (text) yield { place: row.place, text };
    }
  }
}

/** Returns the currency of the first row that names one. */
function currencyOf(rows: Iterable<Row>, { columns }: Layout): string | null {
  const [column] = columns.get('currency') ?? [];
  if (column === undefined) return null;
  for (const { cells } of rows) {
    const code = currencyCode(cells[column] ?? '');
    if (code !== null) return code;
  }
  return null;
}
