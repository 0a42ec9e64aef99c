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

export interface StoredAlertDelivery extends AlertDelivery {
  alert: number;
  claimed_at: number | null;
}

/** Maximum number of attempts to deliver an alert through a channel. Chosen by judgment. */
export const MAX_ATTEMPTS = 3;
/** Age from which an alert is not delivered anymore, in milliseconds. Chosen by judgment. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Time after which an attempt counts as lost in a crash, in milliseconds. Longer than any attempt. */
const LOST_AFTER_MS = 120_000;

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

/**
 * Claims the deliveries that are due on a channel, so that no other process sends them as well. Skips those that are too old
 * and those that a later alert about the same endpoint replaces. Must run in a transaction. `now` is UTC milliseconds.
 */
export function claimAlertDeliveries(
  db: WritableDb,
  channel: AlertChannel,
  { now, onlyTests }: { now: number; onlyTests: boolean },
): StoredAlert[] {
  const sql = `SELECT alert.* FROM alert_delivery CROSS JOIN alert ON alert.id = alert
     WHERE channel = ? AND (state = 'pending' OR (state = 'sending' AND abs(? - claimed_at) > ${LOST_AFTER_MS}))
       AND (kind = 'test' OR ? = 0)
     ORDER BY alert`;
  const open = select.rows<StoredAlert>(db, sql, channel, now, onlyTests ? 1 : 0);
  const getGroup = ({ id, kind, endpoint }: StoredAlert) => (kind === 'test' ? `test ${id}` : endpoint);
  const newest = new Map(open.map((alert) => [getGroup(alert), alert.id]));
  return open.filter((alert) => {
    const { id, at } = alert;
    const isReplaced = newest.get(getGroup(alert)) !== id;
    if (isReplaced || now - at > MAX_AGE_MS) {
      changeAlertDelivery(db, id, channel, { state: 'skipped' });
      return false;
    }
    const claim = `UPDATE alert_delivery SET state = 'sending', attempts = attempts + 1, claimed_at = ?
       WHERE alert = ? AND channel = ?`;
    prepareSql(db, claim).run(now, id, channel);
    return true;
  });
}

export function changeAlertDelivery(
  db: WritableDb,
  alert: number,
  channel: AlertChannel,
  change: Partial<Pick<StoredAlertDelivery, 'state' | 'error'>>,
): void {
  updateRow(db, 'alert_delivery', change as StoredAlertDelivery, { alert, channel });
}

/** Records the result of a claimed delivery. A failed one stays pending until its last attempt. */
export function saveAlertDeliveryResult(
  db: WritableDb,
  alert: number,
  channel: AlertChannel,
  error: string | null,
): void {
  const sql = `UPDATE alert_delivery SET error = ?, state =
       CASE WHEN ? IS NULL THEN 'delivered' WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'pending' END
     WHERE alert = ? AND channel = ?`;
  prepareSql(db, sql).run(error, error, alert, channel);
}
