import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/contract/index.ts';
import { type Host, type StartHostOptions, startHost } from '../../src/host/index.ts';
import { createPortLink } from '../../src/host/port-link.ts';

/** A folder of the test's own, gone when it ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A home for all tests of a file; `remove` it afterwards. */
export function temporaryPlace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-')));
  return {
    home: join(folder, 'home'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const thread = (name: string) => new URL(`./threads/${name}.ts`, import.meta.url);

/** A host over the small test threads, with a home of its own. It is closed when the test ends. */
export async function temporaryHost(options: Partial<StartHostOptions> = {}): Promise<Host> {
  const home = options.home ?? join(temporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  const entries = { reader: thread('reader'), writer: thread('writer') };
  const host = await startHost({ version: '1.2.3', entries, ...options, home });
  onTestFinished(() => host.close());
  return host;
}

/** What a page has of a host: ports of its own, and a client over them. */
export function pageOf(host: Host) {
  const ports = { reader: host.connect('reader'), writer: host.connect('writer') };
  const [reader, writer] = [createPortLink(ports.reader), createPortLink(ports.writer)];
  const client: Client = createClient({ reader: reader.link, writer: writer.link });
  return { ports, reader, writer, client };
}
