/**
 * Run as a process of its own, so that it can be ended: fetches Electron's program into its package. It reports the bytes it has and
 * will have, at most four times a second, and `null` when all are there and it unpacks them.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Downloaded {
  readonly transferred: number;
  readonly total: number | null;
}

interface Getter {
  downloadArtifact(details: {
    version: string;
    artifactName: string;
    cacheRoot?: string;
    checksums: Record<string, string>;
    downloadOptions: { quiet: boolean; getProgressCallback(progress: Downloaded): Promise<void> };
  }): Promise<string>;
}

const [folder = '', cacheRoot] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const { downloadArtifact } = (await import(pathToFileURL(load.resolve('@electron/get')).href)) as Getter;
const { version } = load('./package.json') as { version: string };

let told = 0;
await downloadArtifact({
  version,
  artifactName: 'electron',
  ...(cacheRoot ? { cacheRoot } : {}),
  checksums: load('./checksums.json') as Record<string, string>,
  downloadOptions: {
    quiet: true,
    async getProgressCallback({ transferred, total }) {
      if (Date.now() - told < 250) return;
      told = Date.now();
      process.send?.({ transferred, total } satisfies Downloaded);
    },
  },
});
process.send?.(null);
// It lies in the cache now; the package's own script unpacks it from there.
load('./install.js');
process.disconnect?.();
