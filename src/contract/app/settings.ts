import { z } from 'zod';
import { command, query } from '../shared/procedure-kinds.ts';

/** What the user chose for the app as a whole: theme, columns, saved views. Keys are the renderer's own. */
export const settings = {
  all: query.input(z.object({})).output(z.record(z.string(), z.json())),
  /** Null forgets the key. */
  set: command
    .input(z.object({ key: z.string().regex(/^[a-z][a-z0-9_.-]{0,80}$/), value: z.json() }))
    .output(z.record(z.string(), z.json())),
};
