import { z } from 'zod';
import { commandProcedure, queryProcedure } from '../shared/procedure-kinds.ts';

/** Settings of the whole app, such as theme, columns and saved views. The renderer defines the keys. */
export const settingsProcedures = {
  all: queryProcedure.input(z.object({})).output(z.record(z.string(), z.json())),
  /** Saves a setting, or deletes the setting if the value is null. */
  set: commandProcedure
    .input(z.object({ key: z.string().regex(/^[a-z][a-z0-9_.-]{0,80}$/), value: z.json() }))
    .output(z.record(z.string(), z.json())),
};
