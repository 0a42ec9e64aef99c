import {
  inferTimeZone,
  readUtcOffset,
  type ServiceTimeSample,
} from '../../../domain/ledger/service-time-zone.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

/** Time between samples in milliseconds. Every offset of a zone with daylight saving time lasts longer. */
const SAMPLE_STEP_MS = 30 * 86_400_000;
/** Maximum number of samples per kind of record: two years. Chosen by judgment. */
const MAX_SAMPLES = 24;

const WEBHOOK_SQL = `SELECT created_at AS at, created_at_text AS text FROM webhook INDEXED BY webhook_created
     WHERE created_at > 0 AND created_at <= ? ORDER BY created_at DESC LIMIT 1`;
/** Selects closed statements, by state because the index starts with the state. */
const STATEMENT_SQL = [1, 2].map(
  (state) => `SELECT dated_at AS at, closed_at_text AS text FROM statement INDEXED BY statement_dated
     WHERE state = ${state} AND dated_at > 0 AND dated_at <= ? ORDER BY dated_at DESC LIMIT 1`,
);

/** Latest result per open cache. Trying every zone takes about 100 ms, and the site list is read after each change. */
const inferred = new WeakMap<ReadableDb, string>();

/** Returns the time zone of the times that the service sends, inferred from stored records; null if none is stored. */
export function findServiceTimeZone(cache: ReadableDb): string | null {
  const samples = [WEBHOOK_SQL, ...STATEMENT_SQL].flatMap((sql) => sampleTimes(cache, sql));
  const zone = inferTimeZone(samples, inferred.get(cache));
  if (zone !== null) inferred.set(cache, zone);
  return zone;
}

function sampleTimes(cache: ReadableDb, sql: string): ServiceTimeSample[] {
  const select = prepareSql<{ at: number; text: string | null }>(cache, sql);
  const samples: ServiceTimeSample[] = [];
  let until = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MAX_SAMPLES; read += 1) {
    const row = select.get(until);
    if (row === undefined) break;
    const offset = readUtcOffset(row.text ?? '');
    if (offset !== null) samples.push({ at: row.at, offset });
    until = row.at - SAMPLE_STEP_MS;
  }
  return samples;
}
