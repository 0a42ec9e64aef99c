import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { MessagePortMain } from 'electron';
import { onTestFinished } from 'vitest';
import type { WindowEvent, WindowShellClient } from '../../src/contract/index.ts';
import { findWindowShell } from '../../src/main/app-windows.ts';
import { type BrowserWindow, createPagePort } from '../doubles/electron.ts';

/** Connects a page to its window over a real port. */
export function connectWindowShell(window: BrowserWindow): WindowShellClient {
  const port = createPagePort();
  onTestFinished(() => port.page.close());
  findWindowShell(window.webContents.id)?.serve(port.main as unknown as MessagePortMain);
  return createORPCClient(new RPCLink({ port: port.page }));
}

/** Connects a page to its window. Returns the events that it receives, which grow. */
export function watchWindowEvents(window: BrowserWindow, shell = connectWindowShell(window)): WindowEvent[] {
  const events: WindowEvent[] = [];
  const watch = async () => {
    for await (const event of await shell.watch({})) events.push(event);
  };
  watch().catch(() => undefined);
  return events;
}
