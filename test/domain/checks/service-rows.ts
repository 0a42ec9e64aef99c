import { parseInstant } from '../../../src/billing/formats/instant.ts';
import { parseWebhookBody } from '../../../src/billing/records/webhook-body.ts';
import {
  type ComponentRecord,
  type CrossSubscriptionMember,
  type EventRecord,
  type FuturePaymentRecord,
  listCrossSubscriptionPaymentIds,
  readWebhookFacts,
  type StatementRecord,
  type SubscriptionRecord,
  type TransactionRecord,
  type WebhookRecord,
} from '../../../src/domain/checks/index.ts';
import { readDateAsWritten } from '../../../src/domain/ledger/index.ts';

/** Converts rows of the service's JSON to the records that the rules check. */

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const readBoolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const toTimestamp = (value: unknown): number | null =>
  typeof value === 'string' ? parseInstant(value) : null;
const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

const joinTexts = (...texts: unknown[]): string | null => texts.map(text).filter(Boolean).join(' ') || null;

export function toStatement(row: Row): StatementRecord {
  return {
    id: row['id'] as number,
    opened_at: toTimestamp(row['opened_at']),
    closed_at: toTimestamp(row['closed_at']),
    settled_at: toTimestamp(row['settled_at']),
    created_at: toTimestamp(row['created_at']),
    updated_at: toTimestamp(row['updated_at']),
    starting_balance_in_cents: number(row['starting_balance_in_cents']),
    ending_balance_in_cents: number(row['ending_balance_in_cents']),
    total_in_cents: number(row['total_in_cents']),
    currency: text(row['currency']),
    customer: {
      name: joinTexts(row['customer_first_name'], row['customer_last_name']),
      organization: joinTexts(row['customer_organization']),
      address: joinTexts(row['customer_billing_address'], row['customer_billing_zip']),
    },
    transactions: rows(row['transactions']).map(toTransaction),
    events: rows(row['events']).map((wrapped) => toEvent(wrapped['event'] as Row)),
    future_payments: rows(row['future_payments']).map(toFuturePayment),
    text_view: text(row['text_view']),
    pdf_text: null,
    read_at: null,
  };
}

function toTransaction(row: Row): TransactionRecord {
  return {
    id: row['id'] as number,
    transaction_type: text(row['transaction_type']),
    type: text(row['type']),
    kind: text(row['kind']) || null,
    amount_in_cents: row['amount_in_cents'] as number,
    starting_balance_in_cents: number(row['starting_balance_in_cents']),
    ending_balance_in_cents: number(row['ending_balance_in_cents']),
    success: readBoolean(row['success']),
    memo: text(row['memo']),
    created_at: toTimestamp(row['created_at']),
    created_on: readDateAsWritten(text(row['created_at'])),
    subscription_id: number(row['subscription_id']),
    customer_id: number(row['customer_id']),
    statement_id: number(row['statement_id']),
    currency: text(row['currency']),
    payment_id: number(row['payment_id']),
    gateway_transaction_id: text(row['gateway_transaction_id']),
    component_id: number(row['component_id']),
  };
}

function toEvent(row: Row): EventRecord {
  const data = (row['event_specific_data'] ?? {}) as Row;
  return {
    id: row['id'] as number,
    subscription_id: number(row['subscription_id']),
    key: row['key'] as string,
    created_at: toTimestamp(row['created_at']),
    transaction_id: number(data['account_transaction_id']),
    new_state: text(data['new_subscription_state']),
  };
}

function toFuturePayment(row: Row): FuturePaymentRecord {
  return {
    id: number(row['id']),
    amount_in_cents: number(row['amount_in_cents']),
    created_at: toTimestamp(row['created_at']),
  };
}

/** Returns a webhook and the subscription id from its body. */
export function toWebhook(row: Row): { subscription_id: number | null; webhook: WebhookRecord } {
  const body = parseWebhookBody(row['body'] as string);
  const webhook = {
    id: row['id'] as number,
    event: row['event'] as string,
    successful: row['successful'] === true,
    created_at: toTimestamp(row['created_at']),
    accepted_at: toTimestamp(row['accepted_at']),
    last_sent_at: toTimestamp(row['last_sent_at']),
    last_error: text(row['last_error']),
    last_sent_url: text(row['last_sent_url']),
    facts: readWebhookFacts(body.pairs.map(([key, value]) => ({ key, value }))),
    signature: text(row['signature']),
    body: row['body'] as string,
  };
  return { subscription_id: body.hints.subscription_id ?? null, webhook };
}

export function toComponent(component_id: number, newestFirst: readonly Row[]): ComponentRecord {
  const seenComponents = new Map<number, number>();
  const allocations = newestFirst.toReversed().map((row) => {
    const timestamp = toTimestamp(row['timestamp']) ?? 0;
    const ordinal = seenComponents.get(timestamp) ?? 0;
    seenComponents.set(timestamp, ordinal + 1);
    return {
      timestamp,
      ordinal,
      quantity: row['quantity'] as number,
      previous_quantity: row['previous_quantity'] as number,
      proration_upgrade_scheme: text(row['proration_upgrade_scheme']),
      proration_downgrade_scheme: text(row['proration_downgrade_scheme']),
    };
  });
  return { component_id, name: null, complete: true, allocations };
}

/** Returns the records of a complete site, one per subscription. */
export function toRecords(site: {
  statements: Iterable<Row>;
  webhooks: Iterable<Row>;
  allocations: Iterable<{ subscription_id: number; component_id: number; newestFirst: readonly Row[] }>;
}): SubscriptionRecord[] {
  const records = new Map<
    number | null,
    { statements: StatementRecord[]; webhooks: WebhookRecord[]; components: ComponentRecord[] }
  >();
  const recordOf = (id: number | null) => {
    const record = records.get(id) ?? { statements: [], webhooks: [], components: [] };
    records.set(id, record);
    return record;
  };
  for (const row of site.statements)
    recordOf(row['subscription_id'] as number).statements.push(toStatement(row));
  for (const row of site.webhooks) {
    const { subscription_id, webhook } = toWebhook(row);
    recordOf(subscription_id).webhooks.push(webhook);
  }
  for (const { subscription_id, component_id, newestFirst } of site.allocations) {
    recordOf(subscription_id).components.push(toComponent(component_id, newestFirst));
  }
  const located = new Map<number, CrossSubscriptionMember>();
  for (const [subscription_id, { statements }] of records)
    for (const { id: statement_id, transactions } of statements)
      for (const transaction of transactions)
        located.set(transaction.id, { subscription_id, statement_id, transaction });
  return [...records].map(([subscription_id, record]) => ({
    subscription_id,
    statements_complete: true,
    ...record,
    transactions_elsewhere: findNamedElsewhere(subscription_id, record.statements, located),
  }));
}

function findNamedElsewhere(
  subscription: number | null,
  statements: readonly StatementRecord[],
  located: ReadonlyMap<number, CrossSubscriptionMember>,
): SubscriptionRecord['transactions_elsewhere'] {
  const members = [...listCrossSubscriptionPaymentIds(statements)].flatMap((id) => located.get(id) ?? []);
  return new Map(
    members
      .filter(({ subscription_id }) => subscription_id !== subscription)
      .map((member) => [member.transaction.id, member]),
  );
}
