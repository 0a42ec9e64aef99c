import { z } from 'zod';
import { query } from '../shared/procedure-kinds.ts';

export const check = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** The result, as one sentence. */
  message: z.string(),
  /** What to do about a failed check. Null if the check passed. */
  advice: z.string().nullable(),
});
export type Check = z.infer<typeof check>;

export const app = {
  about: query.input(z.object({})).output(
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
  doctor: query.input(z.object({ quick: z.boolean().default(true) })).output(z.array(check)),
};
