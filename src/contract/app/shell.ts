import { z } from 'zod';
import { blob, siteName } from '../shared/common-schemas.ts';
import { command } from '../shared/procedure-kinds.ts';

/**
 * The border between the backend's threads and the shell that owns them: what only the shell may touch.
 * It is offered to the threads alone, over a port of their own; the renderer cannot reach it.
 */
export const shellContract = {
  keychain: {
    /** The site's key, asked for when a request is about to be made. Null where none is kept. */
    get: command.input(z.object({ site: siteName })).output(z.object({ api_key: z.string().nullable() })),
    set: command.input(z.object({ site: siteName, api_key: z.string() })).output(z.object({})),
    forget: command.input(z.object({ site: siteName })).output(z.object({})),
    /** Last four characters only. */
    hint: command.input(z.object({ site: siteName })).output(z.object({ key_hint: z.string().nullable() })),
    /** Whether the keychain answers, and which one it is. */
    check: command
      .input(z.object({}))
      .output(z.object({ ok: z.boolean(), message: z.string(), advice: z.string().nullable() })),
  },
  blobs: {
    /** Offers a file under the home directory for one reading. */
    offer: command.input(z.object({ path: z.string(), name: z.string(), type: z.string() })).output(blob),
  },
};
