import { z } from 'zod';
import { blob, siteName } from '../shared/common-schemas.ts';
import { command } from '../shared/procedure-kinds.ts';

/**
 * Interface between the backend's threads and their shell, for operations that only the shell may perform. It is
 * available to the threads only, through a separate port. The renderer cannot reach it.
 */
export const shellContract = {
  keychain: {
    /** Returns the site's API key, requested when a request is about to be sent. Null if none is stored. */
    get: command.input(z.object({ site: siteName })).output(z.object({ api_key: z.string().nullable() })),
    set: command.input(z.object({ site: siteName, api_key: z.string() })).output(z.object({})),
    forget: command.input(z.object({ site: siteName })).output(z.object({})),
    /** Returns the last four characters of the key. */
    hint: command.input(z.object({ site: siteName })).output(z.object({ key_hint: z.string().nullable() })),
    /** Reports whether the keychain responds, and which one it is. */
    check: command
      .input(z.object({}))
      .output(z.object({ ok: z.boolean(), message: z.string(), advice: z.string().nullable() })),
  },
  blobs: {
    /** Offers a file under the home directory for a single download. */
    offer: command.input(z.object({ path: z.string(), name: z.string(), type: z.string() })).output(blob),
  },
};
