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
