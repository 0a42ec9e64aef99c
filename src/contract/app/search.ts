import { z } from 'zod';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** Numbers of stored records that the search index lacks. Indexing runs after a sync, which it must not delay. */
const unsearchedSchema = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type UnindexedRecordCounts = z.infer<typeof unsearchedSchema>;

export const searchProcedures = {
  unsearched: defineSiteQuery().output(unsearchedSchema),
  /** Indexes waiting records for about one second and returns how many remain. A search can miss those. */
  catchUp: defineSiteCommand({ of: z.enum(['webhooks', 'statements']) }).output(unsearchedSchema),
};
