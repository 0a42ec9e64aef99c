import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type BackendClient, createBackendClient } from '../../src/contract/index.ts';
import { type AppHost, type StartHostOptions, startHost } from '../../src/host/index.ts';
import { createPortLink } from '../../src/host/port-link.ts';

/** Creates a folder that is deleted at the end of the test. */
export function createTemporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Creates a home for all tests of a file. Call `remove` after the last test. */
export function createTemporaryHome() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-')));
  return {
    home: join(folder, 'home'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const threadUrl = (name: string) => new URL(`./threads/${name}.ts`, import.meta.url);

/** Starts a host with small test threads. It is closed at the end of the test. */
export async function startTestHost(options: Partial<StartHostOptions> = {}): Promise<AppHost> {
  const home = options.home ?? join(createTemporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  const entries = { reader: threadUrl('reader'), writer: threadUrl('writer') };
  const host = await startHost({ version: '1.2.3', entries, ...options, home });
  onTestFinished(() => host.close());
  return host;
}

/** Connects a page to a host. Returns its ports and a client. */
export function connectTestPage(host: AppHost) {
  const ports = { reader: host.connect('reader'), writer: host.connect('writer') };
  const [reader, writer] = [createPortLink(ports.reader), createPortLink(ports.writer)];
  const client: BackendClient = createBackendClient({ reader: reader.link, writer: writer.link });
  return { ports, reader, writer, client };
}
