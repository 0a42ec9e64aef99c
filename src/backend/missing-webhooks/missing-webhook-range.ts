import { type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import type { TimeRange } from '../../domain/missing-webhooks/index.ts';
import { listCurrentOutages } from '../incidents/list-current-outages.ts';
import { requireRecord } from '../shared/require-record.ts';
import { parseTimestamp } from '../shared/timestamps.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Maximum number of outages searched for an outage id. Chosen by judgment. */
const MAX_OUTAGES = 10_000;

/** Returns the time range of an outage, or the given one. Throws `not_found` or `validation`. */
export function findMissingWebhookRange(
  cache: ReadableDb,
  range: ContractInputs['missingWebhooks']['list']['range'],
  now: number,
): TimeRange {
  if ('outage' in range) {
    const { outages } = listCurrentOutages(cache, MAX_OUTAGES, now);
    const outage = outages.find(({ id }) => id === range.outage) ?? null;
    const found = requireRecord(outage, `outage ${range.outage}`, 'See the list of outages.');
    return { from: Date.parse(found.from), to: Date.parse(found.to) };
  }
  const [from, to] = [parseTimestamp(range.from), parseTimestamp(range.to)];
  if (from !== null && to !== null && from < to) return { from, to };
  throw createNonRetryableError(
    'validation',
    from === null || to === null
      ? `${from === null ? range.from : range.to} is not a time with a time zone.`
      : 'The end of the time range is not after its start.',
    'Enter both times, for example 2026-10-01T00:00:00Z and 2026-10-03T00:00:00Z.',
  );
}
