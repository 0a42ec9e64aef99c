import type { Alert, AlertChannel, AlertDelivery } from '../../../contract/index.ts';
import type { AlertState } from '../../../domain/webhooks/endpoint-alerts.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql, updateRow } from '../sqlite/write-row.ts';

/** An alert as stored in books.db. Instants are UTC milliseconds. `endpoint` is '' for the whole site. */
export interface StoredAlert extends Pick<Alert, 'id' | 'kind' | 'endpoint' | 'failures'> {
  at: number;
  endpoint: string;
  since: number;
  reported: 0 | 1;
}

/** A delivery that this process may attempt now. */
export interface AlertClaim {
  alert: StoredAlert;
  channel: AlertChannel;
  /** Number of this attempt. A later attempt, also by another process, makes the claim invalid. */
  attempt: number;
}

/** Age from which an alert is not delivered anymore, in milliseconds. Chosen by judgment. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Time after which an attempt counts as lost in a crash, in milliseconds. Longer than any attempt. */
const LOST_AFTER_MS = 120_000;
/** Backoff after the second attempt, which doubles with each further one, and its maximum. Chosen by judgment. */
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [60_000, 3_600_000];

/** Milliseconds between the start of the latest attempt and the next one. Failed and lost attempts count alike. */
const BACKOFF_SQL = `CASE WHEN attempts < 2 THEN 0
  ELSE min(${MIN_BACKOFF_MS} << min(attempts - 2, 16), ${MAX_BACKOFF_MS}) END`;
/** Condition for deliveries that no process is attempting. Parameters: channel, present time in UTC milliseconds. */
const OPEN_SQL = `channel = ?
  AND (state = 'pending' OR (state = 'sending' AND abs(? - claimed_at) > ${LOST_AFTER_MS}))`;

export function listAlertStates(db: ReadableDb): AlertState[] {
  const sql = "SELECT nullif(endpoint, '') AS endpoint, problem, since, alerted_at FROM alert_state";
  return select.rows<AlertState>(db, sql);
}

export function saveAlertState(db: WritableDb, { endpoint, ...state }: AlertState): void {
  const row = { endpoint: endpoint ?? '', ...state };
  insertRow(db, 'alert_state', row, onConflictSql('endpoint', 'problem', 'since', 'alerted_at'));
}

/** Saves a new alert with a pending delivery per channel. Returns its id. */
export function addAlert(
  db: WritableDb,
  alert: Omit<StoredAlert, 'id'>,
  channels: readonly AlertChannel[],
): number {
  const id = insertRow(db, 'alert', alert);
  const delivery = { alert: id, state: 'pending', attempts: 0, claimed_at: null, error: null };
  for (const channel of channels) insertRow(db, 'alert_delivery', { ...delivery, channel });
  return id;
}

export const findAlert = (db: ReadableDb, id: number): StoredAlert | null =>
  select.row<StoredAlert>(db, 'SELECT * FROM alert WHERE id = ?', id);

/** Lists alerts with an id above `after`, newest first. */
export function listAlerts(db: ReadableDb, after: number, limit: number): StoredAlert[] {
  return select.rows<StoredAlert>(
    db,
    'SELECT * FROM alert WHERE id > ? ORDER BY id DESC LIMIT ?',
    after,
    limit,
  );
}

export function listAlertDeliveries(db: ReadableDb, alert: number): AlertDelivery[] {
  const sql = 'SELECT channel, state, attempts, error FROM alert_delivery WHERE alert = ? ORDER BY channel';
  return select.rows<AlertDelivery>(db, sql, alert);
}

/** Returns true if an alert is pending or being sent through the channel. */
export function hasOpenDeliveries(db: ReadableDb, channel: AlertChannel): boolean {
  const sql =
    "SELECT 1 FROM alert_delivery WHERE channel = ? AND (state = 'pending' OR state = 'sending') LIMIT 1";
  return select.row(db, sql, channel) !== null;
}

/**
 * Claims the first due delivery of an alert with an id above `after`, so that no other process sends it as well. Null if there
 * is none. Must run in a transaction. `now` is UTC milliseconds.
 */
export function claimAlertDelivery(
  db: WritableDb,
  channel: AlertChannel,
  { now, onlyTests, after }: { now: number; onlyTests: boolean; after: number },
): AlertClaim | null {
  endUselessDeliveries(db, channel, now);
  const sql = `SELECT alert.*, attempts + 1 AS attempt
     FROM alert_delivery CROSS JOIN alert ON alert.id = alert_delivery.alert
     WHERE ${OPEN_SQL} AND alert_delivery.alert > ? AND (kind = 'test' OR ? = 0)
       AND (claimed_at IS NULL OR abs(? - claimed_at) >= ${BACKOFF_SQL})
     ORDER BY alert_delivery.alert LIMIT 1`;
  const bound = [channel, now, after, onlyTests ? 1 : 0, now];
  const row = select.row<StoredAlert & { attempt: number }>(db, sql, ...bound);
  if (row === null) return null;
  const { attempt, ...alert } = row;
  const change = { state: 'sending', attempts: attempt, claimed_at: now };
  updateRow(db, 'alert_delivery', change, { alert: alert.id, channel });
  return { alert, channel, attempt };
}

/** Ends the deliveries that a later alert about the same endpoint replaces, and those of alerts that are too old. */
function endUselessDeliveries(db: WritableDb, channel: AlertChannel, now: number): void {
  const skipReplaced = `UPDATE alert_delivery SET state = 'skipped' WHERE ${OPEN_SQL} AND EXISTS (
     SELECT 1 FROM alert
       JOIN alert AS later ON later.id > alert.id AND later.endpoint = alert.endpoint AND later.kind <> 'test'
       JOIN alert_delivery AS other ON other.alert = later.id AND other.channel = alert_delivery.channel
     WHERE alert.id = alert_delivery.alert AND alert.kind <> 'test')`;
  prepareSql(db, skipReplaced).run(channel, now);
  const endOld = `UPDATE alert_delivery SET
       state = CASE WHEN attempts = 0 THEN 'skipped' ELSE 'failed' END,
       error = CASE WHEN state = 'sending' THEN 'The delivery was interrupted' ELSE error END
     WHERE ${OPEN_SQL} AND (SELECT at FROM alert WHERE id = alert_delivery.alert) < ?`;
  prepareSql(db, endOld).run(channel, now, now - MAX_AGE_MS);
}

/**
 * Saves the result of a claimed delivery. A failed one becomes pending again, except a test, which is attempted once. Changes
 * nothing if the claim is no longer valid.
 */
export function saveAlertDeliveryResult(
  db: WritableDb,
  { alert, channel, attempt }: AlertClaim,
  error: string | null,
): void {
  const failed = alert.kind === 'test' ? 'failed' : 'pending';
  const change = { state: error === null ? 'delivered' : failed, error };
  updateRow(db, 'alert_delivery', change, { alert: alert.id, channel, state: 'sending', attempts: attempt });
}
