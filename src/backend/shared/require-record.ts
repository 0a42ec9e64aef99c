import { createNonRetryableError } from '../../contract/index.ts';

/** Returns the record. Throws `not_found` if it is null. */
export function requireRecord<Record>(record: Record | null, noun: string, hint: string): Record {
  if (record !== null) return record;
  throw createNonRetryableError('not_found', `There is no ${noun}.`, hint);
}
