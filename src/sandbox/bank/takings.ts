import type { Entity } from '../render/statement.ts';
import { fraction, topic } from '../world/random.ts';

/** A payment that succeeded, or a refund. */
export interface Taking {
  readonly transaction_id: number;
  readonly subscription_id: number;
  readonly statement_id: number;
  readonly kind: 'payment' | 'refund';
  /** Cents received; below 0 for a refund. */
  readonly cents: number;
  /** As the service writes it. */
  readonly at: string;
  readonly gateway_id: string;
  /** The payment a refund gives back. */
  readonly payment_id: number | null;
  readonly payer: string;
  /** By card through the processor, or by a transfer to the bank. */
  readonly way: 'card' | 'transfer';
}

/** Part of the customers who pay by transfer. */
const TRANSFERS = 0.15;

/** The takings of the statements, oldest first. A customer pays in one way always. */
export function takingsOf(statements: Iterable<Entity>, seed: number): Taking[] {
  const takings: Taking[] = [];
  for (const statement of statements) {
    for (const transaction of statement['transactions'] as Entity[]) {
      const kind = transaction['transaction_type'];
      if ((kind !== 'payment' && kind !== 'refund') || transaction['success'] !== true) continue;
      const subscription = Number(transaction['subscription_id']);
      const size = Number(transaction['amount_in_cents']);
      takings.push({
        transaction_id: Number(transaction['id']),
        subscription_id: subscription,
        statement_id: Number(statement['id']),
        kind,
        cents: kind === 'refund' ? -Math.abs(size) : size,
        at: String(transaction['created_at']),
        gateway_id: String(transaction['gateway_transaction_id']),
        payment_id: transaction['payment_id'] === null ? null : Number(transaction['payment_id']),
        payer: payerOf(statement),
        way: fraction(seed, topic.bank, subscription) < TRANSFERS ? 'transfer' : 'card',
      });
    }
  }
  return takings.toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || a.transaction_id - b.transaction_id,
  );
}

const payerOf = (statement: Entity): string =>
  String(
    statement['customer_organization'] ??
      `${String(statement['customer_first_name'])} ${String(statement['customer_last_name'])}`,
  );
