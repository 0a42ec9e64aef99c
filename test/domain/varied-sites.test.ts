import { describe, expect, test } from 'vitest';
import { checkSite, type SiteRows, type StatementRow } from './bent-records/bent-site.ts';
import { bentKinds } from './bent-records/kinds.ts';
import {
  createPick,
  isCharge,
  isPayment,
  middleStatements,
  NoPositionError,
  neighbor,
  type Pick,
  positions,
} from './bent-records/pick.ts';
import { createVariedSite } from './bent-records/varied-site.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

const listFindings = (rows: SiteRows): string[] =>
  checkSite(rows).map(({ rule, members }) => (members.length > 0 ? `${rule} (${members.length})` : rule));

/** Bends the sites of several seeds and returns the different lists of findings. */
function bendSites(bend: (rows: SiteRows, pick: Pick) => void): string[] {
  const results = new Set<string>();
  for (const seed of SEEDS.slice(0, 8)) {
    const rows = createVariedSite(seed);
    try {
      bend(rows, createPick(seed * 31));
    } catch (error) {
      if (error instanceof NoPositionError) continue;
      throw error;
    }
    results.add(listFindings(rows).toSorted().join(' + '));
  }
  return [...results];
}

test.each(SEEDS)('a correct site of a different character has no finding (seed %i)', (seed) => {
  expect(checkSite(createVariedSite(seed)).map(({ message }) => message)).toEqual([]);
});

describe('an error on such a site is one exception', () => {
  test('credit with the opposite sign', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      const credits = positions(rows, ({ transaction_type: type }) => type === 'credit');
      pick.one(credits).transaction.amount_in_cents *= -1;
    };
    expect(bendSites(bend)).toEqual(['amount-sign']);
  });

  test('one transaction of a statement that names another customer', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      pick.one(positions(rows, isPayment)).transaction['customer_id'] = 424_242;
    };
    expect(bendSites(bend)).toEqual(['other-subscription']);
  });

  test('payment omitted after a failed attempt', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      const { statement, transaction } = pick.one(
        positions(rows, isPayment).filter(
          ({ statement: { transactions }, transaction: { amount_in_cents } }) =>
            transactions.some(({ success, amount_in_cents: cents }) => !success && cents === amount_in_cents),
        ),
      );
      statement.transactions = statement.transactions.filter((each) => each !== transaction);
    };
    for (const result of bendSites(bend)) expect(result).not.toContain(' + ');
  });

  test('late payment omitted from both statements', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      const statement = pick.one(rows.statements.filter(({ future_payments }) => future_payments.length > 0));
      const later = neighbor(rows, statement, 1) as StatementRow;
      const paid = statement.future_payments[0]?.id;
      statement.future_payments = [];
      later.transactions = later.transactions.filter(({ id }) => id !== paid);
    };
    for (const result of bendSites(bend)) expect(result).toMatch(/^missing-transaction \(\d\)$/);
  });

  test('statement moved to another subscription with all its records, besides the gap and the refund that it leaves', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      const statement = pick.one(
        middleStatements(rows).filter(({ transactions }) => transactions.length > 0),
      );
      const strangers = rows.statements.filter(
        (each) => each['customer_billing_zip'] !== statement['customer_billing_zip'],
      );
      statement.subscription_id = pick.one(strangers).subscription_id;
      for (const each of statement.transactions) each['subscription_id'] = statement.subscription_id;
    };
    for (const result of bendSites(bend))
      expect(result).toMatch(/^misplaced-statement \(\d+\)(?: \+ (?:period-gap|refund-without-payment))*$/);
  });

  test('charge that is recorded as a credit', () => {
    const bend = (rows: SiteRows, pick: Pick) => {
      const charges = positions(rows, isCharge).filter(({ statement: { transactions } }) =>
        transactions.some(({ transaction_type: type }) => type === 'credit'),
      );
      Object.assign(pick.one(charges).transaction, { transaction_type: 'credit', type: 'Credit' });
    };
    for (const result of bendSites(bend))
      expect(result).toMatch(/^(?:wrong-transaction \(2\)|statement-foots)$/);
  });
});

/** Kinds of the statements and transactions that must be one exception on any site. */
const generalKinds = bentKinds.filter(
  ({ name, limit }) => limit === undefined && !/webhook|event|allocation|text|omitted|future/.test(name),
);

test.each(generalKinds)('$name is at most one exception on such a site', ({ bend }) => {
  for (const result of bendSites(bend)) expect(result).not.toContain(' + ');
});
