import { nonRetryableError } from '../../contract/index.ts';

/** Returns the record. Throws `not_found` if it is null. */
export function requireFound<Record>(record: Record | null, noun: string, hint: string): Record {
  if (record !== null) return record;
  throw nonRetryableError('not_found', `There is no ${noun}.`, hint);
}
