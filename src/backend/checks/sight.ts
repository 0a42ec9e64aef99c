import type { RowRef } from '../../domain/tieout/index.ts';
import { areHeld, isPdfRead } from '../store/checks/check-dates.ts';
import type { HeldException } from '../store/checks/exception.ts';
import type { ReadableDb } from '../store/database.ts';
import type { Ground } from './ground.ts';

/** Rules that look for what the webhook log does not have. */
const missingInLog: ReadonlySet<string> = new Set(['payment-without-webhook', 'statement-without-webhook']);
/** Rules that expect what the site does as a rule. */
const habitual: ReadonlySet<string> = new Set([...missingInLog, 'payment-without-event', 'future-payment']);
/** The log is believed to show what happened so long after its beginning. */
const HOUR = 3_600_000;

/**
 * Whether it proves anything that an exception is not found any more. A cache that is fetched anew, or is not complete, does not
 * show what was wrong; nor does a rule that is switched off, or has nothing to work on.
 */
export function proves(cache: ReadableDb, { context, records }: Ground, held: HeldException): boolean {
  const { rule, subscription_id, statement_id, dated_at } = held;
  if (context.disabled.has(rule)) return false;
  if (rule === 'webhook-signature' && context.verify === undefined) return false;
  if (missingInLog.has(rule) && (context.log === null || dated_at < context.log.from + HOUR)) return false;
  if (habitual.has(rule) && !context.habits?.size) return false;
  if (rule === 'pdf-agrees' && (statement_id === null || !isPdfRead(cache, statement_id))) return false;
  if (subscription_id !== null && !records.isComplete(subscription_id)) return false;
  return areHeld(cache, JSON.parse(held.rows) as RowRef[]);
}
