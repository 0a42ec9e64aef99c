import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Host, type StartOptions, startHost } from '../../src/host/index.ts';

/** A folder of the test's own, gone when it ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const thread = (name: string) => new URL(`./threads/${name}.ts`, import.meta.url);

/** A host over the small test threads, with a home of its own. It is closed when the test ends. */
export async function temporaryHost(options: Partial<StartOptions> = {}): Promise<Host> {
  const home = options.home ?? join(temporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  const entries = { reader: thread('reader'), writer: thread('writer') };
  const host = await startHost({ version: '1.2.3', entries, ...options, home });
  onTestFinished(() => host.close());
  return host;
}
