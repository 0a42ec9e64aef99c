import type { Cents } from './cents.ts';

/** What a transaction does to the balance a customer owes: `as sent` is by its own sign. */
export type Direction = 'raises' | 'lowers' | 'as sent' | 'none';

export interface EffectRow {
  readonly transaction_type: string;
  /** The `type` beside it. */
  readonly type: string;
  /** The kinds the service is known to give this type; null is the generic one. The list is open. */
  readonly kinds: readonly (string | null)[];
  readonly direction: Direction;
  /** Which way money changed hands, where it did. */
  readonly money: 'received' | 'given back' | null;
  readonly why: string;
  readonly source: string;
}

const DOCUMENTED =
  'The service’s public documentation of transaction types, column “effect on subscriber balance due”.';
const AMOUNTS = 'Confirmed by recorded statements of 2016, whose running balances agree with it.';

/**
 * The effect of every transaction type on a subscription’s balance, in one place. A balance above zero is owed by the customer.
 *
 * The type alone decides. A kind says what a transaction was for and never turns its direction: tax is a charge like any other,
 * a `manual` payment lowers the balance like one by card, and so do the later kinds `reactivation`, `voided_invoice` and
 * `cancelation`, which follow the type they come with. A type that is not in this table has no effect we could know; it is
 * never guessed (see `balanceEffect`).
 */
export const effectTable: readonly EffectRow[] = [
  {
    transaction_type: 'charge',
    type: 'Charge',
    kinds: [
      'trial',
      'initial',
      'baseline',
      'one_time',
      'delay_capture',
      'quantity_based_component',
      'on_off_component',
      'metered_component',
      'metered',
      'tax',
      'reactivation',
      null,
    ],
    direction: 'raises',
    money: null,
    why: 'Something was sold, so the customer owes more.',
    source: `${DOCUMENTED} ${AMOUNTS}`,
  },
  {
    transaction_type: 'credit',
    type: 'Credit',
    kinds: ['quantity_based_component', 'on_off_component', 'tax', null],
    direction: 'lowers',
    money: null,
    why: 'Something sold was taken back, so the customer owes less, whether the amount is sent as -500 or as 500.',
    source: `${DOCUMENTED} There “a negative amount”.`,
  },
  {
    transaction_type: 'adjustment',
    type: 'Adjustment',
    kinds: [
      'coupon',
      'prorated',
      'referral',
      'quantity_based_component',
      'on_off_component',
      'tax',
      'voided_invoice',
      'cancelation',
      null,
    ],
    direction: 'as sent',
    money: null,
    why: 'A discount or a correction: a negative amount lowers the balance, a positive one raises it.',
    source: `${DOCUMENTED} There “a positive or negative amount”.`,
  },
  {
    transaction_type: 'payment',
    type: 'Payment',
    kinds: ['one_time', 'component_proration', 'manual', null],
    direction: 'lowers',
    money: 'received',
    why: 'Money came in, so the customer owes less. A payment that failed changes nothing.',
    source: `${DOCUMENTED} ${AMOUNTS}`,
  },
  {
    transaction_type: 'refund',
    type: 'Refund',
    kinds: ['manual', null],
    direction: 'none',
    money: 'given back',
    why: 'Money went back to the card, but what is owed for the service stays as it was.',
    source: `${DOCUMENTED} There “no effect on balance due”.`,
  },
  {
    transaction_type: 'info',
    type: 'InfoTransaction',
    kinds: [null],
    direction: 'none',
    money: null,
    why: 'A remark, such as a payment that could not be tried for want of a card.',
    source: DOCUMENTED,
  },
  {
    transaction_type: 'payment_authorization',
    type: 'PaymentAuthorization',
    kinds: [null],
    direction: 'none',
    money: null,
    why: 'The card was asked whether it would pay; no money moved. No longer in use.',
    source: DOCUMENTED,
  },
];

/** A type by any name it goes by: `charge`, `Charge`, `info_transaction`. */
const byName = new Map<string, EffectRow>();
for (const row of effectTable) {
  for (const name of [row.transaction_type, row.type]) byName.set(name, row).set(plain(name), row);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function rowNamed(name: string | null): EffectRow | null {
  if (name === null || name === '') return null;
  return byName.get(name) ?? byName.get(plain(name)) ?? null;
}

/** What an effect is judged by. */
export interface Movement {
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly amount_in_cents: Cents;
  readonly success: boolean | null;
  readonly starting_balance_in_cents: Cents | null;
  readonly ending_balance_in_cents: Cents | null;
}

/** The row a transaction falls under; null where `transaction_type` is unknown, or `type` is that of another row. */
export function effectRowOf(transaction: Pick<Movement, 'transaction_type' | 'type'>): EffectRow | null {
  const row = rowNamed(transaction.transaction_type);
  if (row?.type === transaction.type) return row;
  const other = rowNamed(transaction.type);
  if (row !== null) return other === null || other === row ? row : null;
  return transaction.transaction_type === null || transaction.transaction_type === '' ? other : null;
}

/** By how much the service’s own running balances say the balance moved; null where it sent none. */
export function runningMovement(transaction: Movement): Cents | null {
  const { starting_balance_in_cents: before, ending_balance_in_cents: after } = transaction;
  return before === null || after === null ? null : after - before;
}

/**
 * What a transaction does to the balance, in cents; null where it cannot be known.
 *
 * The table decides. Where an amount can be read in two ways (an adjustment, a charge or payment sent negative, a payment that
 * does not say whether it succeeded, an unsuccessful charge), the running balances the service sent with the transaction tell
 * which reading is meant; without them, or where they fit neither, the first reading holds: the amount as sent, a payment
 * lowers, null is success, what was unsuccessful moves nothing. Where the table leaves no choice (a failed payment, a credit, a refund) running
 * balances are never asked: if they differ they are wrong, and a check says so.
 */
export function balanceEffect(transaction: Movement): Cents | null {
  const row = effectRowOf(transaction);
  if (row === null) return null;
  const amount = transaction.amount_in_cents;
  const size = Math.abs(amount);
  const failed = transaction.success === false;
  switch (row.direction) {
    case 'none':
      return 0;
    case 'raises':
      if (failed) return told(transaction, 0, amount);
      return amount >= 0 ? amount : told(transaction, amount, -amount);
    case 'as sent':
      return failed ? told(transaction, 0, amount, 0 - amount) : told(transaction, amount, 0 - amount);
    case 'lowers':
      if (row.money === null) return failed ? told(transaction, 0, 0 - size) : 0 - size;
      if (failed) return 0;
      if (transaction.success === null) return told(transaction, 0 - size, 0);
      return amount >= 0 ? 0 - amount : told(transaction, amount, size);
  }
}

/** The reading the running balances confirm, else the first. */
function told(transaction: Movement, ...readings: [Cents, ...Cents[]]): Cents {
  const moved = runningMovement(transaction);
  return moved !== null && readings.includes(moved) ? moved : readings[0];
}

/** Money that came in: a payment that did not fail. */
export function isPaymentMade(transaction: Movement): boolean {
  return effectRowOf(transaction)?.money === 'received' && transaction.success !== false;
}

export function isFailedPayment(transaction: Movement): boolean {
  return effectRowOf(transaction)?.money === 'received' && transaction.success === false;
}

export function isRefundMade(transaction: Movement): boolean {
  return effectRowOf(transaction)?.money === 'given back' && transaction.success !== false;
}
