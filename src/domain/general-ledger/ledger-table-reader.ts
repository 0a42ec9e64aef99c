import type { TableRow } from '../bankfiles/table/table-rows.ts';
import { parseAmount } from '../bankfiles/values/amount-text.ts';
import { parseCurrencyCode } from '../bankfiles/values/currency.ts';
import { parseDateText } from '../bankfiles/values/date-text.ts';
import type { CalendarDate, Cents } from '../ledger/index.ts';
import { isLedgerSumRow, type LedgerColumnRole, type LedgerLayout } from './ledger-columns.ts';
import type { LedgerConventions } from './ledger-conventions.ts';
import { parseDatevDay } from './ledger-dates.ts';
import type { LedgerFileBalance, LedgerFileSink } from './ledger-file.ts';

const NUMBER_AND_NAME = /^(\d[\d.-]{0,19})(?:\s*[·:–|]\s*|\s+-\s+|\s+)(\S.*)$/u;

/** Splits `4000 · Subscription revenue` into number and name. Without a number, the name identifies the account. */
export function splitAccountText(text: string): { account: string; account_name: string | null } {
  const parts = NUMBER_AND_NAME.exec(text);
  return parts === null
    ? { account: text.slice(0, 100), account_name: null }
    : { account: (parts[1] as string).slice(0, 100), account_name: (parts[2] as string).slice(0, 200) };
}

/** Thrown if a row cannot be read. The message is the reason. */
class UnreadableRowError extends Error {}

type Account = Pick<LedgerFileBalance, 'account' | 'account_name'>;

/** Reads the rows below the header of a ledger file, one by one. */
export class LedgerTableReader {
  readonly #layout: LedgerLayout;
  readonly #conventions: LedgerConventions;
  readonly #sink: LedgerFileSink;
  readonly #isActivity: boolean;
  /** Account of the heading row above the current row. */
  #heading: Account | null = null;
  #row = 0;

  constructor(layout: LedgerLayout, conventions: LedgerConventions, sink: LedgerFileSink) {
    this.#layout = layout;
    this.#conventions = conventions;
    this.#sink = sink;
    this.#isActivity = layout.columns.has('dated_on');
  }

  read(row: TableRow): void {
    this.#row++;
    if (row.flaw?.effect === 'failed') {
      this.#report(row, 'failed', row.flaw.reason);
      return;
    }
    if (isLedgerSumRow(row)) {
      this.#report(row, 'skipped', 'The row states a sum or a balance.');
      return;
    }
    const texts = row.cells.filter((cell) => cell.trim() !== '');
    if (texts.length === 1 && !this.#hasAmount(row)) {
      this.#heading = splitAccountText((texts[0] as string).trim());
      this.#report(row, 'skipped', 'The row is the heading of an account.');
      return;
    }
    try {
      if (this.#isActivity) this.#readLine(row);
      else this.#readBalance(row);
    } catch (error) {
      if (!(error instanceof UnreadableRowError)) throw error;
      this.#report(row, 'failed', error.message);
    }
  }

  #report({ location }: TableRow, effect: 'failed' | 'skipped', reason: string): void {
    this.#sink.onProblem({ effect, row: this.#row, location, reason });
  }

  #text({ cells }: TableRow, role: LedgerColumnRole): string {
    const column = this.#layout.columns.get(role);
    return column === undefined ? '' : (cells[column]?.trim() ?? '');
  }

  #hasAmount(row: TableRow): boolean {
    const roles = [
      'debit',
      'credit',
      'amount',
      'opening',
      'closing',
      'closing_debit',
      'closing_credit',
    ] as const;
    return roles.some((role) => this.#text(row, role) !== '');
  }

  #readLine(row: TableRow): void {
    const dateText = this.#text(row, 'dated_on');
    if (dateText === '') throw new UnreadableRowError('The row has no date.');
    const amount = this.#readSides(row, 'debit', 'credit') ?? this.#readSigned(row, 'amount');
    if (amount === null) {
      this.#report(row, 'skipped', 'The row has no amount.');
      return;
    }
    const common = {
      ...{ row: this.#row, location: row.location, dated_on: this.#readDate(dateText) },
      ...{ currency: this.#readCurrency(row), entry: toNull(this.#text(row, 'entry')) },
      ...{ reference: toNull(this.#text(row, 'reference')), description: this.#text(row, 'description') },
    };
    this.#sink.onLine({ ...common, ...this.#readAccount(row), amount_in_cents: amount });
    const contra = this.#text(row, 'contra_account');
    // A row of a DATEV posting batch posts to two accounts. In account sheets, each posting has its own row.
    if (contra !== '' && this.#conventions.datev !== null)
      this.#sink.onLine({ ...common, ...splitAccountText(contra), amount_in_cents: 0 - amount });
  }

  #readBalance(row: TableRow): void {
    const closing =
      this.#readSides(row, 'closing_debit', 'closing_credit') ?? this.#readSigned(row, 'closing');
    const sides = this.#readSides(row, 'debit', 'credit') ?? this.#readSigned(row, 'amount');
    const opening = this.#readSigned(row, 'opening');
    const { columns } = this.#layout;
    // Without a balance column, the debit and credit columns contain the balance.
    const hasBalance = columns.has('closing') || columns.has('closing_debit');
    const balance = hasBalance ? closing : sides;
    if (balance === null && opening === null && sides === null) {
      this.#report(row, 'skipped', 'The row has no amount.');
      return;
    }
    this.#sink.onBalance({
      ...{ row: this.#row, location: row.location, currency: this.#readCurrency(row) },
      ...this.#readAccount(row),
      opening_in_cents: opening,
      movement_in_cents: hasBalance ? sides : null,
      closing_in_cents: balance,
    });
  }

  #readAccount(row: TableRow): Account {
    const code = this.#text(row, 'account_code');
    const name = this.#text(row, 'account_name');
    const account = this.#text(row, 'account');
    if (code !== '')
      return { account: code.slice(0, 100), account_name: toNull(name === '' ? account : name) };
    if (account !== '') {
      const parts = splitAccountText(account);
      return { ...parts, account_name: parts.account_name ?? toNull(name) };
    }
    // In account activity, `Name` is usually the customer's name.
    if (name !== '' && (!this.#isActivity || this.#heading === null)) return splitAccountText(name);
    if (this.#heading !== null) return this.#heading;
    throw new UnreadableRowError('The row has no account.');
  }

  #readDate(text: string): CalendarDate {
    const { datev, order } = this.#conventions;
    const date = (datev === null ? null : parseDatevDay(text, datev)) ?? parseDateText(text, order);
    if (date === null) throw new UnreadableRowError(`The date “${text.slice(0, 40)}” cannot be read.`);
    return date;
  }

  #readCurrency(row: TableRow): string | null {
    const text = this.#text(row, 'currency');
    if (text === '') return null;
    const code = parseCurrencyCode(text);
    if (code === null) throw new UnreadableRowError(`“${text.slice(0, 20)}” is not a currency code.`);
    return code;
  }

  /** Returns debit minus credit in cents; null if both cells are empty. */
  #readSides(row: TableRow, debit: LedgerColumnRole, credit: LedgerColumnRole): Cents | null {
    const [left, right] = [this.#readAmount(row, debit), this.#readAmount(row, credit)];
    return left === null && right === null ? null : (left ?? 0) - (right ?? 0);
  }

  /** Returns a signed amount in cents. Positive is a debit unless the sign rule is `natural`. */
  #readSigned(row: TableRow, role: LedgerColumnRole): Cents | null {
    const amount = this.#readAmount(row, role);
    if (amount === null) return null;
    const direction = this.#text(row, 'direction');
    if (direction !== '') return /^(?:h|c|cr|haben|credit)$/i.test(direction) ? 0 - amount : amount;
    return this.#conventions.sign === 'credit' ? 0 - amount : amount;
  }

  #readAmount(row: TableRow, role: LedgerColumnRole): Cents | null {
    const text = this.#text(row, role);
    if (text === '' || text === '-') return null;
    const { mark, currency } = this.#conventions;
    const amount = parseAmount(text, mark, currency);
    if ('cents' in amount) return amount.cents;
    throw new UnreadableRowError(`The amount “${text.slice(0, 40)}” ${amount.reason}.`);
  }
}

const toNull = (text: string): string | null => (text === '' ? null : text.slice(0, 200));
