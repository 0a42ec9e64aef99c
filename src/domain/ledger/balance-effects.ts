import type { Cents } from './cents.ts';

/** Effect of a transaction on the balance that a customer owes. `as sent` follows the sign of the amount. */
export type BalanceDirection = 'raises' | 'lowers' | 'as sent' | 'none';

export interface TransactionTypeEffect {
  readonly transaction_type: string;
  /** Value of the transactions' `type` field. */
  readonly type: string;
  /**
   * Kinds that the service is known to use with this transaction type. Null is the generic kind, and others may occur.
   */
  readonly kinds: readonly (string | null)[];
  readonly direction: BalanceDirection;
  /** Direction of the cash flow; null if no money moves. */
  readonly money: 'received' | 'returned' | null;
  readonly reason: string;
  readonly source: string;
}

const DOCUMENTED =
  'The service’s public documentation of transaction types, column “effect on subscriber balance due”.';
const AMOUNTS = 'Confirmed by recorded statements of 2016, whose running balances agree.';

/**
 * Effect of every transaction type on a subscription's balance. A positive balance is owed by the customer.
 *
 * Only the type determines the effect. A kind states the purpose of a transaction and never changes its direction: tax is
 * a charge, a `manual` payment reduces the balance like a card payment, and the later kinds `reactivation`,
 * `voided_invoice` and `cancelation` also follow their type. The effect of an unknown type is never guessed (see
 * `balanceEffect`).
 */
export const TRANSACTION_TYPE_EFFECTS: readonly TransactionTypeEffect[] = [
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
    reason: 'A sale: the customer owes more.',
    source: `${DOCUMENTED} ${AMOUNTS}`,
  },
  {
    transaction_type: 'credit',
    type: 'Credit',
    kinds: ['quantity_based_component', 'on_off_component', 'tax', null],
    direction: 'lowers',
    money: null,
    reason: 'A reversed sale: the customer owes less, whether the amount is sent as -500 or as 500.',
    source: `${DOCUMENTED} It says “a negative amount”.`,
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
    reason: 'A discount or correction: a negative amount lowers the balance, a positive amount raises it.',
    source: `${DOCUMENTED} It says “a positive or negative amount”.`,
  },
  {
    transaction_type: 'payment',
    type: 'Payment',
    kinds: ['one_time', 'component_proration', 'manual', null],
    direction: 'lowers',
    money: 'received',
    reason: 'Money was received: the customer owes less. A failed payment has no effect.',
    source: `${DOCUMENTED} ${AMOUNTS}`,
  },
  {
    transaction_type: 'refund',
    type: 'Refund',
    kinds: ['manual', null],
    direction: 'none',
    money: 'returned',
    reason: 'Money was returned to the card. The amount owed for the service does not change.',
    source: `${DOCUMENTED} It says “no effect on balance due”.`,
  },
  {
    transaction_type: 'info',
    type: 'InfoTransaction',
    kinds: [null],
    direction: 'none',
    money: null,
    reason: 'A remark, for example that a payment could not be attempted without a card.',
    source: DOCUMENTED,
  },
  {
    transaction_type: 'payment_authorization',
    type: 'PaymentAuthorization',
    kinds: [null],
    direction: 'none',
    money: null,
    reason: 'A card authorization without a transfer of money. No longer in use.',
    source: DOCUMENTED,
  },
];

/** Transaction types by each of their names, for example `charge`, `Charge` and `info_transaction`. */
const effectsByName = new Map<string, TransactionTypeEffect>();
for (const row of TRANSACTION_TYPE_EFFECTS) {
  for (const name of [row.transaction_type, row.type])
    effectsByName.set(name, row).set(normalizeName(name), row);
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function findByName(name: string | null): TransactionTypeEffect | null {
  if (name === null || name === '') return null;
  return effectsByName.get(name) ?? effectsByName.get(normalizeName(name)) ?? null;
}

/** Fields that determine the effect of a transaction on the balance. */
export interface BalanceTransaction {
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly amount_in_cents: Cents;
  readonly success: boolean | null;
  readonly starting_balance_in_cents: Cents | null;
  readonly ending_balance_in_cents: Cents | null;
}

/** Returns the table entry for a transaction's type; null if `transaction_type` is unknown or contradicts `type`. */
export function findTypeEffect(
  transaction: Pick<BalanceTransaction, 'transaction_type' | 'type'>,
): TransactionTypeEffect | null {
  const row = findByName(transaction.transaction_type);
  if (row?.type === transaction.type) return row;
  const other = findByName(transaction.type);
  if (row !== null) return other === null || other === row ? row : null;
  return transaction.transaction_type === null || transaction.transaction_type === '' ? other : null;
}

/** Returns the change of the balance between the service's running balances, in cents; null if the service sent none. */
export function findRunningBalanceChange(transaction: BalanceTransaction): Cents | null {
  const { starting_balance_in_cents: before, ending_balance_in_cents: after } = transaction;
  return before === null || after === null ? null : after - before;
}

/**
 * Returns the effect of a transaction on the balance in cents; null if it is unknown.
 *
 * The table of transaction types determines the effect. Some amounts are ambiguous: an adjustment, a negative charge or
 * payment, a payment without a success flag, and an unsuccessful charge. For these, the running balances choose the
 * meaning. If they are missing or fit no meaning, the default applies: the amount as sent, a payment reduces the balance,
 * null means success, and unsuccessful transactions have no effect. Unambiguous cases (a failed payment, a credit, a
 * refund) ignore the running balances; if they differ, a check reports them.
 */
export function balanceEffect(transaction: BalanceTransaction): Cents | null {
  const row = findTypeEffect(transaction);
  if (row === null) return null;
  const amount = transaction.amount_in_cents;
  const failed = transaction.success === false;
  switch (row.direction) {
    case 'none':
      return 0;
    case 'raises':
      if (failed) return chooseAmount(transaction, 0, amount);
      return amount >= 0 ? amount : chooseAmount(transaction, amount, -amount);
    case 'as sent':
      return failed
        ? chooseAmount(transaction, 0, amount, 0 - amount)
        : chooseAmount(transaction, amount, 0 - amount);
    case 'lowers':
      return row.money === null ? creditEffect(transaction) : paymentEffect(transaction);
  }
}

function creditEffect(transaction: BalanceTransaction): Cents {
  const effect = 0 - Math.abs(transaction.amount_in_cents);
  return transaction.success === false ? chooseAmount(transaction, 0, effect) : effect;
}

function paymentEffect(transaction: BalanceTransaction): Cents {
  const { amount_in_cents: amount, success } = transaction;
  const size = Math.abs(amount);
  if (success === false) return 0;
  if (success === null) return chooseAmount(transaction, 0 - size, 0);
  return amount >= 0 ? 0 - amount : chooseAmount(transaction, amount, size);
}

/** Returns the candidate amount that the running balances confirm. If there is none, returns the first one. */
function chooseAmount(transaction: BalanceTransaction, ...candidates: [Cents, ...Cents[]]): Cents {
  const moved = findRunningBalanceChange(transaction);
  return moved !== null && candidates.includes(moved) ? moved : candidates[0];
}

/** Returns true for a payment that did not fail. */
export function isSuccessfulPayment(transaction: BalanceTransaction): boolean {
  return findTypeEffect(transaction)?.money === 'received' && transaction.success !== false;
}

export function isFailedPayment(transaction: BalanceTransaction): boolean {
  return findTypeEffect(transaction)?.money === 'received' && transaction.success === false;
}

export function isSuccessfulRefund(transaction: BalanceTransaction): boolean {
  return findTypeEffect(transaction)?.money === 'returned' && transaction.success !== false;
}
