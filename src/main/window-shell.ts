import { EventPublisher, implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { MessagePortMain } from 'electron';
import {
  type MenuCommand,
  type MigrationProgress,
  type PrintResult,
  type WindowEvent,
  windowShellContract,
} from '../contract/index.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface WindowShellActions {
  print(pdf: Uint8Array): Promise<PrintResult>;
  /** Returns the path of the saved file; null if the user canceled. */
  save(file: { name: string; bytes: Uint8Array }): Promise<string | null>;
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
  /** Sends an event to the page. Until the page watches events, stores the latest event of each kind and all files. */
  send(event: WindowEvent): void;
}

/** Implements the window shell contract for the page of one window. */
export function createWindowShell(actions: WindowShellActions): WindowShell {
  const publisher = new EventPublisher<{ event: WindowEvent }>();
  let pending: readonly WindowEvent[] = [];
  const on = implement(windowShellContract);
  const handler = new RPCHandler(
    on.router({
      print: on.print.handler(async ({ input }) => ({
        result: await actions.print(await input.pdf.bytes()),
      })),
      save: on.save.handler(async ({ input: { name, file } }) => ({
        path: await actions.save({ name, bytes: await file.bytes() }),
      })),
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
      handler.upgrade(port);
      port.start();
    },
    send(event) {
      if (publisher.size > 0) publisher.publish('event', event);
      else pending = [...pending.filter(({ kind }) => kind !== event.kind || FILE_EVENTS.has(kind)), event];
    },
  };
}
