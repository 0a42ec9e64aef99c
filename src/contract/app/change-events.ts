import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { siteName } from '../shared/common-schemas.ts';
import { stream } from '../shared/procedure-kinds.ts';

/** What changed in the local stores, so that a screen asks again. No data crosses here. */
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
      // More is found by its words than before.
      'search',
      'jobs',
      'settings',
    ]),
  ),
});
export type Change = z.infer<typeof change>;

export const changes = {
  /** Changes from now on, at most ten a second, gathered. */
  watch: stream.input(z.object({})).output(eventIterator(change)),
};
