import type { Incident } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

/** An incident as stored in books.db. Instants are UTC milliseconds. */
export type StoredIncident = Omit<Incident, 'from' | 'to' | 'found_at' | 'resolved_at'> & {
  from_at: number;
  to_at: number;
  found_at: number;
  resolved_at: number | null;
};

/** Saves a new incident and returns its id. */
export const addIncident = (db: WritableDb, incident: Omit<StoredIncident, 'id'>): number =>
  insertRow(db, 'incident', incident);

export function changeIncident(
  db: WritableDb,
  id: number,
  change: Partial<Omit<StoredIncident, 'id' | 'kind'>>,
): void {
  if (Object.keys(change).length > 0) updateRow(db, 'incident', change as Omit<StoredIncident, 'id'>, { id });
}

export const findIncident = (db: ReadableDb, id: number): StoredIncident | null =>
  select.row<StoredIncident>(db, 'SELECT * FROM incident WHERE id = ?', id);

/** Lists incidents in these states: unresolved incidents first, newest first. */
export function listIncidents(db: ReadableDb, states: readonly Incident['state'][]): StoredIncident[] {
  const sql = `SELECT * FROM incident WHERE state IN (SELECT value FROM json_each(?))
     ORDER BY state = 'resolved', from_at DESC, id DESC`;
  return select.rows<StoredIncident>(db, sql, JSON.stringify(states));
}

/** Returns the newest incident about a gap in the log that overlaps a time range, or null. */
export function findGapIncident(db: ReadableDb, from: number, to: number): StoredIncident | null {
  const sql = `SELECT * FROM incident WHERE kind = 'gap' AND from_at < ? AND to_at > ? ORDER BY id DESC LIMIT 1`;
  return select.row<StoredIncident>(db, sql, to, from);
}

/** Adds webhooks to an incident. Ignores webhooks that the incident already has. */
export function addIncidentWebhooks(db: WritableDb, incident: number, ids: readonly number[]): void {
  const sql = `INSERT OR IGNORE INTO incident_webhook (incident, webhook_id) SELECT ?, value FROM json_each(?)`;
  prepareSql(db, sql).run(incident, JSON.stringify(ids));
}

/** Returns the ids of an incident's webhooks in ascending order. */
export const listIncidentWebhooks = (db: ReadableDb, incident: number): number[] =>
  select.values<number>(
    db,
    'SELECT webhook_id FROM incident_webhook WHERE incident = ? ORDER BY webhook_id',
    incident,
  );

/** Returns the incidents that contain any of these webhooks, newest first. */
export function listIncidentsOfWebhooks(db: ReadableDb, ids: readonly number[]): StoredIncident[] {
  const sql = `SELECT * FROM incident WHERE id IN (
       SELECT incident FROM json_each(?) CROSS JOIN incident_webhook INDEXED BY incident_webhook_id ON webhook_id = value)
     ORDER BY id DESC`;
  return select.rows<StoredIncident>(db, sql, JSON.stringify(ids));
}

/** Returns the given webhooks that belong to no incident. */
export function listWebhooksWithoutIncident(db: ReadableDb, ids: readonly number[]): number[] {
  const sql = `SELECT value FROM json_each(?)
     WHERE NOT EXISTS (SELECT 1 FROM incident_webhook INDEXED BY incident_webhook_id WHERE webhook_id = value)`;
  return select.values<number>(db, sql, JSON.stringify(ids));
}

/** Adds an entry to the history of an incident. `user` is null for automatic entries. */
export function addIncidentEntry(
  db: WritableDb,
  incident: number,
  entry: { at: number; user: string | null; text: string },
): void {
  const sql = `INSERT INTO incident_entry (incident, seq, at, user, text)
     SELECT ?, (SELECT count(*) FROM incident_entry WHERE incident = ?), ?, ?, ?`;
  prepareSql(db, sql).run(incident, incident, entry.at, entry.user, entry.text);
}
