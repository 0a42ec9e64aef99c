import type { BentKind } from './kinds.ts';
import {
  closedStatements,
  isCharge,
  isPayment,
  middleStatements,
  neighbor,
  shiftDays,
  unusedId,
} from './pick.ts';

/** Errors in the balances, periods, texts and owners of statements. */
export const statementKinds: BentKind[] = [
  {
    name: 'opening balance changed',
    bend: (rows, pick) => {
      pick.one(middleStatements(rows)).starting_balance_in_cents += pick.number(1, 9999);
    },
  },
  {
    name: 'closing balance changed',
    bend: (rows, pick) => {
      pick.one(middleStatements(rows)).ending_balance_in_cents -= pick.number(1, 9999);
    },
  },
  {
    name: 'all balances of a statement shifted',
    bend: (rows, pick) => {
      const [statement, cents] = [pick.one(middleStatements(rows)), pick.number(1, 5000)];
      statement.starting_balance_in_cents += cents;
      statement.ending_balance_in_cents += cents;
      for (const each of statement.transactions) {
        each.starting_balance_in_cents += cents;
        each.ending_balance_in_cents += cents;
      }
    },
  },
  {
    name: 'sign of a closing balance flipped',
    bend: (rows, pick) => {
      const unpaid = closedStatements(rows).filter(({ ending_balance_in_cents: cents }) => cents !== 0);
      pick.one(unpaid).ending_balance_in_cents *= -1;
    },
  },
  {
    name: 'total changed',
    bend: (rows, pick) => {
      pick.one(closedStatements(rows)).total_in_cents += pick.number(1, 500);
    },
  },
  {
    name: 'statement opened later',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.opened_at = shiftDays(statement.opened_at, pick.number(1, 5));
    },
  },
  {
    name: 'statement opened earlier',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.opened_at = shiftDays(statement.opened_at, -pick.number(1, 5));
    },
  },
  {
    name: 'statement closed later',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.closed_at = shiftDays(statement.closed_at as string, pick.number(1, 5));
    },
  },
  {
    name: 'statement closed earlier',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.closed_at = shiftDays(statement.closed_at as string, -pick.number(1, 5));
    },
  },
  {
    name: 'statement closed before it opened',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.closed_at = shiftDays(statement.opened_at, -pick.number(2, 9));
    },
  },
  {
    name: 'statement settled before it opened',
    bend: (rows, pick) => {
      const statement = pick.one(closedStatements(rows).filter(({ settled_at }) => settled_at !== null));
      statement.settled_at = shiftDays(statement.opened_at, -pick.number(2, 9));
    },
  },
  {
    name: 'statement opened in the future',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.opened_at = shiftDays(statement.opened_at, 900);
    },
  },
  {
    name: 'settlement removed',
    bend: (rows, pick) => {
      const paid = middleStatements(rows).filter(
        (each) => each.settled_at !== null && each.total_in_cents > 0,
      );
      pick.one(paid).settled_at = null;
    },
  },
  {
    name: 'statement imported twice',
    bend: (rows, pick) => {
      rows.statements.push({ ...structuredClone(pick.one(middleStatements(rows))), id: unusedId(pick) });
    },
  },
  {
    name: 'statement imported twice with new ids',
    bend: (rows, pick) => {
      const copy = structuredClone(pick.one(middleStatements(rows)));
      const ids = new Map(copy.transactions.map(({ id }) => [id, unusedId(pick)]));
      copy.id = unusedId(pick);
      for (const each of copy.transactions) {
        each.id = ids.get(each.id) as number;
        each['statement_id'] = copy.id;
        each.payment_id = each.payment_id === null ? null : (ids.get(each.payment_id) ?? each.payment_id);
      }
      for (const { event } of copy.events) {
        event.id = unusedId(pick);
        const data = event.event_specific_data;
        const named = data?.['account_transaction_id'];
        if (data && typeof named === 'number') data['account_transaction_id'] = ids.get(named) ?? named;
      }
      rows.statements.push(copy);
    },
  },
  {
    name: 'statement omitted',
    bend: (rows, pick) => {
      const { id } = pick.one(middleStatements(rows));
      rows.statements = rows.statements.filter((each) => each.id !== id);
    },
  },
  {
    name: 'statement under another subscription',
    limit: 'the gap in the own subscription is an exception of its own',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      const others = rows.statements.filter(({ subscription_id: id }) => id !== statement.subscription_id);
      statement.subscription_id = pick.one(others).subscription_id;
    },
  },
  {
    name: 'statement in the name of another customer',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      const other = pick.one(
        rows.statements.filter((each) => each['customer_billing_zip'] !== statement['customer_billing_zip']),
      );
      for (const key of Object.keys(statement)) if (key.startsWith('customer_')) statement[key] = other[key];
    },
  },
  {
    name: 'person on a statement replaced',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement['customer_first_name'] = 'Zofia';
      statement['customer_last_name'] = 'Wójcik';
    },
  },
  {
    name: 'customer id of a statement changed',
    bend: (rows, pick) => {
      const statement = pick.one(
        middleStatements(rows).filter(({ transactions }) => transactions.length > 0),
      );
      const customer_id = unusedId(pick);
      for (const each of statement.transactions) each['customer_id'] = customer_id;
    },
  },
  {
    name: 'currency of a statement changed',
    bend: (rows, pick) => {
      for (const each of rows.statements) each['currency'] = 'CAD';
      pick.one(middleStatements(rows))['currency'] = 'SEK';
    },
  },
  {
    name: 'currency in the text of a statement changed',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.text_view = statement.text_view.replaceAll('$', '€');
    },
  },
  {
    name: 'closing balance in the text changed',
    bend: (rows, pick) => {
      const statement = pick.one(middleStatements(rows));
      statement.text_view = statement.text_view.replace(
        /(Ending balance\s+)-?\$[\d,.]+/,
        `$1$${pick.number(100, 999)}.17`,
      );
    },
  },
  {
    name: 'amount of a line in the text changed',
    bend: (rows, pick) => {
      const statement = pick.one(
        middleStatements(rows).filter(({ transactions }) => transactions.some(isPayment)),
      );
      const line = pick.one(statement.text_view.split('\n').filter((each) => /Renewal payment\s/.test(each)));
      statement.text_view = statement.text_view.replace(line, line.replace(/-\$[\d,.]+$/, '-$7777.77'));
    },
  },
  {
    name: 'first charge moved to the statement before',
    bend: (rows, pick) => {
      const statement = pick.one(
        middleStatements(rows).filter(({ transactions }) => transactions.some(isCharge)),
      );
      const before = neighbor(rows, statement, -1);
      const charge = statement.transactions.find(isCharge);
      if (before === null || charge === undefined) return;
      statement.transactions = statement.transactions.filter((each) => each !== charge);
      before.transactions.push(charge);
    },
  },
];
