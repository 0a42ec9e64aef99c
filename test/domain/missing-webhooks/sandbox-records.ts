import { parseWebhookBody } from '../../../src/billing/index.ts';
import type { LoggedNotification, NotificationRecords } from '../../../src/domain/missing-webhooks/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';

/** Converts the sandbox's records to the input of the derivation, without a database. */

type StatementJson = {
  id: number;
  subscription_id: number;
  opened_at: string;
  closed_at: string | null;
  settled_at: string | null;
  starting_balance_in_cents: number;
  ending_balance_in_cents: number;
  transactions: (Omit<NotificationRecords['transactions'][number], 'created_at'> & { created_at: string })[];
  events: { event: EventJson }[];
};
type EventJson = {
  id: number;
  key: string;
  created_at: string;
  subscription_id: number;
  message: string;
  event_specific_data: { account_transaction_id?: number; component_id?: number } | null;
};
type AllocationJson = { timestamp: string; quantity: number; previous_quantity: number; memo: string | null };
type WebhookJson = { event: string; created_at: string; body: string };

const optionalTime = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function toDatedEvent(
  { event_specific_data, created_at, ...row }: EventJson,
  source: NotificationRecords['events'][number]['source'],
): NotificationRecords['events'][number] {
  const { account_transaction_id = null, component_id = null } = event_specific_data ?? {};
  return {
    ...row,
    created_at: Date.parse(created_at),
    transaction_id: account_transaction_id,
    component_id,
    source,
  };
}

export function toNotificationRecords({ truth }: Sandbox): NotificationRecords {
  const statements = [...truth.statements()] as unknown as StatementJson[];
  const signups = new Map<number, number>();
  for (const { subscription_id: id, opened_at } of statements)
    signups.set(id, Math.min(signups.get(id) ?? Number.POSITIVE_INFINITY, Date.parse(opened_at)));
  return {
    transactions: statements.flatMap(({ id, transactions }) =>
      transactions.map((row) => ({ ...row, statement_id: id, created_at: Date.parse(row.created_at) })),
    ),
    statements: statements.map((row) => ({
      ...row,
      opened_at: Date.parse(row.opened_at),
      closed_at: optionalTime(row.closed_at),
      settled_at: optionalTime(row.settled_at),
    })),
    events: statements.flatMap(({ events }) =>
      events.map(({ event }) => toDatedEvent(event, 'statement_event')),
    ),
    allocations: [...truth.components()].flatMap((pair) =>
      (truth.allocations(pair) as unknown as AllocationJson[]).map(({ timestamp, ...row }, ordinal) => ({
        ...pair,
        ...row,
        component_name: null,
        at: Date.parse(timestamp),
        ordinal,
        signup_at: signups.get(pair.subscription_id) ?? null,
      })),
    ),
  };
}

/** Returns the webhooks of the sandbox's log. `hasIds: false` hides all ids but the subscription's. */
export function toLoggedNotifications({ truth }: Sandbox, hasIds = true): LoggedNotification[] {
  return ([...truth.webhooks()] as unknown as WebhookJson[]).map(({ event, created_at, body }) => {
    const pairs = new Map(parseWebhookBody(body).pairs);
    const id = (key: string): number | null => (hasIds ? Number(pairs.get(key)) || null : null);
    const isStatement = event.startsWith('statement_');
    return {
      event,
      at: Date.parse(created_at),
      subscription_id: Number(pairs.get('payload[subscription][id]')) || null,
      event_id: id('payload[event_id]'),
      transaction_id: isStatement ? null : id('payload[transaction][id]'),
      statement_id: isStatement ? id('payload[statement][id]') : null,
      component_id: id('payload[component][id]'),
    };
  });
}

/** Reads the sandbox's events feed page by page. */
export async function readFeed(
  { url, apiKey }: Sandbox,
  query: string,
): Promise<NotificationRecords['events'][number][]> {
  const events: EventJson[] = [];
  for (let page = 1; ; page++) {
    const response = await fetch(`${url}/events.json?per_page=200&page=${page}${query}`, {
      headers: { Authorization: `Basic ${btoa(`${apiKey}:x`)}` },
    });
    const rows = (await response.json()) as { event: EventJson }[];
    if (rows.length === 0) return events.map((event) => toDatedEvent(event, 'events_feed'));
    events.push(...rows.map(({ event }) => event));
  }
}
