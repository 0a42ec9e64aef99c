import type { SiteRows, TransactionRow } from './bent-site.ts';
import type { BentKind } from './kinds.ts';
import {
  closedStatements,
  isCharge,
  isFailedPayment,
  isPayment,
  isRefund,
  middleStatements,
  neighbor,
  type Pick,
  type Position,
  positions,
  shiftDays,
  unusedId,
} from './pick.ts';

/** Creates a kind that changes one transaction. */
const change = (
  name: string,
  isWanted: (transaction: TransactionRow) => boolean,
  bend: (position: Position, pick: Pick, rows: SiteRows) => void,
): BentKind => ({
  name,
  bend: (rows, pick) => bend(pick.one(positions(rows, isWanted)), pick, rows),
});

const isAdjustment = ({ transaction_type }: TransactionRow): boolean => transaction_type === 'adjustment';
const isCredit = ({ transaction_type }: TransactionRow): boolean => transaction_type === 'credit';

const remove = ({ statement, transaction }: Position): void => {
  statement.transactions = statement.transactions.filter((each) => each !== transaction);
};

/** Adds a copy of a transaction directly after it. */
function repeat({ statement, transaction }: Position, more: Partial<TransactionRow>): TransactionRow {
  const copy = { ...structuredClone(transaction), ...more };
  statement.transactions.splice(statement.transactions.indexOf(transaction) + 1, 0, copy);
  return copy;
}

/** Shifts the balances of a statement after a transaction. */
function shiftLater({ statement, transaction }: Position, cents: number): void {
  for (const each of statement.transactions.slice(statement.transactions.indexOf(transaction) + 1)) {
    each.starting_balance_in_cents += cents;
    each.ending_balance_in_cents += cents;
  }
  statement.ending_balance_in_cents += cents;
}

const findForeignPayment = (rows: SiteRows, pick: Pick, { statement }: Position): number =>
  pick.one(
    positions(rows, isPayment).filter((each) => each.statement.subscription_id !== statement.subscription_id),
  ).transaction.id;

const amountKinds: BentKind[] = [
  change('charge raised', isCharge, ({ transaction }, pick) => {
    transaction.amount_in_cents += pick.number(1, 999);
  }),
  change('charge lowered', isCharge, ({ transaction }, pick) => {
    transaction.amount_in_cents -= pick.number(1, Math.max(1, transaction.amount_in_cents - 1));
  }),
  change('charge in the wrong unit', isCharge, ({ transaction }) => {
    transaction.amount_in_cents *= 100;
  }),
  change(
    'tax changed',
    ({ kind }) => kind === 'tax',
    ({ transaction }, pick) => {
      transaction.amount_in_cents += pick.number(1, 99);
    },
  ),
  change('payment raised', isPayment, ({ transaction }, pick) => {
    transaction.amount_in_cents += pick.number(1, 999);
  }),
  change('adjustment changed', isAdjustment, ({ transaction }, pick) => {
    transaction.amount_in_cents -= pick.number(1, 999);
  }),
  change('credit changed', isCredit, ({ transaction }, pick) => {
    transaction.amount_in_cents -= pick.number(1, 99);
  }),
  change('sign of a charge flipped', isCharge, ({ transaction }) => {
    transaction.amount_in_cents *= -1;
  }),
  change('sign of a payment flipped', isPayment, ({ transaction }) => {
    transaction.amount_in_cents *= -1;
  }),
  {
    limit: 'a subscription with one or two adjustments has no usual sign',
    ...change('sign of an adjustment flipped', isAdjustment, ({ transaction }) => {
      transaction.amount_in_cents *= -1;
    }),
  },
  change('sign of a refund flipped', isRefund, ({ transaction }) => {
    transaction.amount_in_cents *= -1;
  }),
  change('balance after a transaction changed', isCharge, ({ transaction }, pick) => {
    transaction.ending_balance_in_cents += pick.number(1, 999);
  }),
  change('balance before a transaction changed', isCharge, ({ transaction }, pick) => {
    transaction.starting_balance_in_cents -= pick.number(1, 999);
  }),
  {
    name: 'running balances of a statement shifted',
    bend: (rows, pick) => {
      const statement = pick.one(
        closedStatements(rows).filter(({ transactions }) => transactions.length > 1),
      );
      const cents = pick.number(1, 999);
      for (const each of statement.transactions) {
        each.starting_balance_in_cents += cents;
        each.ending_balance_in_cents += cents;
      }
    },
  },
];

const duplicateKinds: BentKind[] = [
  change('charge recorded twice, not counted', isCharge, (position, pick) => {
    repeat(position, { id: unusedId(pick) });
  }),
  change('charge recorded twice and counted', isCharge, (position, pick) => {
    const { amount_in_cents, ending_balance_in_cents } = position.transaction;
    const copy = repeat(position, {
      id: unusedId(pick),
      starting_balance_in_cents: ending_balance_in_cents,
      ending_balance_in_cents: ending_balance_in_cents + amount_in_cents,
    });
    shiftLater({ ...position, transaction: copy }, amount_in_cents);
  }),
  change('charge repeated with its id', isCharge, (position) => {
    repeat(position, {});
  }),
  change('payment recorded twice', isPayment, (position, pick) => {
    repeat(position, { id: unusedId(pick) });
  }),
  change('payment recorded twice and counted', isPayment, (position, pick) => {
    const { amount_in_cents, ending_balance_in_cents } = position.transaction;
    const copy = repeat(position, {
      id: unusedId(pick),
      starting_balance_in_cents: ending_balance_in_cents,
      ending_balance_in_cents: ending_balance_in_cents - amount_in_cents,
    });
    shiftLater({ ...position, transaction: copy }, -amount_in_cents);
  }),
  change('card charged twice', isPayment, (position, pick) => {
    const { amount_in_cents, ending_balance_in_cents } = position.transaction;
    const copy = repeat(position, {
      id: unusedId(pick),
      gateway_transaction_id: `ch_${pick.number(100_000, 999_999)}`,
      starting_balance_in_cents: ending_balance_in_cents,
      ending_balance_in_cents: ending_balance_in_cents - amount_in_cents,
    });
    shiftLater({ ...position, transaction: copy }, -amount_in_cents);
  }),
  {
    name: 'transaction copied to the next statement',
    bend: (rows, pick) => {
      const statement = pick.one(
        middleStatements(rows).filter(({ transactions }) => transactions.length > 0),
      );
      const next = neighbor(rows, statement, 1);
      next?.transactions.unshift(structuredClone(pick.one(statement.transactions)));
    },
  },
  {
    name: 'gateway id of another customer’s payment',
    bend: (rows, pick) => {
      const position = pick.one(positions(rows, isPayment));
      const others = positions(rows, isPayment).filter(
        ({ statement }) => statement.subscription_id !== position.statement.subscription_id,
      );
      position.transaction.gateway_transaction_id = pick.one(others).transaction.gateway_transaction_id;
    },
  },
  {
    limit: 'two refunds that do not exceed the payment may be correct',
    ...change('refund recorded twice', isRefund, (position, pick) => {
      repeat(position, { id: unusedId(pick) });
    }),
  },
];

const linkKinds: BentKind[] = [
  change('charge names another subscription', isCharge, ({ transaction }, pick) => {
    transaction['subscription_id'] = unusedId(pick);
  }),
  change('payment names another subscription', isPayment, ({ transaction, statement }, pick, rows) => {
    const others = rows.statements.filter(({ subscription_id: id }) => id !== statement.subscription_id);
    transaction['subscription_id'] = pick.one(others).subscription_id;
  }),
  change('all transactions name another subscription', isCharge, ({ statement }, pick) => {
    const subscription_id = unusedId(pick);
    for (const each of statement.transactions) each['subscription_id'] = subscription_id;
  }),
  change('transaction names another statement', isCharge, ({ transaction, statement }, pick, rows) => {
    const others = rows.statements.filter(({ id }) => id !== statement.id);
    transaction['statement_id'] = pick.one(others).id;
  }),
  change('charge settled by another subscription’s payment', isCharge, (position, pick, rows) => {
    position.transaction.payment_id = findForeignPayment(rows, pick, position);
  }),
  change(
    'charges of a statement settled by another subscription’s payment',
    isCharge,
    (position, pick, rows) => {
      const payment_id = findForeignPayment(rows, pick, position);
      for (const each of position.statement.transactions) if (isCharge(each)) each.payment_id = payment_id;
    },
  ),
  change('charge settled by a payment on no statement', isCharge, ({ transaction }, pick) => {
    transaction.payment_id = unusedId(pick);
  }),
  change('charge settled by itself', isCharge, ({ transaction }) => {
    transaction.payment_id = transaction.id;
  }),
  change('refund of a payment on no statement', isRefund, ({ transaction }, pick) => {
    transaction.payment_id = unusedId(pick);
  }),
  change('refund of another subscription’s payment', isRefund, (position, pick, rows) => {
    position.transaction.payment_id = findForeignPayment(rows, pick, position);
  }),
  change('refund of a charge', isRefund, ({ transaction, statement }, pick) => {
    transaction.payment_id = pick.one(statement.transactions.filter(isCharge)).id;
  }),
  change('refund above its payment', isRefund, ({ transaction }, pick) => {
    transaction.amount_in_cents += 100_000 + pick.number(1, 99_999);
  }),
  change('transaction in another currency', isCharge, ({ transaction }) => {
    transaction['currency'] = 'GBP';
  }),
];

const stateKinds: BentKind[] = [
  change('charge omitted', isCharge, remove),
  change('payment omitted', isPayment, remove),
  change('tax omitted', ({ kind }) => kind === 'tax', remove),
  change('adjustment omitted', isAdjustment, remove),
  change('successful payment marked as failed', isPayment, ({ transaction }) => {
    transaction.success = false;
  }),
  change('failed payment marked as successful', isFailedPayment, ({ transaction }) => {
    transaction.success = true;
  }),
  change('transaction of an unknown type', isCharge, ({ transaction }) => {
    transaction.transaction_type = 'surcharge';
    transaction.type = 'Surcharge';
  }),
  change('transaction of two types', isCharge, ({ transaction }) => {
    transaction.type = 'Payment';
  }),
  change('charge turned into a credit', isCharge, ({ transaction }) => {
    transaction.transaction_type = 'credit';
    transaction.type = 'Credit';
  }),
  change('payment turned into a refund', isPayment, ({ transaction }) => {
    transaction.transaction_type = 'refund';
    transaction.type = 'Refund';
  }),
  change('transaction dated before its statement', isCharge, ({ transaction, statement }, pick) => {
    transaction.created_at = shiftDays(statement.opened_at, -pick.number(2, 60));
  }),
  change('transaction dated after its statement', isPayment, ({ transaction, statement }, pick) => {
    transaction.created_at = shiftDays(statement.closed_at as string, pick.number(2, 20));
  }),
  change('transaction dated in the future', isCharge, ({ transaction }) => {
    transaction.created_at = shiftDays(transaction.created_at, 1200);
  }),
];

/** Errors in transactions: amounts, signs, duplicates, links, states and dates. */
export const transactionKinds: BentKind[] = [...amountKinds, ...duplicateKinds, ...linkKinds, ...stateKinds];
