import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** The parts of the build, each with its own folder and license notices. */
export const buildParts = ['main', 'preload', 'renderer'] as const;

/** Configuration that builds as `npm run build` does and writes the modules of each part to `modules-<part>.json`. */
const RECORDING_CONFIG = `
import { writeFileSync } from 'node:fs';
import config from './electron.vite.config.ts';

for (const part of ${JSON.stringify(buildParts)}) {
  const recordModules = {
    name: 'record-modules',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? []);
      writeFileSync('modules-' + part + '.json', JSON.stringify(modules));
    },
  };
  config[part].plugins = [...(config[part].plugins ?? []), recordModules];
}
export default config;
`;

/** Copies the source into an empty folder and builds it there, in another time zone. */
export async function buildCopy(folder: string): Promise<void> {
  for (const path of [
    'src',
    'resources',
    'electron.vite.config.ts',
    'package.json',
    'tsconfig.base.json',
    'LICENSE',
    // The help dialog shows it.
    'CHANGELOG.md',
  ])
    cpSync(join(appRoot, path), join(folder, path), { recursive: true });
  symlinkSync(join(appRoot, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'recording.config.ts'), RECORDING_CONFIG);
  const builder = join(appRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const args = [builder, 'build', '--config', 'recording.config.ts', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, TZ: 'Asia/Tokyo' },
  });
}

/** Returns the SHA-256 digest of each file below a folder, by relative path. */
export function digestFiles(folder: string): Record<string, string> {
  const files = globSync('**', { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile());
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
  return Object.fromEntries(files.sort().map((file) => [file, digest(file)]));
}
