import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/domain/ledger/index.ts';
import { type MatchGroup, type MatchInput, runMatching } from '../../../src/domain/matching/index.ts';
import { createLabeledData, type LabeledData } from '../../bench/labeled-bank-data.ts';
import { judgeMatchGroups } from '../../bench/match-quality.ts';
import { line } from './sample-rows.ts';

const RUNS = { numRuns: 12 };
const seeds = fc.integer({ min: 1, max: 5000 });
const market = {
  payments: 220,
  days: 60,
  refunds: 0.05,
  twins: 0.02,
  split: 0.02,
  joined: 0.02,
  missing: 0.04,
};
const createData = (seed: number): LabeledData => createLabeledData({ ...market, foreign: 0.05, seed });

const listConfirmed = (input: MatchInput): MatchGroup[] =>
  [...runMatching(input).groups()].filter(({ status }) => status === 'confirmed');
/** Keeps matches by id and by name. Matches by amount also depend on the shares of strangers and of unpaid payments. */
const isIdentified = ({ rule }: MatchGroup): boolean => rule !== 'amount-date';
const listIdentifiedKeys = (input: MatchInput): string[] =>
  listConfirmed(input)
    .filter(isIdentified)
    .map(({ key }) => key);
const listKeys = (input: MatchInput): string[] =>
  listConfirmed(input)
    .map(({ key }) => key)
    .sort();

/** Changes all digits, so that a text quotes no id of the original data. */
const withOtherDigits = (text: string): string => text.replace(/\d/g, (digit) => String(9 - Number(digit)));

/** Moves rows to other ids, so that they share no row with other data. */
function withOtherIds(data: LabeledData, offset: number): LabeledData {
  return {
    ...data,
    payments: data.payments.map((payment) => ({
      ...payment,
      id: payment.id + offset,
      payment_id: (payment.payment_id ?? 0) + offset,
      statement_id: payment.statement_id + offset,
      subscription_id: (payment.subscription_id ?? 0) + offset,
      gateway_transaction_id: `x${payment.gateway_transaction_id}`,
    })),
    lines: data.lines.map((row) => ({
      ...row,
      id: row.id + offset,
      reference: row.reference === null ? null : withOtherDigits(row.reference),
      description: withOtherDigits(row.description),
    })),
  };
}

/** Returns the confirmed matches of `data` after other rows have been added to it. */
function listKeysBeside(data: LabeledData, others: Pick<MatchInput, 'lines' | 'payments'>): string[] {
  const own = new Set(data.lines.map(({ id }) => id));
  const accounts = [...data.accounts, { ...data.accounts[0]!, id: 77, name: 'Second account' }];
  const payments = [...data.payments, ...others.payments];
  const confirmed = listConfirmed({ ...data, accounts, payments, lines: [...data.lines, ...others.lines] });
  return confirmed
    .filter(({ lines }) => lines.some(({ id }) => own.has(id)))
    .map(({ key }) => key)
    .sort();
}

describe('rows that do not concern a match change nothing', () => {
  test('lines and payments in another currency and account', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const data = createData(seed);
        const other = withOtherIds(createData(seed + 1), 500_000_000);
        const others = {
          payments: other.payments.map((payment) => ({ ...payment, currency: 'SEK' })),
          lines: other.lines.map((row) => ({ ...row, currency: 'SEK', account: 77 })),
        };
        expect(listKeysBeside(data, others)).toEqual(listKeys(data));
      }),
      RUNS,
    );
  });

  test('lines and payments of another year', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const data = createData(seed);
        const other = withOtherIds(createData(seed), 500_000_000);
        const later = (day: string): string => addDays(day, 730);
        const others = {
          payments: other.payments.map((payment) => ({ ...payment, paid_on: later(payment.paid_on) })),
          lines: other.lines.map((row) => ({ ...row, booked_on: later(row.booked_on), account: 77 })),
        };
        expect(listKeysBeside(data, others)).toEqual(expect.arrayContaining(listIdentifiedKeys(data)));
      }),
      RUNS,
    );
  });
});

test('consistently renamed customers give the same matches', () => {
  const rotate = (text: string): string =>
    text.replace(/\p{L}{3,}/gu, (word) => renamed.get(word.toLowerCase()) ?? word);
  const renamed = new Map(
    'amelia hart james nguyen olivia fletcher noah okafor grace bennett henry castillo chloe whitfield samuel larsen'
      .split(' ')
      .map((word, at) => [
        word,
        `${'bdfgklmn'[at % 8]}${'aeiou'[at % 5]}rvo${'lnst'[at % 4]}${'aeiou'[(at + 2) % 5]}k${at}`.replace(
          /\d/g,
          (digit) => 'abcdefghij'[Number(digit)] as string,
        ),
      ]),
  );
  fc.assert(
    fc.property(seeds, (seed) => {
      const data = createData(seed);
      const lines = data.lines.map((row) => ({
        ...row,
        description: rotate(row.description),
        counterparty: row.counterparty === null ? null : rotate(row.counterparty),
      }));
      const payments = data.payments.map((payment) => ({ ...payment, names: payment.names.map(rotate) }));
      expect(listKeys({ ...data, lines, payments })).toEqual(listKeys(data));
    }),
    RUNS,
  );
});

test('an unrelated line never makes a wrong match', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.nat(59),
      fc.constantFrom('Deposit', 'Rent Quimby', 'SEPA credit'),
      (seed, day, description) => {
        const data = createData(seed);
        const before = judgeMatchGroups(data, runMatching(data).groups());
        const amount = data.payments[seed % data.payments.length]?.amount_in_cents ?? 0;
        const unrelated = line({
          id: 9_999_999,
          booked_on: addDays('2026-01-01', day),
          amount_in_cents: amount,
          description,
        });
        const truth = new Map(data.truth).set(unrelated.id, []);
        const after = { ...data, truth, lines: [...data.lines, unrelated] };
        const verdict = judgeMatchGroups(after, runMatching(after).groups());
        const wrong = verdict.wrong.filter(({ lines }) => lines.every(({ id }) => id !== unrelated.id));
        expect(wrong.map(({ key }) => key)).toEqual(before.wrong.map(({ key }) => key));
      },
    ),
    RUNS,
  );
});

/** Returns true if a line quotes the id. Without the payment, the number may be the id of a payment that is not stored. */
const isQuoted = ({ lines }: LabeledData, id: number): boolean =>
  lines.some(({ description, reference }) => `${description} ${reference}`.includes(String(id)));

test('a removed alternative never removes a match', () => {
  fc.assert(
    fc.property(seeds, fc.nat(1000), (seed, choice) => {
      const data = createData(seed);
      const confirmed = listConfirmed(data);
      const matched = new Set(confirmed.flatMap(({ payments }) => payments.map(({ id }) => id)));
      const unmatched = data.payments.filter(({ id }) => !matched.has(id) && !isQuoted(data, id));
      const removed = unmatched[choice % unmatched.length];
      const payments = data.payments.filter((payment) => payment !== removed);
      expect(listKeys({ ...data, payments })).toEqual(
        expect.arrayContaining(confirmed.filter(isIdentified).map(({ key }) => key)),
      );
    }),
    // Seeds in which an anonymous line could pay the removed payment.
    {
      ...RUNS,
      examples: [
        [3391, 0],
        [3065, 785],
        [105, 2],
      ],
    },
  );
});
