import { z } from 'zod';
import { siteCommand, siteQuery } from '../shared/procedure-kinds.ts';

/** Numbers of stored records that the search index lacks. Indexing runs after a sync, which it must not delay. */
const unsearchedSchema = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type Unsearched = z.infer<typeof unsearchedSchema>;

export const searchProcedures = {
  unsearched: siteQuery().output(unsearchedSchema),
  /** Indexes waiting records for about one second and returns how many remain. A search can miss those. */
  catchUp: siteCommand({ of: z.enum(['webhooks', 'statements']) }).output(unsearchedSchema),
};
