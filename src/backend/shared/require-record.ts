import { createNonRetryableError } from '../../contract/index.ts';

export function requireRecord<Record>(record: Record | null, noun: string, hint: string): Record {
  if (record !== null) return record;
  throw createNonRetryableError('not_found', `There is no ${noun}.`, hint);
}
