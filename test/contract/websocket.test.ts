import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { type BackendThread, createClosableLink } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';
import { serveWeb } from '../../src/web/index.ts';
import { defineContractSuite } from './contract-suite.ts';

defineContractSuite('over a WebSocket to the browser host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-'));
  const rendererDir = join(folder, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html>');
  const entries = {
    reader: new URL('./reader-thread.ts', import.meta.url),
    writer: new URL('./writer-thread.ts', import.meta.url),
  };
  const host = await startHost({ home: join(folder, 'home'), version: '1.2.3', entries });
  const servers: Awaited<ReturnType<typeof serveWeb>>[] = [];

  async function open(address: string, thread: BackendThread) {
    const { origin, hash } = new URL(address);
    const token = hash.slice('#t='.length);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc/${thread}`, ['tieout', token], {
      origin,
    });
    const ending = new AbortController();
    socket.on('close', () => ending.abort());
    await once(socket, 'open');
    const link = new RPCLink({ websocket: socket as unknown as globalThis.WebSocket });
    return { link: createClosableLink(link, ending.signal), end: () => socket.close() };
  }

  return {
    // A web server serves one page at a time, so each connection has its own server for the same host.
    async connect() {
      const web = await serveWeb(host, { rendererDir });
      servers.push(web);
      const [reader, writer] = [await open(web.url, 'reader'), await open(web.url, 'writer')];
      return {
        links: { reader: reader.link, writer: writer.link },
        end() {
          reader.end();
          writer.end();
        },
      };
    },
    readLog: () => readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8'),
    async close() {
      for (const web of servers) await web.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
