import { type ContractInputs, type ContractOutputs, createNonRetryableError } from '../../contract/index.ts';
import {
  findMissingWebhooks,
  LOG_MARGIN_MS,
  listUnknownEvents,
  type MissingWebhook,
  RECORD_MARGIN_MS,
  type RecordCoverage,
  reconstructWebhook,
  type TimeRange,
  type UnknownEvent,
} from '../../domain/missing-webhooks/index.ts';
import { readCheckInputs } from '../checks/check-inputs.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { ReadOnlySite } from '../sites/read-only-databases.ts';
import { findFeedState } from '../store/missing-webhooks/events-feed.ts';
import { listLoggedNotifications } from '../store/missing-webhooks/logged-notifications.ts';
import { readNotificationRecords } from '../store/missing-webhooks/notification-records.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { listWebhookClasses } from '../store/webhooks/webhook-selection.ts';
import { findMissingWebhookRange } from './missing-webhook-range.ts';

/** Maximum number of records of one kind in a time range, so that the derivation fits into memory. Chosen by judgment. */
const MAX_RECORDS = 100_000;

/** The missing webhooks of a time range, and what the stored records cannot show. */
export interface MissingWebhookReport {
  range: TimeRange;
  coverage: RecordCoverage;
  webhooks: MissingWebhook[];
  unknown: UnknownEvent[];
}

/** Derives the missing webhooks of a time range. Throws `validation` if it contains too many records. */
export function deriveMissingWebhooks(
  site: ReadOnlySite,
  requested: ContractInputs['missingWebhooks']['list']['range'],
  now: number,
): MissingWebhookReport {
  const { cache } = site;
  const range = findMissingWebhookRange(cache, requested, now);
  const records = readNotificationRecords(cache, widenRange(range, RECORD_MARGIN_MS), MAX_RECORDS + 1);
  const webhooks = listLoggedNotifications(cache, widenRange(range, LOG_MARGIN_MS), MAX_RECORDS + 1);
  const largest = Math.max(webhooks.length, ...Object.values(records).map(({ length }) => length));
  if (largest > MAX_RECORDS)
    throw createNonRetryableError(
      'validation',
      `The time range contains more than ${MAX_RECORDS.toLocaleString('en-US')} records.`,
      'Select a shorter time range.',
    );
  const events = new Set(listWebhookClasses(cache).map(({ event }) => event));
  const { context, records: stored } = readCheckInputs(site, now);
  const complete = context.webhookLog;
  const coverage = readCoverage(cache, range, stored.serviceTime);
  return {
    range,
    coverage,
    webhooks: findMissingWebhooks(records, { webhooks, complete, events }, range),
    unknown: listUnknownEvents(coverage, events),
  };
}

const widenRange = ({ from, to }: TimeRange, margin: number): TimeRange => ({
  from: from - margin,
  to: to + margin,
});

function readCoverage(
  cache: ReadableDb,
  range: TimeRange,
  serviceTime: (moment: number) => number,
): RecordCoverage {
  const isCurrent = (part: 'statements' | 'allocations'): boolean => {
    const state = readSyncPartState(cache, part);
    return state?.synced_at != null && state.complete && serviceTime(state.synced_at) >= range.to;
  };
  return {
    statements: isCurrent('statements'),
    allocations: isCurrent('allocations'),
    feed: findFeedState(cache, range),
  };
}

/** Returns the missing webhooks as the contract lists them, with at most `limit` rows. */
export function listMissingWebhooks(
  site: ReadOnlySite,
  { range, limit }: ContractInputs['missingWebhooks']['list'] & { limit: number },
  now: number,
): ContractOutputs['missingWebhooks']['list'] {
  const report = deriveMissingWebhooks(site, range, now);
  const { webhooks } = report;
  const missing = webhooks.filter(({ uncertainty }) => uncertainty === null).length;
  return {
    ...describeReport(report),
    missing,
    unconfirmed: webhooks.length - missing,
    by_event: countByEvent(webhooks),
    rows: webhooks.slice(0, limit).map((webhook) => toMissingWebhookRow(webhook, site)),
    more: Math.max(0, webhooks.length - limit),
  };
}

/** Returns the time range, the coverage and the unknown events of a report, as the contract describes them. */
export const describeReport = ({ range, coverage, unknown }: MissingWebhookReport) => ({
  from: formatTimestamp(range.from),
  to: formatTimestamp(range.to),
  coverage,
  unknown,
});

function countByEvent(webhooks: readonly MissingWebhook[]) {
  return [...Map.groupBy(webhooks, ({ event }) => event)]
    .map(([event, each]) => {
      const missing = each.filter(({ uncertainty }) => uncertainty === null).length;
      return { event, missing, unconfirmed: each.length - missing };
    })
    .sort((a, b) => b.missing + b.unconfirmed - a.missing - a.unconfirmed || (a.event < b.event ? -1 : 1));
}

/** Returns the site's subdomain at the service; null for an address without one, for example an IP address. */
const findSubdomain = (address: string): string | null =>
  /^([a-z0-9-]+)(?:\.[a-z0-9-]+)+\.[a-z]{2,}$/.exec(new URL(address).hostname)?.[1] ?? null;

/** Returns a missing webhook with its reconstructed body. */
export function toMissingWebhookRow(
  webhook: MissingWebhook,
  { file }: Pick<ReadOnlySite, 'file'>,
): ContractOutputs['missingWebhooks']['list']['rows'][number] {
  const { event, at, subscription_id, transaction_id, statement_id, component_id, event_id } = webhook;
  const { id, body } = reconstructWebhook(webhook, findSubdomain(file.base_url));
  return {
    reconstructed: true,
    id,
    event,
    at: formatTimestamp(at),
    subscription_id,
    transaction_id,
    statement_id,
    component_id,
    event_id,
    sources: [...webhook.sources],
    uncertainty: webhook.uncertainty,
    body,
  };
}
