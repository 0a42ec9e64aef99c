import { randomUUID } from 'node:crypto';
import { EventPublisher, implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { MessagePortMain } from 'electron';
import {
  createNonRetryableError,
  type MenuCommand,
  type MigrationProgress,
  type PrintResult,
  type WindowEvent,
  windowShellContract,
} from '../contract/index.ts';
import type { FileBeingSaved } from './save-file.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface WindowShellActions {
  print(pdf: Uint8Array): Promise<PrintResult>;
  /** Asks the user for a location and starts a file there. Returns null if the user cancels. */
  startSaving(name: string): Promise<FileBeingSaved | null>;
  /** Returns the contents of a file that the user opened. */
  takeFile(id: string): Promise<Uint8Array>;
  setTheme(theme: Theme): void;
  setMenu(commands: readonly MenuCommand[]): void;
  /** Streams the progress of migrations until the backend has started. */
  watchStart(): AsyncGenerator<MigrationProgress>;
}

const FILE_EVENTS: ReadonlySet<WindowEvent['kind']> = new Set(['bankFile', 'pack', 'fileProblem']);

/** Server of the window shell contract for one window. */
export interface WindowShell {
  /** Serves the port of a page. A reloaded page sends a new port. */
  serve(port: MessagePortMain): void;
  /** Sends an event to the page. Until the page subscribes, keeps the latest event per kind, and all opened files. */
  send(event: WindowEvent): void;
}

/** Implements the window shell contract for one window's page. */
export function createWindowShell(actions: WindowShellActions): WindowShell {
  const publisher = new EventPublisher<{ event: WindowEvent }>();
  let pending: readonly WindowEvent[] = [];
  /** Files that the page is writing, by file id. */
  const files = new Map<string, FileBeingSaved>();
  const openFile = (id: string): FileBeingSaved => {
    const file = files.get(id);
    if (file === undefined) throw createNonRetryableError('not_found', 'This file is no longer being saved.');
    return file;
  };
  let current: MessagePortMain | null = null;
  const discardFiles = () => {
    for (const file of files.values()) void file.discard();
    files.clear();
  };
  const on = implement(windowShellContract);
  const handler = new RPCHandler(
    on.router({
      print: on.print.handler(async ({ input }) => ({
        result: await actions.print(await input.pdf.bytes()),
      })),
      startSaving: on.startSaving.handler(async ({ input }) => {
        const file = await actions.startSaving(input.name);
        if (file === null) return { id: null };
        const id = randomUUID();
        files.set(id, file);
        return { id };
      }),
      appendToFile: on.appendToFile.handler(async ({ input }) => {
        await openFile(input.id).append(await input.piece.bytes());
        return {};
      }),
      finishSaving: on.finishSaving.handler(async ({ input }) => {
        const file = openFile(input.id);
        files.delete(input.id);
        return { path: await file.finish() };
      }),
      discardFile: on.discardFile.handler(async ({ input }) => {
        await files.get(input.id)?.discard();
        files.delete(input.id);
        return {};
      }),
      takeFile: on.takeFile.handler(async ({ input }) => ({
        file: new Blob([Uint8Array.from(await actions.takeFile(input.id))]),
      })),
      setTheme: on.setTheme.handler(({ input }) => {
        actions.setTheme(input.theme);
        return {};
      }),
      setMenu: on.setMenu.handler(({ input }) => {
        actions.setMenu(input.commands);
        return {};
      }),
      watchStart: on.watchStart.handler(() => actions.watchStart()),
      watch: on.watch.handler(async function* ({ signal }) {
        const events = publisher.subscribe('event', signal ? { signal } : {});
        const missed = pending;
        pending = [];
        yield* missed;
        yield* events;
      }),
    }),
  );
  return {
    serve(port) {
      // The previous page can no longer complete its files.
      discardFiles();
      current = port;
      port.on('close', () => {
        if (port === current) discardFiles();
      });
      handler.upgrade(port);
      port.start();
    },
    send(event) {
      if (publisher.size > 0) publisher.publish('event', event);
      else pending = [...pending.filter(({ kind }) => kind !== event.kind || FILE_EVENTS.has(kind)), event];
    },
  };
}
