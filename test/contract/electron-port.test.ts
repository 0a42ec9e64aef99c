import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessagePortMain } from 'electron';
import type { BackendThread } from '../../src/contract/index.ts';
import { createPortChannel, relayFrames, startHost } from '../../src/host/index.ts';
import { createPortLink } from '../../src/host/port-link.ts';
import { createPageChannel } from '../../src/main/connect-handler.ts';
import { createPagePort } from '../doubles/electron.ts';
import { defineContractSuite } from './contract-suite.ts';

defineContractSuite('over the ports of Electron’s main process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-'));
  const entries = {
    reader: new URL('./reader-thread.ts', import.meta.url),
    writer: new URL('./writer-thread.ts', import.meta.url),
  };
  const host = await startHost({ home: join(folder, 'home'), version: '1.2.3', entries });
  const open = (thread: BackendThread) => {
    const { main, page } = createPagePort();
    relayFrames(
      createPageChannel(main as unknown as MessagePortMain),
      createPortChannel(host.connect(thread)),
    );
    return { link: createPortLink(page).link, end: () => page.close() };
  };
  return {
    connect() {
      const [reader, writer] = [open('reader'), open('writer')];
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
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
