import { readAmount } from '../amount.ts';
import { type Collector, extraOf, joined, textOrNull } from '../collector.ts';
import { readDate } from '../date-text.ts';
import type { LineKind } from '../line-kind.ts';
import type { DateOrder, DecimalMark, Field, Profile } from '../profile.ts';
import { amountOf, type Cells, type Manner, type Money, moneyOf, Unreadable } from './amounts.ts';
import type { Layout } from './header.ts';
import { balanceLabel, isSum } from './labels.ts';
import { idleStatuses } from './synonyms.ts';
import { plainName, type Row } from './table.ts';

/** Fields with a place of their own in a line. The texts of all others go to its `extra`. */
const SHOWN: ReadonlySet<Field> = new Set<Field>([
  'amount',
  'credit',
  'debit',
  'currency',
  'description',
  'reference',
  'counterparty',
  'bank_id',
  'payout_id',
  'gateway_transaction_id',
  'balance',
  'account',
  'net',
  'booked_on',
  'value_on',
]);

/** Reads the rows below the header one after the other. */
export class LineReader {
  readonly paidOn = new Map<string, string>();
  readonly #file: Collector;
  readonly #profile: Profile;
  readonly #layout: Layout;
  readonly #order: DateOrder;
  readonly #manner: Omit<Manner, 'debitsPositive'>;
  readonly #kinds: ReadonlyMap<string, LineKind>;
  readonly #prefixes: readonly (readonly [string, LineKind])[];
  readonly #idle: ReadonlySet<string>;
  readonly #header: string;
  readonly #statements = new Map<string, number>();
  /** Columns whose texts go to `extra`. */
  readonly #extra: readonly number[];
  /** True if debits are written without a sign, as most banks do. A negative debit is then money returned. */
  #debitsPositive = true;

  constructor(
    file: Collector,
    profile: Profile,
    layout: Layout,
    manner: { order: DateOrder; mark: DecimalMark; currency: string | null; otherwise: string | null },
  ) {
    this.#file = file;
    this.#profile = profile;
    this.#layout = layout;
    this.#order = manner.order;
    const { mark, currency, otherwise } = manner;
    this.#manner = { profile, mark, currency, otherwise };
    const kinds = Object.entries(profile.kinds ?? {});
    this.#kinds = new Map(kinds);
    this.#prefixes = kinds
      .filter(([text]) => text.endsWith('*'))
      .map(([text, kind]) => [text.slice(0, -1), kind] as const)
      .toSorted(([a], [b]) => b.length - a.length);
    this.#idle = new Set(profile.idle_statuses ?? idleStatuses);
    this.#header = plainCells(layout.names);
    const shown = new Set<number>();
    for (const [field, columns] of layout.columns) {
      if (field === 'description') for (const column of columns) shown.add(column);
      else if (SHOWN.has(field) && columns.length === 1) shown.add(columns[0] as number);
    }
    this.#extra = layout.names.flatMap((_, column) => (shown.has(column) ? [] : [column]));
  }

  /** Inspects all debits before the rows are read. */
  survey(rows: Iterable<Row>): void {
    const columns = [...this.#columns('debit'), ...this.#columns('net_debit')];
    if (columns.length === 0) return;
    const { mark, currency, otherwise } = this.#manner;
    let negative = false;
    for (const { cells } of rows) {
      for (const column of columns) {
        const reading = readAmount(cells[column] ?? '', mark, currency ?? otherwise);
        if (!('cents' in reading)) continue;
        if (reading.cents > 0) return;
        negative ||= reading.cents < 0;
      }
    }
    this.#debitsPositive = !negative;
  }

  /** Adds the row as a line or as a problem. Returns true for a line. */
  read(row: Row): boolean {
    this.#file.rows++;
    if (row.flaw?.effect === 'failed') return this.#failed(row, row.flaw.reason);
    if (this.#isHeader(row.cells)) return this.#skipped(row, 'The header stands here again.');
    try {
      return this.#line(row);
    } catch (error) {
      if (error instanceof Unreadable) return this.#failed(row, error.message);
      throw error;
    }
  }

  #isHeader(cells: readonly string[]): boolean {
    return cells[0]?.trim() === this.#layout.names[0] && plainCells(cells) === this.#header;
  }

  #line(row: Row): boolean {
    const cells = this.#cells(row);
    const idle = cells.all('status').find((status) => this.#idle.has(status.toLowerCase()));
    if (idle !== undefined) return this.#skipped(row, `No money has moved: its status is “${idle}”.`);
    const dateText = cells.first('booked_on') || cells.first('value_on');
    const date = readDate(dateText, this.#order);
    const kind = this.#kindOf(cells.first('kind'), cells.first('description'));
    const money = date === null ? this.#moneyOrNull(cells, kind) : this.#money(cells, kind);
    if (date === null) return this.#undated(row, dateText, money);
    if (money === null) {
      if (balanceLabel(row) !== null || cells.first('balance') !== '') {
        return this.#skipped(row, 'It states a balance and no amount.');
      }
      return this.#failed(row, 'It has no amount.');
    }
    if (money.amount === 0 && balanceLabel(row) === 'opening') {
      return this.#skipped(row, 'It states a balance and no amount.');
    }
    this.#give(row, cells, date, kind, money);
    return true;
  }

  #undated(row: Row, dateText: string, money: Money | null): boolean {
    if (balanceLabel(row) !== null) return this.#skipped(row, 'It states a balance.');
    if (isSum(row)) return this.#skipped(row, 'It is a row of sums.');
    if (money === null) return this.#skipped(row, 'It has neither a date nor an amount.');
    const reason = dateText === '' ? 'It has no date.' : `“${dateText.slice(0, 60)}” is no date.`;
    return this.#failed(row, reason);
  }

  #give(row: Row, cells: Cells, date: string, kind: LineKind, money: Money): void {
    const { amount, fee, net, currency, foreign, doubts } = money;
    const bank_id = textOrNull(cells.first('bank_id'));
    const gateway_transaction_id = textOrNull(cells.first('gateway_transaction_id'));
    // A payout line without a payout column belongs to its own payout.
    const payout_id =
      textOrNull(cells.first('payout_id')) ??
      (kind === 'payout' ? (gateway_transaction_id ?? bank_id) : null);
    const reference = textOrNull(cells.first('reference'));
    const counterparty = textOrNull(cells.first('counterparty'));
    const paid = readDate(cells.first('paid_on'), this.#order);
    if (payout_id !== null && paid !== null) this.paidOn.set(payout_id, paid);
    const valueText = cells.first('value_on');
    const value_on = readDate(valueText, this.#order);
    const number = this.#file.rows;
    this.#file.line({
      row: number,
      place: row.place,
      statement: this.#statement(cells.first('account'), row.place),
      booked_on: date,
      value_on,
      amount_in_cents: amount,
      currency,
      description: joined(cells.all('description')),
      reference,
      counterparty,
      bank_id,
      payout_id,
      gateway_transaction_id,
      kind,
      fee_in_cents: fee,
      net_in_cents: net,
      foreign,
      balance_in_cents: this.#balance(cells, currency),
      extra: this.#extraOf(
        row,
        new Set([reference, counterparty, bank_id, payout_id, gateway_transaction_id]),
      ),
    });
    const odd = [
      row.flaw?.reason,
      ...doubts,
      valueText !== '' &&
        value_on === null &&
        `“${valueText.slice(0, 60)}” is no date; the line is without a value date.`,
      row.cells.slice(this.#layout.names.length).some((cell) => cell.trim() !== '') &&
        'The line has more fields than the header: a delimiter may stand in a text without quotes.',
    ];
    for (const reason of odd) if (reason) this.#file.problem('doubtful', row.place, reason, row.raw, number);
  }

  #balance(cells: Cells, currency: string | null): number | null {
    const text = cells.first('balance');
    if (text === '') return null;
    try {
      return amountOf(text, currency, this.#manner).cents;
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  #money(cells: Cells, kind: LineKind): Money | null {
    return moneyOf(cells, kind, { ...this.#manner, debitsPositive: this.#debitsPositive });
  }

  /** For a row without a date, in which an unreadable amount is no error of its own. */
  #moneyOrNull(cells: Cells, kind: LineKind): Money | null {
    try {
      return this.#money(cells, kind);
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  /**
   * Returns the kind for the text of the kind column, or for its prefix and that of the description. The longest match
   * wins.
   */
  #kindOf(text: string, description: string): LineKind {
    const { source, kind_otherwise = source === 'bank' ? 'entry' : 'adjustment' } = this.#profile;
    if (text === '') return kind_otherwise;
    const plain = text.toLowerCase();
    const exact = this.#kinds.get(plain);
    const whole = `${plain} ${description.toLowerCase()}`;
    const begun = this.#prefixes.find(([prefix]) => whole.startsWith(prefix));
    if (begun !== undefined && (exact === undefined || begun[0].length > plain.length)) return begun[1];
    return exact ?? kind_otherwise;
  }

  #statement(account: string, place: string): number {
    if (account === '') return this.#file.statements.length - 1;
    const known = this.#statements.get(account);
    if (known !== undefined) return known;
    const first = this.#statements.size === 0 ? this.#file.statements.at(-1) : undefined;
    if (first === undefined) this.#file.statement(place, { account });
    else first.account ??= account;
    const index = this.#file.statements.length - 1;
    this.#statements.set(account, index);
    return index;
  }

  #columns(field: Field): readonly number[] {
    return this.#layout.columns.get(field) ?? [];
  }

  #cells(row: Row): Cells {
    const texts = (field: Field) => this.#columns(field).map((column) => row.cells[column]?.trim() ?? '');
    return {
      first: (field) => texts(field).find((text) => text !== '') ?? '',
      all: (field) => texts(field).filter((text) => text !== ''),
      has: (field) => texts(field).some((text) => text !== ''),
    };
  }

  /** Returns the texts without a place elsewhere in the line, by column name. */
  #extraOf(row: Row, told: ReadonlySet<string | null>): Record<string, string> {
    const { names } = this.#layout;
    const named = this.#extra.flatMap((column) => {
      const text = row.cells[column]?.trim() ?? '';
      return told.has(text) ? [] : [[names[column] ?? '', text] as const];
    });
    const dates = ['booked_on', 'value_on'].flatMap((field) =>
      this.#columns(field as Field).map((column) => [names[column] ?? '', timed(row.cells[column])] as const),
    );
    const beyond = row.cells
      .slice(names.length)
      .map((cell, at) => [`column ${names.length + at + 1}`, cell.trim()] as const);
    return extraOf([...named, ...dates, ...beyond]);
  }

  #skipped(row: Row, reason: string): false {
    this.#file.problem('skipped', row.place, reason, row.raw, this.#file.rows);
    return false;
  }

  #failed(row: Row, reason: string): false {
    this.#file.problem('failed', row.place, reason, row.raw, this.#file.rows);
    return false;
  }
}

const plainCells = (cells: readonly string[]): string => cells.map(plainName).join('\n');

/** Returns the text of a date that includes a time. */
const timed = (text: string | undefined): string | null => {
  const plain = text?.trim() ?? '';
  return /\d:\d\d/.test(plain) ? plain : null;
};
