import type { BankFileOptions, ImportColumn, ImportQuestion } from '../model/bank-file.ts';
import {
  type BankFileProfile,
  type BankProfileField,
  type DateOrder,
  DETECTED_PROFILE_NAME,
  type DecimalMark,
  dateOrders,
  decimalMarks,
  profileAmountFields,
} from '../model/profile.ts';
import { builtInBankProfiles } from '../profiles/index.ts';
import type { LineCollector, StatementDraft } from '../statements/line-collector.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { listIbanCurrencies } from '../values/iban.ts';
import {
  type DetectedSetting,
  detectDateOrder,
  detectDecimalMark,
  resolveSetting,
  type TextSample,
} from '../values/value-format-detection.ts';
import { unsettledStatuses } from './column-header-words.ts';
import {
  type ColumnLayout,
  findHeader,
  findLayoutByProfile,
  hasAmountColumn,
  recognizeBankProfile,
} from './column-layout.ts';
import { fillMissingColumns } from './column-questions.ts';
import { listColumnRoles } from './column-roles.ts';
import { findBalanceLabel, readLabeledRow } from './labeled-rows.ts';
import { resolveAmounts } from './resolve-amounts.ts';
import { TableLineReader } from './table-line-reader.ts';
import { type ImportTable, listRowsBelowHeader, type TableRow } from './table-rows.ts';

export interface TableReadResult {
  readonly profile: BankFileProfile | null;
  readonly questions: readonly ImportQuestion[];
  /** Dates on which payouts were sent, by payout id. */
  readonly paidOn: ReadonlyMap<string, string>;
  readonly columns: readonly ImportColumn[];
}

const EMPTY_READING: TableReadResult = { profile: null, questions: [], paidOn: new Map(), columns: [] };

/** Returns the requested profile, by object or by name; undefined if the name is unknown. */
export function findRequestedProfile({
  profile,
  profiles = [],
}: BankFileOptions): BankFileProfile | null | undefined {
  if (profile === undefined) return null;
  if (typeof profile !== 'string') return profile;
  return [...profiles, ...builtInBankProfiles].find(({ name }) => name === profile);
}

/** Reads a table's lines by the requested profile, the profile that fits the columns, or detected columns. */
export function readTable(
  table: ImportTable,
  file: LineCollector,
  options: BankFileOptions,
): TableReadResult {
  const requested = findRequestedProfile(options);
  if (requested === undefined) {
    file.reportProblem('refused', 'the file', `There is no profile named “${String(options.profile)}”.`);
    return EMPTY_READING;
  }
  const { head } = table;
  const profile =
    requested ?? recognizeBankProfile(head, [...(options.profiles ?? []), ...builtInBankProfiles]);
  if (profile === null) return readUnknown(table, file, options);
  const layout = findLayoutByProfile(head, profile);
  if (layout === null) {
    const expected = Object.values(profile.columns).flat().slice(0, 8).join(', ');
    const reason = `No row contains the columns of the profile ${profile.label}. It needs a date and an amount from ${expected}.`;
    file.reportProblem('refused', head[0]?.location ?? 'the file', reason, { raw: head[0]?.raw });
    return { ...EMPTY_READING, profile };
  }
  return readWithProfile({ table, profile, layout }, file, options, []);
}

function readUnknown(table: ImportTable, file: LineCollector, options: BankFileOptions): TableReadResult {
  const { layout, questions } = fillMissingColumns(table, findHeader(table.head), options.answers ?? {});
  if (layout === null || !layout.columns.has('booked_on') || !hasAmountColumn(layout.columns)) {
    const raw = table.head[0]?.raw;
    const reason =
      'No column with dates and amounts was found. Choose a profile if the file contains bank lines.';
    file.reportProblem('refused', table.head[0]?.location ?? 'the file', reason, { raw });
    return EMPTY_READING;
  }
  const known = withoutCounterpartyAccounts(layout, table, file);
  const profile = toDetectedProfile(known);
  return readWithProfile({ table, profile, layout: known }, file, options, questions);
}

/** A column whose accounts change from row to row contains the counterparty's account. */
function withoutCounterpartyAccounts(layout: ColumnLayout, { head, rows }: ImportTable, file: LineCollector) {
  const [column] = layout.columns.get('account') ?? [];
  if (column === undefined) return layout;
  if (!hasDifferentTexts(listRowsBelowHeader(rows, layout.header), column)) return layout;
  const name = layout.names[column] ?? '';
  const reason = `The column “${name}” contains several accounts. They were read as counterparty accounts.`;
  file.reportProblem('doubtful', head[layout.header]?.location ?? 'the file', reason);
  const columns = new Map(layout.columns);
  columns.delete('account');
  return { ...layout, columns };
}

function hasDifferentTexts(rows: Iterable<TableRow>, column: number): boolean {
  let first = '';
  for (const row of rows) {
    const text = row.cells[column]?.trim() ?? '';
    if (first !== '' && text !== first && findBalanceLabel(row) !== null) continue;
    if (first !== '' && text !== '' && text !== first) return true;
    first ||= text;
  }
  return false;
}

/** Returns a detected column layout as a profile that can be saved. */
function toDetectedProfile({ header, names, columns, currency }: ColumnLayout): BankFileProfile {
  const common = {
    name: DETECTED_PROFILE_NAME,
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
  const columnsByName: Partial<Record<BankProfileField, string[]>> = Object.fromEntries(named);
  const plain = names.filter((name) => !/^column \d+$|\(\d+\)$/.test(name));
  return { ...common, recognized_by: plain, columns: columnsByName };
}

interface TableSource {
  readonly table: ImportTable;
  readonly profile: BankFileProfile;
  readonly layout: ColumnLayout;
}

function readWithProfile(
  source: TableSource,
  file: LineCollector,
  options: BankFileOptions,
  columnQuestions: readonly ImportQuestion[],
): TableReadResult {
  const { table, profile, layout } = source;
  const body = () => listRowsBelowHeader(table.rows, layout.header);
  const statement = file.beginStatement(table.head[layout.header + 1]?.location ?? 'the file');
  const fallbackCurrency = parseCurrencyCode(options.currency ?? '');
  const { order, mark } = detectConventions(source, options, fallbackCurrency);
  const stated = profile.currency ?? layout.currency;
  const formats = { order: order.value, mark: mark.value, currency: stated ?? fallbackCurrency };
  for (const row of table.head.slice(0, Math.max(layout.header, 0))) readLabeledRow(row, statement, formats);
  const currency = stated ?? statement.currency;
  const conventions = {
    ...{ profile, mark: mark.value, order: order.value, currency },
    fallbackCurrency: fallbackCurrency ?? (currency === null ? findIbanCurrency(source, statement) : null),
    idle: new Set(profile.idle_statuses ?? unsettledStatuses),
  };
  const amounts = resolveAmounts({ rows: body, layout, statement, conventions }, options.answers ?? {});
  const reader = new TableLineReader(file, layout, { ...conventions, ...amounts });
  for (const row of body()) {
    const isSkipped = reader.read(row);
    if (isSkipped && findBalanceLabel(row) !== null) readLabeledRow(row, statement, formats);
  }
  const detected = [order.question, mark.question].filter((question) => question !== null);
  return {
    profile: { ...completeProfile(profile, table, order, mark), ...amounts.settings },
    questions: [...columnQuestions, ...detected, ...amounts.questions],
    paidOn: reader.paidOn,
    columns: listColumnRoles(layout),
  };
}

/** Returns the currency of the account's country if the account is an IBAN of a country with a single currency. */
function findIbanCurrency({ table, layout }: TableSource, { account }: StatementDraft): string | null {
  const [column] = layout.columns.get('account') ?? [];
  const rows = table.head.slice(layout.header + 1);
  const named = column === undefined ? [] : rows.map(({ cells }) => cells[column]?.trim() ?? '');
  const currencies = listIbanCurrencies(account ?? named.find((text) => text !== '') ?? '');
  return currencies.length === 1 ? (currencies[0] ?? null) : null;
}

/** Returns the date order and decimal mark: from the user's answers, then from the profile, then by detection. */
function detectConventions(
  { table, profile, layout }: TableSource,
  options: BankFileOptions,
  fallbackCurrency: string | null,
): { order: DetectedSetting<DateOrder>; mark: DetectedSetting<DecimalMark> } {
  const answers = new Map(Object.entries(options.answers ?? {}));
  const body = () => listRowsBelowHeader(table.rows, layout.header);
  const answeredOrder = dateOrders.find((order) => order === answers.get('date_order'));
  const answeredMark = decimalMarks.find((mark) => mark === answers.get('decimal_mark'));
  const profileMark = profile.decimal_mark ?? (profile.unit === 'minor' ? '.' : undefined);
  const stated = profile.currency ?? layout.currency ?? fallbackCurrency;
  return {
    order: resolveSetting(answeredOrder ?? profile.date_order, () =>
      detectDateOrder(collectSamples(body(), layout, ['booked_on', 'value_on', 'paid_on']), options.today),
    ),
    mark: resolveSetting(answeredMark ?? profileMark, () =>
      detectDecimalMark(
        collectSamples(body(), layout, AMOUNT_FIELDS),
        findCurrency(body(), layout) ?? stated,
      ),
    ),
  };
}

const AMOUNT_FIELDS: readonly BankProfileField[] = [
  ...profileAmountFields.filter((field) => field !== 'direction' && field !== 'fee'),
  'balance',
];

/** Returns the profile completed with the settings that were detected with certainty. */
function completeProfile(
  profile: BankFileProfile,
  { delimiter, encoding, sheet }: ImportTable,
  order: DetectedSetting<DateOrder>,
  mark: DetectedSetting<DecimalMark>,
): BankFileProfile {
  return {
    ...profile,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(order.question === null ? { date_order: order.value } : {}),
    ...(mark.question === null && profile.unit !== 'minor' ? { decimal_mark: mark.value } : {}),
  };
}

function* collectSamples(
  rows: Iterable<TableRow>,
  { columns }: ColumnLayout,
  fields: readonly BankProfileField[],
): Generator<TextSample> {
  const selectedColumns = fields.flatMap((field) => columns.get(field) ?? []);
  for (const row of rows) {
    const { cells } = row;
    for (const column of selectedColumns) {
      const text = cells[column]?.trim();
      if (text) yield { location: row.location, text };
    }
  }
}

function findCurrency(rows: Iterable<TableRow>, { columns }: ColumnLayout): string | null {
  const [column] = columns.get('currency') ?? [];
  if (column === undefined) return null;
  for (const { cells } of rows) {
    const code = parseCurrencyCode(cells[column] ?? '');
    if (code !== null) return code;
  }
  return null;
}
