import { z } from 'zod';
import { siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * What is held and not found by its words yet: they are read behind the writes, so that no sync waits for them. Webhooks and
 * statements in rows; of `pdfs`, what they say is not known yet.
 */
export const unsearched = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type Unsearched = z.infer<typeof unsearched>;

export const search = {
  unsearched: query.input(z.object({ site: siteName })).output(unsearched),
  /**
   * Reads words of what is waiting now, ahead of all else, for about a second; gives what is left. A search before the last of
   * it finds less than there is.
   */
  catchUp: command
    .input(z.object({ site: siteName, of: z.enum(['webhooks', 'statements']) }))
    .output(unsearched),
};
