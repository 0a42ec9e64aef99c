import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { streamProcedure } from '../shared/procedure-kinds.ts';

/** Topics that changed in the local databases, so that screens query them again. Contains no data. */
const changeSchema = z.object({
  site: field.siteName.nullable(),
  topics: z.array(
    z.enum([
      'sites',
      'webhooks',
      'statements',
      'allocations',
      'archive',
      'replay',
      'incidents',
      'alerts',
      'exceptions',
      'comments',
      'bank',
      'match',
      'periods',
      'audit',
      'backups',
      'sync',
      // Emitted when more records have become searchable.
      'search',
      'jobs',
      'settings',
    ]),
  ),
});
export type ChangeEvent = z.infer<typeof changeSchema>;

export const changeEventProcedures = {
  /** Streams future changes, merged to at most ten events per second. */
  watch: streamProcedure.input(z.object({})).output(eventIterator(changeSchema)),
};
