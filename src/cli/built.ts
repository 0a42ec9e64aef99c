import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this runs: from a checkout's source, or from what was built of it. */
const fromSource = import.meta.url.endsWith('.ts');

/** The checkout, or the installed package. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folder of the built window. In a checkout it is built first where that was never done or the source is newer.
 * @throws where the build fails; what it printed is in the message.
 */
export async function builtWindow(say: (line: string) => void): Promise<string> {
  const folder = join(root, 'out', 'renderer');
  if (fromSource && isStale(join(folder, 'index.html'))) await build(say);
  return folder;
}

function isStale(made: string): boolean {
  if (!existsSync(made)) return true;
  const of = statSync(made).mtimeMs;
  return ['src', 'electron.vite.config.ts', 'package.json'].some((part) => newest(join(root, part)) > of);
}

/** When the youngest file at or under a path was last changed. */
function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

async function build(say: (line: string) => void): Promise<void> {
  const begun = Date.now();
  say('Building the app…');
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [builder, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The app could not be built.\n${printed.trim()}`);
  say(`Built in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}
