import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { commandProcedure, queryProcedure } from '../shared/procedure-kinds.ts';

export const personNameSchema = z.string().trim().min(1).max(100);

/** Public key (hex) as a person enters it: all or the first digits of it, with spaces between groups. */
export const signingKeySchema = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{24,64}$/, 'must be at least the first 24 hexadecimal digits of the key'));

/** A person who signs periods on this computer. The private key is in the keychain of the operating system. */
export const personSchema = z.object({
  name: z.string(),
  /** Public Ed25519 key: 32 bytes in hex. It identifies the person in signatures. */
  key: z.string(),
  /** Operating system user who added the person. */
  user: z.string(),
  created_at: field.moment,
  /** True for the person who signs if no name is given. */
  is_default: z.boolean(),
});
export type Person = z.infer<typeof personSchema>;

export const peopleProcedures = {
  /** Lists the people who sign on this computer, by name. */
  list: queryProcedure.input(z.object({})).output(z.array(personSchema)),
  /**
   * Adds a person and creates the signing key. The first person is the default. `replace_key` creates another key for an
   * existing person, for example after the keychain was lost. Throws `conflict` if the person exists, and
   * `keychain_unavailable`.
   */
  add: commandProcedure
    .input(z.object({ name: personNameSchema, replace_key: z.boolean().default(false) }))
    .output(personSchema),
  /** Sets the person who signs if no name is given. Throws `not_found`. */
  setDefault: commandProcedure.input(z.object({ name: personNameSchema })).output(personSchema),
};
