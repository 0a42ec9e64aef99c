import { type ContractRouterClient, eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { commandProcedure, streamProcedure } from '../shared/procedure-kinds.ts';

/** Command of the page, as shown in the system menu. */
const menuCommandSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Title of the menu section. */
  section: z.string(),
  /** Shortcut, for example `Mod+K`; null if there is none, or if it is a sequence of keys. */
  keys: z.string().nullable(),
  enabled: z.boolean(),
});
export type MenuCommand = z.infer<typeof menuCommandSchema>;

const windowEventSchema = z.discriminatedUnion('kind', [
  /** The user chose a command in the system menu. */
  z.object({ kind: z.literal('command'), id: z.string() }),
  /** The user opened a `tieout://` link. `path` is the part after the host, for example `/demo/statements/12`. */
  z.object({ kind: z.literal('link'), path: z.string() }),
  /** The user opened a bank file. `takeFile` returns its contents. */
  z.object({ kind: z.literal('bankFile'), id: z.string(), name: z.string() }),
  /** The user opened an evidence pack or an archive export. `path` is absolute. */
  z.object({ kind: z.literal('pack'), path: z.string() }),
  /** A file that the user opened cannot be read. `message` names the file and the reason. */
  z.object({ kind: z.literal('fileProblem'), message: z.string() }),
  /** A newer version of the app was released. `url` is the page with the releases. */
  z.object({ kind: z.literal('update'), version: z.string(), url: z.string() }),
  /** The computer woke up. */
  z.object({ kind: z.literal('resume') }),
]);
export type WindowEvent = z.infer<typeof windowEventSchema>;

/** `opened`: printing failed, and the system's default program shows the file. `failed`: no program could open it. */
const printResultSchema = z.enum(['printed', 'canceled', 'opened', 'failed']);
export type PrintResult = z.infer<typeof printResultSchema>;

/** Number of finished migrations and of all migrations of the databases after an update. */
const migrationProgressSchema = z.object({ done: z.number(), total: z.number() });
export type MigrationProgress = z.infer<typeof migrationProgressSchema>;

/** Interface of the window shell in Electron: operations that a page cannot perform by itself. */
export const windowShellContract = {
  /** Prints a PDF after asking for the printer. */
  print: commandProcedure
    .input(z.object({ name: z.string(), pdf: z.instanceof(Blob) }))
    .output(z.object({ result: printResultSchema })),
  /** Asks the user for a location and starts a file there. `id` is null if the user canceled. Throws `storage`. */
  startSaving: commandProcedure
    .input(z.object({ name: z.string() }))
    .output(z.object({ id: z.string().nullable() })),
  /** Appends to a started file. Throws `storage`, `disk_full`, and `not_found` if the file is no longer open. */
  appendToFile: commandProcedure
    .input(z.object({ id: z.string(), piece: z.instanceof(Blob) }))
    .output(z.object({})),
  /** Completes a started file. Before that, it is not visible under its name. Throws the same errors as `appendToFile`. */
  finishSaving: commandProcedure.input(z.object({ id: z.string() })).output(z.object({ path: z.string() })),
  /** Deletes a started file. */
  discardFile: commandProcedure.input(z.object({ id: z.string() })).output(z.object({})),
  /** Returns the contents of a file that the user opened, once. Throws `not_found` and `storage`. */
  takeFile: commandProcedure
    .input(z.object({ id: z.string() }))
    .output(z.object({ file: z.instanceof(Blob) })),
  /** Sets the theme of system dialogs and menus. */
  setTheme: commandProcedure
    .input(z.object({ theme: z.enum(['system', 'light', 'dark']) }))
    .output(z.object({})),
  setMenu: commandProcedure.input(z.object({ commands: z.array(menuCommandSchema) })).output(z.object({})),
  /** Streams the progress of migrations until the backend has started. Empty if there are none. */
  watchStart: streamProcedure.input(z.object({})).output(eventIterator(migrationProgressSchema)),
  /** Streams future events of the window. */
  watch: streamProcedure.input(z.object({})).output(eventIterator(windowEventSchema)),
};

/** Client with which a page calls its window shell. */
export type WindowShellClient = ContractRouterClient<typeof windowShellContract>;
