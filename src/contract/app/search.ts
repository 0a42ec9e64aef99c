import { z } from 'zod';
import { siteNameSchema } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * Number of stored records that are not in the search index yet. Indexing runs after a sync so that it does not delay it.
 * `pdfs` counts PDFs whose text has not been extracted.
 */
export const unsearchedSchema = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type Unsearched = z.infer<typeof unsearchedSchema>;

export const searchProcedures = {
  unsearched: query.input(z.object({ site: siteNameSchema })).output(unsearchedSchema),
  /**
   * Indexes waiting records with priority for about one second and returns how many remain. Until none remain, a search
   * can miss records.
   */
  catchUp: command
    .input(z.object({ site: siteNameSchema, of: z.enum(['webhooks', 'statements']) }))
    .output(unsearchedSchema),
};
