import type { JsonRecord } from '../render/json-records.ts';
import { randomFraction, randomTopics } from '../simulation/seeded-random.ts';

/** A successful payment or a refund of a customer. */
export interface CustomerPayment {
  readonly transaction_id: number;
  readonly subscription_id: number;
  readonly statement_id: number;
  readonly kind: 'payment' | 'refund';
  /** Amount received in cents, negative for a refund. */
  readonly cents: number;
  /** Creation time of the transaction (`created_at`), in the service's format. */
  readonly at: string;
  readonly gateway_id: string;
  /** Id of the refunded payment; null for a payment. */
  readonly payment_id: number | null;
  readonly payer: string;
  /** Payment method: by card through the processor, or by bank transfer. */
  readonly method: 'card' | 'transfer';
}

/** Share of customers who pay by bank transfer. */
const BANK_TRANSFER_SHARE = 0.15;

/** Returns the payments and refunds on the statements, oldest first. Each customer always uses the same method. */
export function listCustomerPayments(statements: Iterable<JsonRecord>, seed: number): CustomerPayment[] {
  const payments: CustomerPayment[] = [];
  for (const statement of statements) {
    for (const transaction of statement['transactions'] as JsonRecord[]) {
      if (movesMoney(transaction)) payments.push(toCustomerPayment(statement, transaction, seed));
    }
  }
  return payments.toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || a.transaction_id - b.transaction_id,
  );
}

const movesMoney = ({ transaction_type, success }: JsonRecord): boolean =>
  (transaction_type === 'payment' || transaction_type === 'refund') && success === true;

function toCustomerPayment(statement: JsonRecord, transaction: JsonRecord, seed: number): CustomerPayment {
  const kind = transaction['transaction_type'] as CustomerPayment['kind'];
  const subscription = Number(transaction['subscription_id']);
  const size = Number(transaction['amount_in_cents']);
  return {
    transaction_id: Number(transaction['id']),
    subscription_id: subscription,
    statement_id: Number(statement['id']),
    kind,
    cents: kind === 'refund' ? -Math.abs(size) : size,
    at: String(transaction['created_at']),
    gateway_id: String(transaction['gateway_transaction_id']),
    payment_id: transaction['payment_id'] === null ? null : Number(transaction['payment_id']),
    payer: getPayerName(statement),
    method: randomFraction(seed, randomTopics.bank, subscription) < BANK_TRANSFER_SHARE ? 'transfer' : 'card',
  };
}

const getPayerName = (statement: JsonRecord): string =>
  String(
    statement['customer_organization'] ??
      `${String(statement['customer_first_name'])} ${String(statement['customer_last_name'])}`,
  );
