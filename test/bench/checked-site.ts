import { upsertAllocations } from '../../src/backend/store/allocations/allocation.ts';
import {
  recordSubscriptionComponent,
  setAllocationHistoryState,
} from '../../src/backend/store/allocations/subscription-component.ts';
import { runInTransaction, type WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { addKnownStatements } from '../../src/backend/store/statements/known-statements.ts';
import { upsertStatements } from '../../src/backend/store/statements/statement.ts';
import { saveSyncPartState } from '../../src/backend/store/sync/sync-unit.ts';
import { upsertWebhooks } from '../../src/backend/store/webhooks/webhook.ts';
import type { Statement, Transaction, Webhook } from '../../src/billing/index.ts';
import { simulateLife } from '../domain/checks/simulate-life.ts';
import type { DraftRecord } from '../domain/checks/simulated-life.ts';
import { ordinaryLife } from '../domain/history-generator.ts';

/** A time after all events. */
export const CHECKED_SITE_NOW = Date.UTC(2028, 6, 1);
const MONTHS = 23;
const SORTS = 48;
/** Maximum number of subscriptions. */
const MAX_SUBSCRIPTIONS = 1_000_000;

type Row<Of extends keyof DraftRecord> = DraftRecord[Of] extends readonly (infer Item)[] ? Item : never;

/** Fills a site's cache like a sync: statements of all subscriptions in order of time. */
export function fillCheckedSite(cache: WritableDb, statements: number): void {
  const sorts = Array.from({ length: SORTS }, (_, n) => simulateLife(ordinaryLife(n + 1, MONTHS)).draft);
  const each = sorts.reduce((sum, draft) => sum + draft.statements.length, 0) / SORTS;
  const subscriptions = Math.ceil(statements / each);
  const drafts = Array.from({ length: subscriptions }, (_, n) => sorts[n % SORTS] as DraftRecord);
  const longest = Math.max(...sorts.map((draft) => draft.statements.length));
  for (let month = 0; month < longest; month++) {
    for (let from = 0; from < subscriptions; from += 200) {
      runInTransaction(cache, () => {
        const rows = drafts.slice(from, from + 200).flatMap((draft, at) => {
          const statement = draft.statements[month];
          return statement === undefined ? [] : [createStatement(draft, from + at + 1, statement)];
        });
        addKnownStatements(
          cache,
          rows.map(({ id }) => id),
          CHECKED_SITE_NOW,
        );
        upsertStatements(cache, rows, CHECKED_SITE_NOW);
      });
    }
  }
  for (let from = 0; from < subscriptions; from += 100) {
    runInTransaction(cache, () => {
      for (const [at, draft] of drafts.slice(from, from + 100).entries())
        fillOtherTables(cache, draft, from + at + 1);
    });
  }
  const whole = { synced_at: CHECKED_SITE_NOW, expected: null, complete: true, checkpoint: {} };
  saveSyncPartState(cache, 'webhooks', whole);
  saveSyncPartState(cache, 'statements', whole);
}

function fillOtherTables(cache: WritableDb, draft: DraftRecord, n: number): void {
  upsertWebhooks(
    cache,
    draft.webhooks.map((webhook) => createWebhook(draft, n, webhook)),
    CHECKED_SITE_NOW,
  );
  for (const { component_id, allocations } of draft.components) {
    const component = { subscription_id: n, component_id };
    recordSubscriptionComponent(cache, {
      ...component,
      source: 'webhook',
      component_name: 'Seats',
      changed_hint_at: null,
    });
    const rows = allocations.map(({ timestamp, ordinal: _ordinal, ...rest }) => {
      return { ...rest, ...component, memo: null, timestamp: text(timestamp) as string, extra: {} };
    });
    upsertAllocations(cache, component, rows, CHECKED_SITE_NOW);
    setAllocationHistoryState(cache, component, 'complete', CHECKED_SITE_NOW);
  }
}

const text = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Assigns unique IDs to the rows of each subscription in the order of time over the whole site. */
const createId = (draft: DraftRecord, n: number, id: number): number =>
  (id - draft.subscription_id * 100_000) * MAX_SUBSCRIPTIONS + n;

export function createStatement(draft: DraftRecord, n: number, statement: Row<'statements'>): Statement {
  const id = createId(draft, n, statement.id);
  const { opened_at, closed_at, settled_at, created_at, updated_at } = statement;
  return {
    ...address,
    id,
    subscription_id: n,
    opened_at: text(opened_at),
    closed_at: text(closed_at),
    settled_at: text(settled_at),
    created_at: text(created_at),
    updated_at: text(updated_at),
    text_view: statement.text_view,
    basic_html_view: null,
    html_view: null,
    starting_balance_in_cents: statement.starting_balance_in_cents,
    ending_balance_in_cents: statement.ending_balance_in_cents,
    future_payments: statement.future_payments.map((payment) => ({
      ...nothing,
      id: payment.id === null ? null : createId(draft, n, payment.id),
      amount_in_cents: payment.amount_in_cents,
      created_at: text(payment.created_at),
    })),
    transactions: statement.transactions.map((each) => ({
      ...nothing,
      id: createId(draft, n, each.id),
      transaction_type: each.transaction_type,
      type: each.type,
      kind: each.kind,
      amount_in_cents: each.amount_in_cents,
      starting_balance_in_cents: each.starting_balance_in_cents,
      ending_balance_in_cents: each.ending_balance_in_cents,
      success: each.success,
      memo: each.memo,
      created_at: text(each.created_at),
      subscription_id: n,
      gateway_transaction_id: each.gateway_transaction_id && `${each.gateway_transaction_id}-${n}`,
    })),
    events: statement.events.map((event) => ({
      id: createId(draft, n, event.id),
      key: event.key,
      message: null,
      created_at: text(event.created_at),
      subscription_id: n,
      event_specific_data: {
        ...(event.transaction_id !== null && {
          account_transaction_id: createId(draft, n, event.transaction_id),
        }),
        ...(event.new_state !== null && { new_subscription_state: event.new_state }),
      },
      extra: {},
    })),
    extra: {},
  };
}

const nothing: Omit<Transaction, 'id' | 'amount_in_cents'> = {
  transaction_type: null,
  type: null,
  kind: null,
  starting_balance_in_cents: null,
  ending_balance_in_cents: null,
  success: null,
  memo: null,
  created_at: null,
  subscription_id: null,
  product_id: null,
  payment_id: null,
  gateway_transaction_id: null,
  extra: {},
};

const address = {
  memo: '',
  customer_first_name: 'Anna',
  customer_last_name: 'Larsson',
  customer_organization: 'Larsson & Co',
  customer_shipping_address: 'Storgatan 1',
  customer_shipping_address_2: null,
  customer_shipping_city: 'Lund',
  customer_shipping_state: null,
  customer_shipping_country: 'SE',
  customer_shipping_zip: '222 22',
  customer_billing_address: 'Storgatan 1',
  customer_billing_address_2: null,
  customer_billing_city: 'Lund',
  customer_billing_state: null,
  customer_billing_country: 'SE',
  customer_billing_zip: '222 22',
};

function createWebhook(draft: DraftRecord, n: number, webhook: Row<'webhooks'>): Webhook {
  const id = createId(draft, n, webhook.id);
  return {
    id,
    event: webhook.event,
    successful: webhook.successful,
    body: body(draft, n, id, webhook),
    signature: webhook.signature,
    created_at: text(webhook.created_at),
    accepted_at: text(webhook.accepted_at),
    last_sent_at: text(webhook.last_sent_at),
    last_error_at: null,
    last_sent_url: webhook.last_sent_url,
    last_error: webhook.last_error,
    extra: {},
  };
}

/** A webhook body as posted by the service: the relevant fields among two dozen others. */
function body(
  draft: DraftRecord,
  n: number,
  id: number,
  { event, facts: getPayloadFields }: Row<'webhooks'>,
): string {
  const fields: [string, string | number | boolean | null][] = [
    ['id', id],
    ['event', event],
    ['payload[subscription][id]', n],
    ['payload[subscription][state]', 'active'],
    ...OTHERS,
  ];
  const own = (ids: number | null) => (ids === null ? null : createId(draft, n, ids));
  if (getPayloadFields.statement !== null) {
    const { closed, starting_balance_in_cents, ending_balance_in_cents } = getPayloadFields.statement;
    fields.push(
      ['payload[statement][id]', own(getPayloadFields.statement.id)],
      ['payload[statement][closed_at]', closed ? '2026-10-24 16:20:14 -0400' : ''],
      ['payload[statement][starting_balance_in_cents]', starting_balance_in_cents],
      ['payload[statement][ending_balance_in_cents]', ending_balance_in_cents],
    );
  } else if (getPayloadFields.statement_id !== null)
    fields.push(['payload[statement_id]', own(getPayloadFields.statement_id)]);
  const [first] = getPayloadFields.transactions;
  if (getPayloadFields.transaction_id !== null) {
    fields.push(['payload[transaction][id]', own(getPayloadFields.transaction_id)]);
    if (first !== undefined) {
      fields.push(
        ['payload[transaction][transaction_type]', first.transaction_type],
        ['payload[transaction][amount_in_cents]', first.amount_in_cents],
        ['payload[transaction][success]', first.success],
      );
    }
  }
  return fields.map(([key, value]) => `${key}=${encodeURIComponent(String(value ?? ''))}`).join('&');
}

const OTHERS = Array.from({ length: 24 }, (_, n): [string, string] => [
  `payload[subscription][${n % 2 === 0 ? 'customer' : 'product'}][field_${n}]`,
  `What the service says of it, number ${n}`,
]);
