import { z } from 'zod';
import { siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * Number of stored records that are not in the search index yet. Indexing runs after a sync so that it does not delay it.
 * `pdfs` counts PDFs whose text has not been extracted.
 */
export const unsearched = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type Unsearched = z.infer<typeof unsearched>;

export const search = {
  unsearched: query.input(z.object({ site: siteName })).output(unsearched),
  /**
   * Indexes waiting records with priority for about one second. Returns how many are left. Until none are left, a search
   * can miss records.
   */
  catchUp: command
    .input(z.object({ site: siteName, of: z.enum(['webhooks', 'statements']) }))
    .output(unsearched),
};
