import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createPageHeaders, type Host } from '../host/index.ts';

/** HTTP status and reason of a refused request. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  host: 'This address is not Tieout’s own.',
  site: 'Another page linked here. Copy the address into the address bar instead.',
  origin: 'Other pages may not send requests.',
  method: 'Only GET requests are allowed.',
};

/** Refuses a request with an explanation and closes the connection. */
export function refuseRequest(host: Host, response: ServerResponse, { status, reason }: Refusal): void {
  logRefusal(host, reason);
  const headers = {
    ...createPageHeaders(),
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
  };
  response.writeHead(status, headers).end(EXPLANATIONS[reason]);
}

/** Refuses a WebSocket upgrade and closes the connection. */
export function refuseUpgrade(host: Host, socket: Duplex, { status, reason }: Refusal): void {
  logRefusal(host, reason);
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Logs only the reason, because the request may contain the token. */
function logRefusal(host: Host, reason: string): void {
  host.log({ level: 'warn', msg: 'The browser host refused a request.', reason });
}
