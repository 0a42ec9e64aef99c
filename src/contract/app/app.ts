import { z } from 'zod';
import { query } from '../shared/procedure-kinds.ts';

export const check = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** What was found, in a sentence. */
  message: z.string(),
  /** What to do, where not ok. */
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
      /** The user of this computer as the system names him, under whose name everything is done; `unknown` where it does not. */
      user: z.string(),
    }),
  ),
  /** Keychain, database integrity, disk, versions: what works, and what to do about what does not. */
  doctor: query.input(z.object({ quick: z.boolean().default(true) })).output(z.array(check)),
};
