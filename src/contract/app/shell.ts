import { z } from 'zod';
import { field, oneTimeFileHandleSchema } from '../shared/common-schemas.ts';
import { commandProcedure } from '../shared/procedure-kinds.ts';

/** Interface between the backend's threads and their shell, through a port that the renderer cannot reach. */
export const shellContract = {
  keychain: {
    /** Returns the API key of a site; null if no key is stored. Called just before a request is sent. */
    get: commandProcedure
      .input(z.object({ site: field.siteName }))
      .output(z.object({ api_key: z.string().nullable() })),
    /** Stores an API key. If no keychain can store the key and the user allows it, the key is kept until the app closes. */
    set: commandProcedure
      .input(
        z.object({
          site: field.siteName,
          api_key: z.string(),
          allow_session_key: z.boolean().default(false),
        }),
      )
      .output(z.object({})),
    forget: commandProcedure.input(z.object({ site: field.siteName })).output(z.object({})),
    /** Returns the last four characters of the API key, and whether the key is kept only until the app closes. */
    hint: commandProcedure
      .input(z.object({ site: field.siteName }))
      .output(z.object({ key_hint: z.string().nullable(), is_session_key: z.boolean() })),
    /** Returns the private key (PKCS #8, base64) of a public key (hex); null if it is not stored. */
    getSigningKey: commandProcedure
      .input(z.object({ key: z.string() }))
      .output(z.object({ private_key: z.string().nullable() })),
    setSigningKey: commandProcedure
      .input(z.object({ key: z.string(), private_key: z.string() }))
      .output(z.object({})),
    /** Reports which keychain is used and whether it responds. */
    check: commandProcedure
      .input(z.object({}))
      .output(z.object({ ok: z.boolean(), message: z.string(), advice: z.string().nullable() })),
  },
  /** Shared keys, with which the service signs a site's webhooks. They are in the keychain, like the API keys. */
  sharedKeys: {
    get: commandProcedure
      .input(z.object({ site: field.siteName }))
      .output(z.object({ shared_key: z.string().nullable() })),
    set: commandProcedure
      .input(z.object({ site: field.siteName, shared_key: z.string() }))
      .output(z.object({})),
    forget: commandProcedure.input(z.object({ site: field.siteName })).output(z.object({})),
  },
  blobs: {
    /** Offers a file under the home directory for a single download. */
    offer: commandProcedure
      .input(z.object({ path: z.string(), name: z.string(), type: z.string() }))
      .output(oneTimeFileHandleSchema),
  },
};
