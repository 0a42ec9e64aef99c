import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { siteName } from '../shared/common-schemas.ts';
import { stream } from '../shared/procedure-kinds.ts';

/** Which topics changed in the local databases, so that screens query them again. Contains no data. */
export const change = z.object({
  site: siteName.nullable(),
  topics: z.array(
    z.enum([
      'sites',
      'webhooks',
      'statements',
      'allocations',
      'archive',
      'replay',
      'exceptions',
      'bank',
      'match',
      'periods',
      'audit',
      'backups',
      'sync',
      // More records became searchable.
      'search',
      'jobs',
      'settings',
    ]),
  ),
});
export type Change = z.infer<typeof change>;

export const changes = {
  /** Streams changes from now on, merged to at most ten events per second. */
  watch: stream.input(z.object({})).output(eventIterator(change)),
};
