import { addDays } from '../../src/domain/ledger/index.ts';
import type { MatchAccount, MatchLine, MatchPayment } from '../../src/domain/matching/index.ts';
import { line } from '../domain/matching/sample-rows.ts';
import { type LabeledData, type LineHint, RandomSource, subscriptionPrices } from './labeled-bank-data.ts';

/**
 * Misleading labeled data: small, consecutive IDs, so that any number is the ID of some payment; texts full of unrelated
 * numbers; few names; two accounts and two currencies; unrelated money at exactly the usual prices, and payments without
 * money.
 */
export interface BankTrapOptions {
  readonly seed: number;
  readonly payments: number;
  readonly days: number;
  /** First ID. The others follow consecutively. */
  readonly firstId: number;
  readonly unreferenced: number;
  readonly missing: number;
  readonly strangers: number;
  /** Lines that contain the ID of another payment. */
  readonly misleading: number;
  readonly twins: number;
  readonly named: number;
}

const defaultOptions: BankTrapOptions = {
  seed: 1,
  payments: 3000,
  days: 180,
  firstId: 100,
  unreferenced: 0.3,
  missing: 0.02,
  strangers: 0.03,
  misleading: 0.3,
  twins: 0.03,
  named: 0.3,
};

const accounts: readonly MatchAccount[] = [
  { id: 4, name: 'Main', kind: 'bank', window: null },
  { id: 9, name: 'Lockbox', kind: 'bank', window: null },
];
const NAMES =
  'Ann Lee,Bo Lind,Ann Lind,Bo Lee,Cy Marsh,Di Marsh,Ed Noor,Flo Noor,Gus Ott,Ida Ott,Jo Park,Kim Park'.split(
    ',',
  );
const WORDS = ['CREDIT', 'WIRE IN', 'ACH CREDIT', 'Deposit', 'Zahlung', 'virement'];

export function createBankTrapData(given: Partial<BankTrapOptions> = {}): LabeledData {
  const traps = { ...defaultOptions, ...given };
  const draw = new RandomSource(traps.seed);
  const payments: MatchPayment[] = [];
  const lines: MatchLine[] = [];
  const truth = new Map<number, readonly number[]>();
  const hints = new Map<number, LineHint>();

  const noise = (): string => {
    const other = traps.firstId + draw.integerBelow(traps.payments);
    return draw.of([
      `card ${1000 + draw.integerBelow(9000)}`,
      `no ${other}`,
      `${other}`,
      `batch ${other} terminal ${draw.integerBelow(100)}`,
      `ref ${other}`,
    ]);
  };
  const add = (row: Partial<MatchLine>, of: readonly number[], how: LineHint): void => {
    const id = 1 + lines.length;
    truth.set(id, of);
    hints.set(id, how);
    const bare = { booked_on: '2026-01-01', amount_in_cents: 0, currency: 'EUR', description: '' };
    lines.push(line({ id, account: draw.of(accounts).id, ...bare, ...row }));
  };
  const weekendLater = (day: string): string => {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    return weekday === 6 ? addDays(day, 2) : weekday === 0 ? addDays(day, 1) : day;
  };
  const pay = (like: MatchPayment | null): MatchPayment => {
    const n = payments.length;
    const amount = draw.chance(0.6) ? draw.of(subscriptionPrices) : 100 + draw.integerBelow(30_000);
    const payment: MatchPayment = {
      id: traps.firstId + n,
      kind: 'payment',
      statement_id: traps.firstId + ((n * 7) % traps.payments),
      subscription_id: 1 + draw.integerBelow(400),
      payment_id: traps.firstId + n,
      paid_on: like?.paid_on ?? addDays('2026-01-01', Math.floor((n * traps.days) / traps.payments)),
      amount_in_cents: like?.amount_in_cents ?? amount,
      currency: like?.currency ?? (draw.chance(0.8) ? 'EUR' : 'GBP'),
      gateway_transaction_id: draw.chance(0.2) ? '53433' : `${700_000 + n * 3}`,
      names: like?.names ?? [draw.of(NAMES)],
    };
    payments.push(payment);
    return payment;
  };
  const receive = (payment: MatchPayment): void => {
    if (draw.chance(traps.missing)) return;
    const lag = draw.chance(0.03)
      ? 7 + draw.integerBelow(4)
      : draw.integerBelow(5) - (draw.chance(0.05) ? 1 : 0);
    const booked_on = weekendLater(addDays(payment.paid_on, lag));
    const { amount_in_cents, currency } = payment;
    const row = { booked_on, amount_in_cents, currency };
    const extra = draw.chance(traps.misleading) ? ` ${noise()}` : '';
    if (!draw.chance(traps.unreferenced)) {
      const reference = draw.of([
        `PAY-${String(payment.id).padStart(8, '0')}`,
        `Payment ${payment.id}`,
        `pay ${payment.id}/2026`,
      ]);
      add({ ...row, reference, description: draw.of(WORDS) + extra }, [payment.id], 'id');
    } else if (draw.chance(traps.named)) {
      add(
        { ...row, description: `${draw.of(WORDS)} ${payment.names[0]?.toUpperCase()}${extra}` },
        [payment.id],
        'name',
      );
    } else {
      add({ ...row, description: draw.of(WORDS) + extra }, [payment.id], 'nothing');
    }
  };

  while (payments.length < traps.payments) {
    const payment = pay(null);
    receive(payment);
    if (draw.chance(traps.twins)) receive(pay(payment));
  }
  for (let n = Math.round(traps.payments * traps.strangers); n > 0; n--) {
    const row = {
      booked_on: addDays('2026-01-01', draw.integerBelow(traps.days)),
      amount_in_cents: draw.chance(0.7) ? draw.of(payments).amount_in_cents : 100 + draw.integerBelow(30_000),
      description: `${draw.of([...WORDS, 'Rent', 'Refund of tax', 'Own transfer'])}${draw.chance(0.5) ? ` ${noise()}` : ''}`,
    };
    add(row, [], 'nothing');
  }
  return { accounts, payments, lines, payouts: [], truth, hints, longestLag: 12, deposits: new Map() };
}
