import { printPdfText } from '../checks/print-statement.ts';
import {
  DAY,
  LATE_PAID_STATEMENT,
  ORDINARY_STATEMENT,
  type PlantedError,
  shiftBalancesAfter,
  statementAt,
} from './plant.ts';

/** Errors in the figures, periods, texts and dates of statements. */
export const statementErrors: readonly PlantedError[] = [
  {
    name: 'closing balance changed afterwards',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.ending_balance_in_cents = (statement.ending_balance_in_cents ?? 0) + 1234;
      return statement.id;
    },
  },
  {
    name: 'amount of a charge changed afterwards',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) charge.amount_in_cents += 700;
      return statement.id;
    },
  },
  {
    name: 'charge taken off the statement',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.transactions.splice(
        statement.transactions.findIndex(({ kind }) => kind === 'baseline'),
        1,
      );
      return statement.id;
    },
  },
  {
    name: 'balance between two transactions changed',
    rule: 'running-balances',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const first = statement.transactions[0];
      if (first) first.ending_balance_in_cents = (first.ending_balance_in_cents ?? 0) + 55;
      return statement.id;
    },
  },
  {
    name: 'balance after the last transaction changed',
    rule: 'running-balances',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const last = statement.transactions.at(-1);
      if (last) last.ending_balance_in_cents = -55;
      return statement.id;
    },
  },
  {
    name: 'opening balance changed afterwards',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.starting_balance_in_cents = (statement.starting_balance_in_cents ?? 0) + 999;
      return statement.id;
    },
  },
  {
    name: 'money lost between two statements',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      shiftBalancesAfter(draft, ORDINARY_STATEMENT, -321);
      return statementAt(draft, ORDINARY_STATEMENT).id;
    },
  },
  {
    name: 'money appeared between two statements',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      shiftBalancesAfter(draft, ORDINARY_STATEMENT, 321);
      return statementAt(draft, ORDINARY_STATEMENT).id;
    },
  },
  {
    name: 'a statement is missing',
    rule: 'period-gap',
    plant: (draft) => {
      draft.statements.splice(ORDINARY_STATEMENT, 1);
      return statementAt(draft, ORDINARY_STATEMENT).id;
    },
  },
  {
    name: 'a statement opens two days late',
    rule: 'period-gap',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.opened_at = (statement.opened_at ?? 0) + 2 * DAY;
      return statement.id;
    },
  },
  {
    name: 'a statement opens a day early',
    rule: 'period-overlap',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.opened_at = (statement.opened_at ?? 0) - DAY;
      return statement.id;
    },
  },
  {
    name: 'a statement was never closed',
    rule: 'period-overlap',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.closed_at = null;
      statement.settled_at = null;
      return statementAt(draft, ORDINARY_STATEMENT + 1).id;
    },
  },
  {
    name: 'closing balance in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.text_view =
        statement.text_view?.replace(/(Ending Balance.*: ).*/, (_, label) => `${label}$12.34`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'amount of a line in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.text_view =
        statement.text_view?.replace(/(Basic Plan .*)\$[\d.,]+/, (_, line) => `${line}$1,111.11`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'total of charges in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.text_view =
        statement.text_view?.replace(/(Current Charges.*: ).*/, (_, label) => `${label}$7,777.77`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'PDF made of another statement',
    rule: 'pdf-agrees',
    plant: (draft) => {
      for (const statement of draft.statements) statement.pdf_text = printPdfText(statement);
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      statement.pdf_text = printPdfText({ ...statement, ending_balance_in_cents: 4321 });
      return statement.id;
    },
  },
  {
    name: 'transaction of a type nobody knows',
    rule: 'unknown-transaction-type',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) Object.assign(charge, { transaction_type: 'voucher', type: 'Voucher' });
      return statement.id;
    },
  },
  {
    name: 'statement closed before it opened',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.closed_at = (statement.opened_at ?? 0) - DAY;
      return statement.id;
    },
  },
  {
    name: 'statement closed in the far future',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.closed_at = (statement.closed_at ?? 0) + 9000 * DAY;
      return statement.id;
    },
  },
  {
    name: 'statement opened in the far future',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.opened_at = (statement.opened_at ?? 0) + 9000 * DAY;
      return statement.id;
    },
  },
  {
    name: 'transaction dated in another period',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) charge.created_at = (charge.created_at ?? 0) - 45 * DAY;
      return statement.id;
    },
  },
];
