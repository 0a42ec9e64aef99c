import { z } from 'zod';
import { queryProcedure } from '../shared/procedure-kinds.ts';

const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** Result of the check, as one sentence. */
  message: z.string(),
  /** Advice on a failed check; null if the check passed. */
  advice: z.string().nullable(),
});
export type SystemCheck = z.infer<typeof checkSchema>;

export const appProcedures = {
  about: queryProcedure.input(z.object({})).output(
    z.object({
      version: z.string(),
      home: z.string(),
      node: z.string(),
      sqlite: z.string(),
      /** Operating system user, recorded as the author of every decision. `unknown` if the system does not report it. */
      user: z.string(),
    }),
  ),
  /** Checks the keychain, database integrity, disk space and versions, with advice on each problem. */
  doctor: queryProcedure.input(z.object({ quick: z.boolean().default(true) })).output(z.array(checkSchema)),
};
