import { z } from 'zod';
import { command, query } from '../shared/procedure-kinds.ts';

/** Settings of the whole app, such as theme, columns and saved views. The renderer defines the keys. */
export const settings = {
  all: query.input(z.object({})).output(z.record(z.string(), z.json())),
  /** Null deletes the setting. */
  set: command
    .input(z.object({ key: z.string().regex(/^[a-z][a-z0-9_.-]{0,80}$/), value: z.json() }))
    .output(z.record(z.string(), z.json())),
};
