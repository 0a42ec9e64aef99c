import { DAY, findPayment, ORDINARY_STATEMENT, type PlantedError, statementAt } from './plant.ts';

/** Errors that several rules find. The findings must form one group with the rule of their cause. */
export const groupedErrors: readonly PlantedError[] = [
  {
    name: 'statement imported twice',
    rule: 'duplicate-statement',
    plant: (draft) => {
      const copy = {
        ...statementAt(draft, ORDINARY_STATEMENT),
        id: draft.subscription_id * 100_000 + 80_000,
      };
      draft.statements.push(copy);
      return copy.id;
    },
  },
  {
    name: 'statement of another subscription',
    rule: 'misplaced-statement',
    plant: (draft) => {
      const copy = structuredClone(statementAt(draft, ORDINARY_STATEMENT));
      copy.id = draft.subscription_id * 100_000 + 80_000;
      copy.closed_at = (copy.closed_at ?? 0) - 9 * DAY;
      copy.settled_at = copy.closed_at;
      copy.customer = { name: 'Jonas Weber', organization: null, address: 'Ringstrasse 9 10115' };
      copy.events = [];
      for (const [at, each] of copy.transactions.entries()) {
        Object.assign(each, {
          id: copy.id + at + 1,
          subscription_id: 900_004,
          gateway_transaction_id: `ch_${at}`,
        });
        each.created_at = (each.created_at ?? 0) - 9 * DAY;
      }
      draft.statements.push(copy);
      return copy.id;
    },
  },
  {
    name: 'charge recorded twice and counted',
    rule: 'duplicate-transaction',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const at = statement.transactions.findIndex(({ kind }) => kind === 'baseline');
      const [before, original] = [statement.transactions.slice(0, at + 1), statement.transactions[at]];
      if (original === undefined) throw new RangeError('the statement has no charge');
      const cents = original.amount_in_cents;
      const shift = (balance: number | null): number => (balance ?? 0) + cents;
      const later = [original, ...statement.transactions.slice(at + 1)].map((each) => ({
        ...each,
        starting_balance_in_cents: shift(each.starting_balance_in_cents),
        ending_balance_in_cents: shift(each.ending_balance_in_cents),
      }));
      if (later[0]) later[0].id += 70_000;
      statement.transactions = [...before, ...later];
      statement.ending_balance_in_cents = shift(statement.ending_balance_in_cents);
      return statement.id;
    },
  },
  {
    name: 'charge moved to the statement before',
    rule: 'misplaced-transaction',
    plant: (draft) => {
      const [before, statement] = [ORDINARY_STATEMENT - 1, ORDINARY_STATEMENT].map((n) =>
        statementAt(draft, n),
      );
      const charge = statement?.transactions.find(({ kind }) => kind === 'baseline');
      if (before === undefined || statement === undefined || charge === undefined) return null;
      statement.transactions = statement.transactions.filter((each) => each !== charge);
      before.transactions.push(charge);
      return before.id;
    },
  },
  {
    name: 'payment recorded as a refund',
    rule: 'wrong-transaction',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      Object.assign(findPayment(statement), { transaction_type: 'refund', type: 'Refund' });
      return statement.id;
    },
  },
  {
    name: 'payment omitted after a failed attempt',
    rule: 'missing-transaction',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const payment = findPayment(statement);
      const failed = {
        ...payment,
        id: payment.id + 60_000,
        success: false,
        gateway_transaction_id: null,
        ending_balance_in_cents: payment.starting_balance_in_cents,
      };
      statement.transactions = statement.transactions.map((each) => (each === payment ? failed : each));
      return statement.id;
    },
  },
  {
    name: 'all balances of a statement shifted',
    rule: 'broken-balance',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      for (const each of [statement, ...statement.transactions]) {
        each.starting_balance_in_cents = (each.starting_balance_in_cents ?? 0) + 950;
        each.ending_balance_in_cents = (each.ending_balance_in_cents ?? 0) + 950;
      }
      return statement.id;
    },
  },
  {
    name: 'statement closed too early',
    rule: 'broken-period',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.closed_at = (statement.closed_at ?? 0) - 3 * DAY;
      return statement.id;
    },
  },
  {
    name: 'allocation recorded twice',
    rule: 'duplicate-allocation',
    plant: ({ components: [component] }) => {
      const prorated =
        component?.allocations.findIndex((each) => each.proration_upgrade_scheme !== null) ?? -1;
      const original = component?.allocations[prorated];
      if (original) component?.allocations.splice(prorated + 1, 0, { ...original, ordinal: 1 });
      return null;
    },
  },
  {
    name: 'event that names another payment',
    rule: 'wrong-event',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      for (const event of statement.events)
        if (event.transaction_id === findPayment(statement).id) event.transaction_id = 31;
      return statement.id;
    },
  },
];
