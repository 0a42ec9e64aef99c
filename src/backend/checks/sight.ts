import type { FindingRow } from '../../domain/checks/index.ts';
import { areStored, isPdfRead } from '../store/checks/check-dates.ts';
import type { StoredException } from '../store/checks/exception.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { CheckInputs } from './ground.ts';

/** Rules about webhooks missing from the log. */
const missingInLog: ReadonlySet<string> = new Set(['payment-without-webhook', 'statement-without-webhook']);
/** Rules that depend on the site's usual behavior. */
const habitual: ReadonlySet<string> = new Set([...missingInLog, 'payment-without-event', 'future-payment']);
/** Milliseconds after its beginning from which the log is trusted to be complete. */
const HOUR = 3_600_000;

/**
 * Returns true if the absence of a finding proves that an exception is gone. A rebuilt or incomplete cache, a rule that
 * is switched off, or a rule without data proves nothing.
 */
export function provesAbsence(
  cache: ReadableDb,
  { context, records }: CheckInputs,
  stored: StoredException,
): boolean {
  const { rule, subscription_id, statement_id, dated_at } = stored;
  if (context.disabled.has(rule)) return false;
  if (rule === 'webhook-signature' && context.verifySignature === undefined) return false;
  if (missingInLog.has(rule) && (!context.webhookLog || dated_at < context.webhookLog.from + HOUR))
    return false;
  if (habitual.has(rule) && !context.habits?.size) return false;
  if (rule === 'pdf-agrees' && (statement_id === null || !isPdfRead(cache, statement_id))) return false;
  if (subscription_id !== null && !records.isComplete(subscription_id)) return false;
  return areStored(cache, JSON.parse(stored.rows) as FindingRow[]);
}
