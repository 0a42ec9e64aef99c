import { addDays } from '../../../src/domain/ledger/index.ts';
import { writeDate } from '../generators/line-writer.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

/** Adds an unpaid payment with a certain id, and a stranger's anonymous line with that number. */
function addNumber(trap: TrapBuilder, id: number, text: string): void {
  trap.addBackground();
  trap.pay({ name: trap.person(), statement_id: id });
  trap.line({ description: text }, { confirm: 'never', kind: 'date-like-id' });
}

/** Returns the date of the trap's line as digits. */
const dateDigits = (trap: TrapBuilder, format: number): string => writeDate(addDays(trap.start, 2), format);

/** Cause 5: a number is not an id. */
export const numbers: readonly Trap[] = [
  {
    title: 'a date YYYYMMDD equals a statement id',
    cause: 5,
    fill: (trap) => {
      const digits = dateDigits(trap, 0);
      addNumber(
        trap,
        Number(digits),
        `CREDIT TRANSFER ${trap.random.pick(['', 'VALUTA ', 'VALUE DATE ', 'DATE '])}${digits}`,
      );
    },
  },
  {
    title: 'a date DDMMYYYY equals a statement id',
    cause: 5,
    fill: (trap) => {
      const digits = dateDigits(trap, 2);
      addNumber(trap, Number(digits), `CREDIT TRANSFER ${digits}`);
    },
  },
  {
    title: 'a date YYMMDD equals a statement id',
    cause: 5,
    fill: (trap) => {
      const digits = dateDigits(trap, 0).slice(2);
      addNumber(trap, Number(digits), `LOCKBOX ${digits}`);
    },
  },
  {
    title: 'an id that looks like a date, among stored ids, belongs to a statement that is not stored',
    cause: 5,
    fill: (trap) => {
      const unknown = Number(dateDigits(trap, 0).slice(2));
      for (const distance of trap.random.shuffle([-47, -31, -18, -9, 6, 14, 22, 39]).slice(trap.variant)) {
        const amount_in_cents = 300_000 + distance * 100;
        const statement_id = unknown + distance;
        const payment = trap.pay({ name: trap.person(), statement_id, amount_in_cents });
        trap.line(
          { amount_in_cents, reference: `NR ${statement_id}` },
          { payments: [payment], kind: 'clean' },
        );
      }
      const { names } = trap.pay({ name: trap.person(), statement_id: unknown + 55 });
      trap.line(
        { description: `NR ${unknown}`, counterparty: (names[0] ?? '').toUpperCase() },
        { confirm: 'never', kind: 'missing-statement' },
      );
    },
  },
  {
    title: 'a time of day equals a statement id',
    cause: 5,
    fill: (trap) => {
      const [hour, minute, second] = [trap.random.integer(10, 23), trap.random.integer(10, 59), 30];
      addNumber(
        trap,
        Number(`${hour}${minute}${second}`),
        `CASH DEPOSIT ${dateDigits(trap, 1)} ${hour}:${minute}:${second}`,
      );
    },
  },
  {
    title: 'an id cut by the bank equals a shorter id',
    cause: 5,
    fill: (trap) => {
      trap.addBackground();
      const short = trap.random.integer(100_000, 999_999);
      trap.pay({ name: trap.person(), statement_id: short });
      const own = trap.pay({ name: trap.person(), statement_id: short * 10 + trap.random.integer(0, 9) });
      trap.line(
        { description: `CREDIT TRANSFER INVOICE ${short}` },
        { payments: [own], confirm: 'never', kind: 'cut-id' },
      );
    },
  },
  {
    title: 'an id cut by the bank equals a shorter id, and the payer is named',
    cause: 5,
    fill: (trap) => {
      trap.addBackground();
      const short = trap.random.integer(100_000, 999_999);
      trap.pay({ name: trap.person(), statement_id: short });
      const own = trap.pay({ name: trap.person(), statement_id: short * 100 + trap.random.integer(0, 99) });
      trap.line(
        {
          description: `CREDIT TRANSFER INVOICE ${short}`,
          counterparty: (own.names[0] ?? '').toUpperCase(),
        },
        { payments: [own], kind: 'cut-id' },
      );
    },
  },
  {
    title: "a customer number equals another customer's statement id",
    cause: 5,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person() });
      trap.pay({ name: trap.person(), statement_id: own.subscription_id ?? 0 });
      trap.line(
        {
          reference:
            `${trap.random.pick(['KD-NR', 'CUSTOMER', 'CONTRACT', ''])} ${own.subscription_id}`.trim(),
        },
        { payments: [own], confirm: 'never', kind: 'customer-number' },
      );
    },
  },
  {
    title: 'an amount in the text equals a statement id',
    cause: 5,
    fill: (trap) => {
      const amount = trap.random.integer(100_000, 900_000);
      addNumber(trap, amount, `FX EUR ${amount} RATE 1,0${trap.random.integer(100, 999)}`);
    },
  },
  ...(
    [
      ['DD.MM.YYYY', (day, month, year) => `${day}.${month}.${year}`],
      ['DDMMYY', (day, month, year) => `${day}${month}${year.slice(2)}`],
      ['MM/DD/YYYY', (day, month, year) => `${month}/${day}/${year}`],
      ['YYYY-MM-DD', (day, month, year) => `${year}-${month}-${day}`],
      ['YYYYMM', (_, month, year) => `${year}${month}`],
      ['MMYYYY', (_, month, year) => `${month}${year}`],
    ] satisfies [string, (day: string, month: string, year: string) => string][]
  ).map(
    ([format, write]): Trap => ({
      title: `a date ${format} equals a statement id`,
      cause: 5,
      fill: (trap) => {
        const [year = '', month = '', day = ''] = addDays(trap.start, 1).split('-');
        const date = write(day, month, year);
        const words = trap.random.pick(['CREDIT VALUTA', 'RENT', 'DEPOSIT OF', 'BUCHUNG', 'TRANSFER DTD']);
        addNumber(trap, Number(date.replace(/\D/g, '')), `${words} ${date}`);
      },
    }),
  ),
  {
    title: 'a date in the reference field equals a statement id',
    cause: 5,
    fill: (trap) => {
      trap.addBackground(0);
      const digits = dateDigits(trap, trap.variant % 2 === 0 ? 0 : 2);
      trap.pay({ name: trap.person(), statement_id: Number(digits) });
      trap.line({ reference: digits }, { confirm: 'never', kind: 'date-like-id' });
    },
  },
  ...(
    [
      ['before its currency', (units) => `RECEIVED ${units} EUR FROM ABROAD`],
      ['after its currency', (units) => `ORIGINAL USD ${units} CHARGES SHA`],
      ['with a decimal point', (units) => `GROSS ${units}.00 LESS CHARGES`],
      ['with a decimal comma', (units) => `BRUTTO ${units},50 ENTGELT`],
      ['after a symbol', (units) => `COUNTER VALUE £${units}`],
    ] satisfies [string, (units: number) => string][]
  ).map(
    ([form, write]): Trap => ({
      title: `an amount ${form} equals a statement id`,
      cause: 5,
      fill: (trap) => {
        const units = trap.random.integer(10_000, 900_000);
        addNumber(trap, units, write(units));
      },
    }),
  ),
  {
    title: "the line's own amount in its text equals a statement id",
    cause: 5,
    fill: (trap) => {
      addNumber(
        trap,
        trap.price,
        `CREDIT ${trap.random.pick(['TOTAL', 'SUM', 'VALUE', 'BETRAG'])} ${trap.price}`,
      );
    },
  },
  {
    title: 'the account number of a named stranger contains a statement id',
    cause: 5,
    fill: (trap) => {
      trap.addBackground();
      const payment = trap.pay({ name: trap.person() });
      trap.line(
        {
          description: `SEPA CREDIT DE${trap.random.integer(10, 99)} 2005 0550 ${payment.statement_id}`,
          counterparty: trap.person().toUpperCase(),
        },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
];
