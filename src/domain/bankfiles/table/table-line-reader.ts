import type { CalendarDate } from '../../ledger/index.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import type { BankFileProfile, BankProfileField, DateOrder } from '../model/profile.ts';
import {
  buildExtraFields,
  createStatedBalance,
  joinTexts,
  type LineCollector,
  trimToNull,
} from '../statements/line-collector.ts';
import { parseDateText } from '../values/date-text.ts';
import type { ColumnLayout } from './column-layout.ts';
import { findBalanceLabel, findBalanceLine, isTotalLine, isTotalRow } from './labeled-rows.ts';
import { type AmountConventions, parseCellAmount, type RowAmounts, readRowAmounts } from './row-amounts.ts';
import { getRowCells, type RowCells, UnreadableCellError } from './row-cells.ts';
import { normalizeColumnName, type TableRow } from './table-rows.ts';

/** Profile fields that are mapped to fields of a line. The texts of all other fields go to `extra`. */
const MAPPED_FIELDS: ReadonlySet<string> = new Set(
  'amount credit debit currency description reference counterparty bank_id payout_id gateway_transaction_id balance account net booked_on value_on'.split(
    ' ',
  ),
);

const BALANCE_WITHOUT_AMOUNT = 'The row contains a balance but no amount.';

/** Reads the rows below a table's header, one at a time. */
export class TableLineReader {
  readonly paidOn = new Map<string, string>();
  readonly #file: LineCollector;
  readonly #profile: BankFileProfile;
  readonly #layout: ColumnLayout;
  readonly #order: DateOrder;
  readonly #conventions: AmountConventions;
  readonly #kinds: ReadonlyMap<string, BankLineKind>;
  readonly #prefixes: readonly (readonly [string, BankLineKind])[];
  readonly #idle: ReadonlySet<string>;
  readonly #header: string;
  readonly #statements = new Map<string, number>();
  readonly #extra: readonly number[];
  readonly #totals = { in: 0, out: 0 };
  /** Balance of the last row that stated one. */
  #balance: number | null = null;
  /** Account, currency and amount of the last row that stated a balance; null if a row without a balance followed. */
  #last: { readonly key: string; readonly amount: number } | null = null;

  constructor(
    file: LineCollector,
    layout: ColumnLayout,
    conventions: AmountConventions & { order: DateOrder; idle: ReadonlySet<string> },
  ) {
    this.#file = file;
    const { profile } = conventions;
    this.#profile = profile;
    this.#layout = layout;
    this.#order = conventions.order;
    this.#conventions = conventions;
    this.#idle = conventions.idle;
    const kinds = Object.entries(profile.kinds ?? {});
    this.#kinds = new Map(kinds);
    this.#prefixes = kinds
      .filter(([text]) => text.endsWith('*'))
      .map(([text, kind]) => [text.slice(0, -1), kind] as const)
      .toSorted(([a], [b]) => b.length - a.length);
    this.#header = joinNormalized(layout.names);
    const mapped = new Set<number>();
    for (const [field, columns] of layout.columns) {
      if (field === 'description') for (const column of columns) mapped.add(column);
      else if (MAPPED_FIELDS.has(field) && columns.length === 1) mapped.add(columns[0] as number);
    }
    this.#extra = layout.names.flatMap((_, column) => (mapped.has(column) ? [] : [column]));
  }

  /** Reads a table row as a bank line or a problem. Returns true if the row was skipped because it is no line. */
  read(row: TableRow): boolean {
    this.#file.rows++;
    if (row.flaw?.effect === 'failed') return this.#reportFailed(row, row.flaw.reason);
    if (this.#isHeader(row.cells)) return this.#reportSkipped(row, 'The row repeats the header.');
    try {
      return this.#readRow(row);
    } catch (error) {
      if (error instanceof UnreadableCellError) return this.#reportFailed(row, error.message);
      throw error;
    }
  }

  #isHeader(cells: readonly string[]): boolean {
    return cells[0]?.trim() === this.#layout.names[0] && joinNormalized(cells) === this.#header;
  }

  #readRow(row: TableRow): boolean {
    const cells = getRowCells(this.#layout, row);
    const idle = cells.all('status').find((status) => this.#idle.has(status.toLowerCase()));
    if (idle !== undefined) return this.#reportSkipped(row, `No money has moved. The status is “${idle}”.`);
    const dateText = cells.first('booked_on') || cells.first('value_on');
    const date = parseDateText(dateText, this.#order);
    const kind = this.#findKind(cells.first('kind'), cells.first('description'));
    const amounts = date === null ? this.#readAmountsIfValid(cells, kind) : this.#readAmounts(cells, kind);
    if (date === null) return this.#skipUndated(row, dateText, amounts);
    if (this.#isBalance(row, cells, { date, amounts }))
      return this.#reportSkipped(row, BALANCE_WITHOUT_AMOUNT);
    if (amounts === null) {
      if (findBalanceLabel(row) !== null) return this.#reportSkipped(row, BALANCE_WITHOUT_AMOUNT);
      const balance = this.#readBalance(cells, this.#conventions.currency);
      const isMoved = this.#movesBalance(balance, cells);
      this.#followBalance(balance, 0, cells);
      if (balance === null || isMoved) return this.#reportFailed(row, 'The row has no amount.');
      return this.#reportSkipped(row, BALANCE_WITHOUT_AMOUNT);
    }
    if (isTotalLine(row) && this.#isTotal(amounts.amount))
      return this.#reportSkipped(row, 'The row contains totals.');
    this.#addLine(row, cells, { date, kind, amounts });
    return false;
  }

  /**
   * Returns true if a row that names a balance states one, and saves the balance for the statement. Returns false if
   * the row moves the running balance. Throws UnreadableCellError if the stated balance agrees with neither meaning.
   */
  #isBalance(
    row: TableRow,
    cells: RowCells,
    { date, amounts }: { date: CalendarDate; amounts: RowAmounts | null },
  ): boolean {
    const name = findBalanceLine(row);
    if (name === null) return false;
    const { amount, currency } = amounts ?? { amount: 0, currency: this.#conventions.currency };
    const before = this.#balance;
    const stated = this.#readBalance(cells, currency);
    if (stated === null && amounts === null) return false;
    if (stated !== null && amount !== 0 && Math.abs(stated) !== Math.abs(amount) && before !== stated) {
      if (before !== null && (before + amount === stated || before - amount === stated)) return false;
      throw new UnreadableCellError(
        'The row is named as a balance, but its amount and its balance disagree.',
      );
    }
    const statement = this.#file.statements[this.#findStatement(cells.first('account'), row.location)];
    if (statement !== undefined && name !== 'interim')
      statement[name] ??= createStatedBalance(stated ?? amount, date);
    if (stated !== null) this.#balance = stated;
    return true;
  }

  /** Returns true if the balance changes although no line was read since the last row with a balance. */
  #movesBalance(balance: number | null, cells: RowCells): boolean {
    if (balance === null || this.#balance === null || this.#last?.key !== toBalanceKey(cells)) return false;
    // If the newest line is first, the row may state the balance before the line above.
    return balance !== this.#balance && balance !== this.#balance - this.#last.amount;
  }

  #followBalance(balance: number | null, amount: number, cells: RowCells): void {
    this.#last = balance === null ? null : { key: toBalanceKey(cells), amount };
    this.#balance = balance ?? this.#balance;
  }

  /** Returns true if an amount is the sum of all lines so far, of the received lines or of the paid lines. */
  #isTotal(amount: number): boolean {
    const { in: incoming, out } = this.#totals;
    return [incoming, out, incoming - out, incoming + out].some((sum) => Math.abs(sum) === Math.abs(amount));
  }

  #skipUndated(row: TableRow, dateText: string, amounts: RowAmounts | null): boolean {
    if (findBalanceLabel(row) !== null) return this.#reportSkipped(row, 'The row contains only a balance.');
    if (isTotalRow(row)) return this.#reportSkipped(row, 'The row contains totals.');
    if (amounts === null) return this.#reportSkipped(row, 'The row has neither a date nor an amount.');
    const reason = dateText === '' ? 'The row has no date.' : `“${dateText.slice(0, 60)}” is not a date.`;
    return this.#reportFailed(row, reason);
  }

  #addLine(
    row: TableRow,
    cells: RowCells,
    { date, kind, amounts }: { date: CalendarDate; kind: BankLineKind; amounts: RowAmounts },
  ): void {
    const { amount, fee, net, currency, foreign, doubts } = amounts;
    const bank_id = trimToNull(cells.first('bank_id'));
    const gateway_transaction_id = trimToNull(cells.first('gateway_transaction_id'));
    // A payout line without a payout column describes its own payout, so its transaction id is the payout id.
    const payout_id =
      trimToNull(cells.first('payout_id')) ??
      (kind === 'payout' ? (gateway_transaction_id ?? bank_id) : null);
    const reference = trimToNull(cells.first('reference'));
    const counterparty = trimToNull(cells.first('counterparty'));
    const paid = parseDateText(cells.first('paid_on'), this.#order);
    if (payout_id !== null && paid !== null) this.paidOn.set(payout_id, paid);
    const valueText = cells.first('value_on');
    const value_on = parseDateText(valueText, this.#order);
    const number = this.#file.rows;
    const balance = this.#readBalance(cells, currency);
    this.#followBalance(balance, amount, cells);
    this.#totals[amount < 0 ? 'out' : 'in'] += Math.abs(amount);
    this.#file.addLine({
      row: number,
      location: row.location,
      statement: this.#findStatement(cells.first('account'), row.location),
      booked_on: date,
      value_on,
      amount_in_cents: amount,
      currency,
      description: joinTexts(cells.all('description')),
      reference,
      counterparty,
      bank_id,
      payout_id,
      gateway_transaction_id,
      kind,
      fee_in_cents: fee,
      net_in_cents: net,
      foreign,
      balance_in_cents: balance,
      extra: this.#buildExtra(
        row,
        new Set([reference, counterparty, bank_id, payout_id, gateway_transaction_id]),
      ),
    });
    const warnings = [
      row.flaw?.reason,
      ...doubts,
      valueText !== '' &&
        value_on === null &&
        `“${valueText.slice(0, 60)}” is not a date. The line has no value date.`,
      row.cells.slice(this.#layout.names.length).some((cell) => cell.trim() !== '') &&
        'The line has more fields than the header. An unquoted text may contain the delimiter.',
    ];
    for (const reason of warnings)
      if (reason) this.#file.reportProblem('doubtful', row.location, reason, { raw: row.raw, row: number });
  }

  #readBalance(cells: RowCells, currency: string | null): number | null {
    const text = cells.first('balance');
    if (text === '') return null;
    try {
      return parseCellAmount(text, currency, this.#conventions).cents;
    } catch (error) {
      if (error instanceof UnreadableCellError) return null;
      throw error;
    }
  }

  #readAmounts(cells: RowCells, kind: BankLineKind): RowAmounts | null {
    return readRowAmounts(cells, kind, this.#conventions);
  }

  /** Returns the amounts of a row without a date; null if there are none or one is unreadable. */
  #readAmountsIfValid(cells: RowCells, kind: BankLineKind): RowAmounts | null {
    try {
      return this.#readAmounts(cells, kind);
    } catch (error) {
      if (error instanceof UnreadableCellError) return null;
      throw error;
    }
  }

  /** Returns the line kind of the longest known prefix of the kind text followed by the description. */
  #findKind(text: string, description: string): BankLineKind {
    const { source, default_kind = source === 'bank' ? 'entry' : 'adjustment' } = this.#profile;
    if (text === '') return default_kind;
    const plain = text.toLowerCase();
    const exact = this.#kinds.get(plain);
    const kindAndDescription = `${plain} ${description.toLowerCase()}`;
    const match = this.#prefixes.find(([prefix]) => kindAndDescription.startsWith(prefix));
    if (match !== undefined && (exact === undefined || match[0].length > plain.length)) return match[1];
    return exact ?? default_kind;
  }

  #findStatement(account: string, location: string): number {
    if (account === '') return this.#file.statements.length - 1;
    const knownIndex = this.#statements.get(account);
    if (knownIndex !== undefined) return knownIndex;
    const first = this.#statements.size === 0 ? this.#file.statements.at(-1) : undefined;
    if (first === undefined) this.#file.beginStatement(location, { account });
    else first.account ??= account;
    const index = this.#file.statements.length - 1;
    this.#statements.set(account, index);
    return index;
  }

  #getColumns(field: BankProfileField): readonly number[] {
    return this.#layout.columns.get(field) ?? [];
  }

  #buildExtra(row: TableRow, mapped: ReadonlySet<string | null>): Record<string, string> {
    const { names } = this.#layout;
    const unmapped = this.#extra.flatMap((column) => {
      const text = row.cells[column]?.trim() ?? '';
      return mapped.has(text) ? [] : [[names[column] ?? '', text] as const];
    });
    const dates = ['booked_on', 'value_on'].flatMap((field) =>
      this.#getColumns(field as BankProfileField).map(
        (column) => [names[column] ?? '', keepTextWithTime(row.cells[column])] as const,
      ),
    );
    const beyond = row.cells
      .slice(names.length)
      .map((cell, at) => [`column ${names.length + at + 1}`, cell.trim()] as const);
    return buildExtraFields([...unmapped, ...dates, ...beyond]);
  }

  #reportSkipped(row: TableRow, reason: string): true {
    this.#file.reportProblem('skipped', row.location, reason, { raw: row.raw, row: this.#file.rows });
    return true;
  }

  #reportFailed(row: TableRow, reason: string): false {
    this.#file.reportProblem('failed', row.location, reason, { raw: row.raw, row: this.#file.rows });
    return false;
  }
}

const toBalanceKey = (cells: RowCells): string => `${cells.first('account')}\n${cells.first('currency')}`;

const joinNormalized = (cells: readonly string[]): string => cells.map(normalizeColumnName).join('\n');

const keepTextWithTime = (text: string | undefined): string | null => {
  const plain = text?.trim() ?? '';
  return /\d:\d\d/.test(plain) ? plain : null;
};
