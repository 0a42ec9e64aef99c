import type { FindingRow } from '../../domain/checks/index.ts';
import type { StoredException } from '../store/checks/exception.ts';
import { areFindingRowsStored, isPdfTextStored } from '../store/checks/finding-dates.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { CheckInputs } from './check-inputs.ts';

/** Ids of the rules that report webhooks missing from the log. */
const MISSING_WEBHOOK_RULES: ReadonlySet<string> = new Set([
  'payment-without-webhook',
  'statement-without-webhook',
]);
/** Ids of the rules that depend on the site's habits. */
const HABIT_RULES: ReadonlySet<string> = new Set([
  ...MISSING_WEBHOOK_RULES,
  'payment-without-event',
  'future-payment',
]);
/** Margin in milliseconds after the log's oldest webhook. From then on, the log is assumed to be complete. */
const LOG_START_MARGIN_MS = 3_600_000;

/**
 * Returns true if the absence of a finding proves that the exception no longer exists. Absence proves nothing if the
 * cache is incomplete, the rule is switched off, or the rule has no data.
 */
export function isAbsenceProven(
  cache: ReadableDb,
  { context, records }: CheckInputs,
  stored: StoredException,
): boolean {
  const { rule, subscription_id, statement_id, dated_at } = stored;
  if (context.disabled.has(rule)) return false;
  if (rule === 'webhook-signature' && context.verifySignature === undefined) return false;
  if (
    MISSING_WEBHOOK_RULES.has(rule) &&
    (!context.webhookLog || dated_at < context.webhookLog.from + LOG_START_MARGIN_MS)
  )
    return false;
  if (HABIT_RULES.has(rule) && !context.habits?.size) return false;
  if (rule === 'pdf-agrees' && (statement_id === null || !isPdfTextStored(cache, statement_id))) return false;
  if (subscription_id !== null && !records.isComplete(subscription_id)) return false;
  return areFindingRowsStored(cache, JSON.parse(stored.rows) as FindingRow[]);
}
