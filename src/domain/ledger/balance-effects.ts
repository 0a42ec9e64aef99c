import type { Cents } from './cents.ts';

interface TransactionTypeEffect {
  readonly transaction_type: string;
  readonly type: string;
  /** Effect on the balance that the customer owes. `as sent` follows the sign of the amount. */
  readonly direction: 'raises' | 'lowers' | 'as sent' | 'none';
  /** Direction of the cash flow; null if no money moves. */
  readonly money: 'received' | 'returned' | null;
}

/**
 * Effect of every transaction type on a subscription's balance. A positive balance is owed by the customer. A kind
 * (tax, manual, reactivation) states a purpose and never changes the direction. The effect of an unknown type is
 * never guessed (see `findBalanceEffect`). Source: the service's public documentation of transaction types, column
 * “effect on subscriber balance due”. Recorded statements of 2016 confirm the amounts of charges and payments.
 */
export const TRANSACTION_TYPE_EFFECTS: readonly TransactionTypeEffect[] = [
  { transaction_type: 'charge', type: 'Charge', direction: 'raises', money: null },
  // A reversed sale: the customer owes less, whether the amount is sent as -500 or as 500.
  { transaction_type: 'credit', type: 'Credit', direction: 'lowers', money: null },
  // A discount or correction. The documentation says “a positive or negative amount”.
  { transaction_type: 'adjustment', type: 'Adjustment', direction: 'as sent', money: null },
  // A failed payment has no effect.
  { transaction_type: 'payment', type: 'Payment', direction: 'lowers', money: 'received' },
  // Money was returned to the card. The amount owed for the service does not change.
  { transaction_type: 'refund', type: 'Refund', direction: 'none', money: 'returned' },
  // A remark, for example that a payment could not be attempted without a card.
  { transaction_type: 'info', type: 'InfoTransaction', direction: 'none', money: null },
  // A card authorization without a transfer of money. No longer in use.
  { transaction_type: 'payment_authorization', type: 'PaymentAuthorization', direction: 'none', money: null },
];

const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Transaction types by each of their names, for example `charge`, `Charge` and `info_transaction`. */
const effectsByName = new Map<string, TransactionTypeEffect>();
for (const row of TRANSACTION_TYPE_EFFECTS)
  for (const name of [row.transaction_type, row.type])
    effectsByName.set(name, row).set(normalizeName(name), row);

function findByName(name: string | null): TransactionTypeEffect | null {
  if (name === null || name === '') return null;
  return effectsByName.get(name) ?? effectsByName.get(normalizeName(name)) ?? null;
}

export interface BalanceTransaction {
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly amount_in_cents: Cents;
  readonly success: boolean | null;
  readonly starting_balance_in_cents: Cents | null;
  readonly ending_balance_in_cents: Cents | null;
}

/** Fields of a transaction that show whether it moves money. */
type MoneyTransaction = Pick<BalanceTransaction, 'transaction_type' | 'type' | 'success'>;

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

/** Returns the running balance after a transaction minus the one before it, in cents; null if the service sent none. */
export function findRunningBalanceChange(transaction: BalanceTransaction): Cents | null {
  const { starting_balance_in_cents: before, ending_balance_in_cents: after } = transaction;
  return before === null || after === null ? null : after - before;
}

/**
 * Returns the effect of a transaction on the balance in cents; null if it is unknown. Some amounts are ambiguous:
 * adjustments, negative charges or payments, payments without a success flag, and unsuccessful charges. For these, the
 * running balances decide. Without usable running balances, amounts count as sent, payments reduce the balance, a
 * missing flag means success, and unsuccessful transactions have no effect. For unambiguous cases, running balances are
 * ignored, and a check reports differences.
 */
export function findBalanceEffect(transaction: BalanceTransaction): Cents | null {
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
      return row.money === null ? findCreditEffect(transaction) : findPaymentEffect(transaction);
  }
}

function findCreditEffect(transaction: BalanceTransaction): Cents {
  const effect = 0 - Math.abs(transaction.amount_in_cents);
  return transaction.success === false ? chooseAmount(transaction, 0, effect) : effect;
}

function findPaymentEffect(transaction: BalanceTransaction): Cents {
  const { amount_in_cents: amount, success } = transaction;
  const size = Math.abs(amount);
  if (success === false) return 0;
  if (success === null) return chooseAmount(transaction, 0 - size, 0);
  return amount >= 0 ? 0 - amount : chooseAmount(transaction, amount, size);
}

/** Returns the candidate amount that the running balances confirm. If there is none, returns the first one. */
function chooseAmount(transaction: BalanceTransaction, ...candidates: [Cents, ...Cents[]]): Cents {
  const change = findRunningBalanceChange(transaction);
  return change !== null && candidates.includes(change) ? change : candidates[0];
}

/** Returns true for a payment that did not fail. */
export const isSuccessfulPayment = (transaction: MoneyTransaction): boolean =>
  findTypeEffect(transaction)?.money === 'received' && transaction.success !== false;

export const isFailedPayment = (transaction: MoneyTransaction): boolean =>
  findTypeEffect(transaction)?.money === 'received' && transaction.success === false;

export const isSuccessfulRefund = (transaction: MoneyTransaction): boolean =>
  findTypeEffect(transaction)?.money === 'returned' && transaction.success !== false;

export const isFailedRefund = (transaction: MoneyTransaction): boolean =>
  findTypeEffect(transaction)?.money === 'returned' && transaction.success === false;

/** Line of a roll-forward that a transaction belongs to. `unknown`: its effect on the balance is unknown. */
export type BalanceMovementKind = 'charges' | 'adjusted' | 'credits' | 'payments' | 'unknown';

/** Returns the line of a roll-forward that a transaction belongs to, or null if it does not change the balance. */
export function findMovementKind(transaction: BalanceTransaction): BalanceMovementKind | null {
  const row = findTypeEffect(transaction);
  if (row === null) return 'unknown';
  switch (row.direction) {
    case 'raises':
      return 'charges';
    case 'as sent':
      return 'adjusted';
    case 'lowers':
      if (row.money === null) return 'credits';
      return findBalanceEffect(transaction) === 0 ? null : 'payments';
    case 'none':
      return null;
  }
}
