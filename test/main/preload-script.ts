import type { BrowserContext } from 'playwright-core';

/** A message of a port in a form that Playwright can transfer. */
export type PortMessage = string | number[];

/** Functions that connect the page's window port to the test, if the test serves it. */
declare global {
  interface Window {
    connectToMain?(): void;
    sendToMain?(message: PortMessage): void;
    receiveFromMain?(message: PortMessage): void;
  }
}

/**
 * Returns a setup of a browser context that simulates Electron in the page: it exposes the preload's API and serves the ports it sends.
 * `drop` closes the writer's port.
 */
export function createPreloadScript(preload: string, token: string) {
  return async (context: BrowserContext) => {
    await context.addInitScript((secret) => {
      const relay = (port: MessagePort, thread: string) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/rpc/${thread}`, [
          'tieout',
          secret,
        ]);
        const waiting: string[] = [];
        port.onmessage = ({ data }) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(data);
          else waiting.push(data);
        };
        socket.onopen = () => {
          for (const data of waiting) socket.send(data);
        };
        socket.onmessage = ({ data }) => port.postMessage(data);
        socket.onclose = () => port.close();
        return () => socket.close();
      };
      const electron = {
        contextBridge: {
          exposeInMainWorld: (name: string, api: object) => Object.assign(window, { [name]: api }),
        },
        ipcRenderer: {
          postMessage(
            _channel: string,
            _message: null,
            [reader, writer, shell]: [MessagePort, MessagePort, MessagePort],
          ) {
            relay(reader, 'reader');
            Object.assign(window, { drop: relay(writer, 'writer') });
            // Calls arrive in order, so the new port exists before the first message.
            window.connectToMain?.();
            shell.onmessage = ({ data }) =>
              window.sendToMain?.(typeof data === 'string' ? data : [...new Uint8Array(data)]);
            window.receiveFromMain = (message) =>
              shell.postMessage(typeof message === 'string' ? message : Uint8Array.from(message).buffer);
          },
        },
      };
      Object.assign(window, { electron });
    }, token);
    // In Electron, one-time files need no token.
    await context.route('**/blob/*', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
    );
    await context.addInitScript({ content: `(function (require) { ${preload} })(() => electron)` });
  };
}
