import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AppHost, createPageHeaders } from '../host/index.ts';

/** HTTP status and reason of a refused request. */
export interface RequestRejection {
  readonly status: number;
  readonly reason: string;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  host: 'This address is not Tieout’s own.',
  site: 'Another page linked here. Copy the address into the address bar instead.',
  origin: 'Other pages may not send requests.',
  method: 'Only GET requests are allowed.',
};

/** Rejects a request with an explanation and closes the connection. */
export function rejectRequest(
  host: AppHost,
  response: ServerResponse,
  { status, reason }: RequestRejection,
): void {
  logRefusal(host, reason);
  const headers = {
    ...createPageHeaders(),
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
  };
  response.writeHead(status, headers).end(EXPLANATIONS[reason]);
}

/** Rejects a WebSocket upgrade and closes the connection. */
export function rejectUpgrade(host: AppHost, socket: Duplex, { status, reason }: RequestRejection): void {
  logRefusal(host, reason);
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Logs only the reason, because the request may contain the token. */
function logRefusal(host: AppHost, reason: string): void {
  host.log({ level: 'warn', msg: 'The browser host refused a request.', reason });
}
