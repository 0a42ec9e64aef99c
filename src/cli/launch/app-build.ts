import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appRoot, isRunFromSource } from '../runtime/app-paths.ts';

/** Returns the folder of the built window. In a checkout, first builds the app if its source is newer. */
export async function buildAppWindow(print: (line: string) => void): Promise<string> {
  const folder = join(appRoot, 'out', 'renderer');
  if (isRunFromSource && isStale(join(folder, 'index.html'))) await runBuild(print);
  return folder;
}

function isStale(builtFile: string): boolean {
  if (!existsSync(builtFile)) return true;
  const builtAt = statSync(builtFile).mtimeMs;
  return ['src', 'electron.vite.config.ts', 'package.json'].some(
    (path) => latestChange(join(appRoot, path)) > builtAt,
  );
}

/** Returns the latest modification time below a path, in UTC milliseconds. */
function latestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => latestChange(join(path, name))));
}

async function runBuild(print: (line: string) => void): Promise<void> {
  const startedAt = Date.now();
  print('Building the app…');
  const builder = join(appRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [builder, 'build', '--logLevel', 'error'], {
    cwd: appRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The app could not be built.\n${output.trim()}`);
  print(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}
