/**
 * Downloads Electron into its package. Runs as a child process, so that the download can be stopped. Sends its progress
 * at most four times per second, and `null` once the download is complete and unpacking starts.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Number of bytes received and expected. `total` is null if the server does not report it. */
export interface DownloadProgress {
  readonly transferred: number;
  readonly total: number | null;
}

interface ElectronGet {
  downloadArtifact(details: {
    version: string;
    artifactName: string;
    cacheRoot?: string;
    checksums: Record<string, string>;
    downloadOptions: { quiet: boolean; getProgressCallback(progress: DownloadProgress): Promise<void> };
  }): Promise<string>;
}

const REPORT_INTERVAL_MS = 250;
const [folder = '', cacheRoot] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const { downloadArtifact } = (await import(pathToFileURL(load.resolve('@electron/get')).href)) as ElectronGet;
const { version } = load('./package.json') as { version: string };

let reportedAt = 0;
await downloadArtifact({
  version,
  artifactName: 'electron',
  ...(cacheRoot ? { cacheRoot } : {}),
  checksums: load('./checksums.json') as Record<string, string>,
  downloadOptions: {
    quiet: true,
    async getProgressCallback({ transferred, total }) {
      if (Date.now() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = Date.now();
      process.send?.({ transferred, total } satisfies DownloadProgress);
    },
  },
});
process.send?.(null);
// The install script of the Electron package unpacks the archive from the cache.
load('./install.js');
process.disconnect?.();
