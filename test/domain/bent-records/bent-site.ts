import {
  type CrossSubscriptionGroup,
  type CrossSubscriptionMember,
  checkSubscription,
  checkSubscriptionGroups,
  type Finding,
  learnSiteHabits,
  type SubscriptionRecord,
} from '../../../src/domain/checks/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { toRecords } from '../checks/service-rows.ts';

/** A row as the service sends it, in which an error can be bent. */
export type Row = Record<string, unknown>;

/** All rows of a site. Rows can be changed, added and removed. */
export interface SiteRows {
  statements: StatementRow[];
  webhooks: Row[];
  allocations: { subscription_id: number; component_id: number; newestFirst: Row[] }[];
  readonly now: number;
}

export interface StatementRow extends Row {
  id: number;
  subscription_id: number;
  opened_at: string;
  closed_at: string | null;
  settled_at: string | null;
  starting_balance_in_cents: number;
  ending_balance_in_cents: number;
  total_in_cents: number;
  text_view: string;
  transactions: TransactionRow[];
  events: { event: EventRow }[];
  future_payments: TransactionRow[];
}

export interface TransactionRow extends Row {
  id: number;
  transaction_type: string;
  type: string;
  kind: string | null;
  amount_in_cents: number;
  success: boolean;
  created_at: string;
  starting_balance_in_cents: number;
  ending_balance_in_cents: number;
  payment_id: number | null;
  gateway_transaction_id: string | null;
}

export interface EventRow extends Row {
  id: number;
  key: string;
  created_at: string;
  subscription_id: number;
  event_specific_data: Record<string, unknown> | null;
}

/** Reads all rows of a sandbox. */
export function readSiteRows(sandbox: Sandbox): SiteRows {
  const { truth } = sandbox;
  return {
    statements: [...truth.statements()] as StatementRow[],
    webhooks: [...truth.webhooks()],
    allocations: [...truth.components()].map((pair) => ({ ...pair, newestFirst: truth.allocations(pair) })),
    now: Date.parse(sandbox.describe().now),
  };
}

/** Checks a site as the backend does: every subscription, then the rows that several subscriptions share. */
export function checkSite(rows: SiteRows): Finding[] {
  const { now } = rows;
  const records = toRecords(rows);
  const webhookLog = { from: findOldestTime(records, now), to: now };
  const context = {
    now,
    webhookLog,
    habits: learnSiteHabits(records, { now, webhookLog }),
    disabled: new Set<string>(),
  };
  return [
    ...records.flatMap((record) => checkSubscription(record, context)),
    ...checkSubscriptionGroups(listSharedGroups(records)),
  ];
}

function findOldestTime(records: readonly SubscriptionRecord[], now: number): number {
  const times = records.flatMap(({ webhooks }) => webhooks.flatMap(({ created_at }) => created_at ?? []));
  return times.reduce((oldest, time) => Math.min(oldest, time), now);
}

function listSharedGroups(records: readonly SubscriptionRecord[]): CrossSubscriptionGroup[] {
  const members = records.flatMap(({ subscription_id, statements }) =>
    statements.flatMap(({ id: statement_id, transactions }) =>
      transactions.map(
        (transaction): CrossSubscriptionMember => ({
          subscription_id,
          statement_id,
          transaction,
        }),
      ),
    ),
  );
  const group = (
    by: CrossSubscriptionGroup['by'],
    keyOf: (member: CrossSubscriptionMember) => number | string | null,
  ): CrossSubscriptionGroup[] =>
    [...Map.groupBy(members, keyOf)]
      .filter(([key, same]) => key !== null && key !== '' && same.length > 1 && same.length < 10)
      .map(([, same]) => ({ by, members: same }));
  return [
    ...group('transaction_id', ({ transaction }) => transaction.id),
    ...group('gateway_transaction_id', ({ transaction }) => transaction.gateway_transaction_id),
  ];
}
