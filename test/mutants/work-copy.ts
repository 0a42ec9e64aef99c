import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** Source files that are changed for one test run. Texts by path relative to the checkout. */
export type ChangedFiles = Readonly<Record<string, string>>;

/** Result of the tests on changed source: `survived` means that no test noticed the change. */
export type MutantResult = 'killed' | 'survived' | 'no tests';

/** Copied parts of the checkout. Everything that a test reads, except installed packages. */
const COPIED = [
  ...[
    'src',
    'test',
    'resources',
    'docs',
    'out',
    '.github',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
  ],
  ...['package.json', 'package-lock.json', 'tsconfig.base.json', 'electron.vite.config.ts', '.nvmrc'],
];

/** Exit code of Vitest if no test file was found. */
const NO_TESTS = 'No test files found';

/** A copy of the checkout in which source files can be changed without disturbing anyone who works in the checkout. */
export function createWorkCopy() {
  const root = mkdtempSync(join(tmpdir(), 'tieout-mutants-'));
  for (const path of COPIED.filter((each) => existsSync(join(appRoot, each))))
    cpSync(join(appRoot, path), join(root, path), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(appRoot, 'node_modules'), join(root, 'node_modules'));
  let running: ChildProcess | null = null;
  /** Ends the current run. The workers of a run in an endless loop end only with their process group. */
  const stopRun = () => {
    if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
  };

  /** Runs Vitest with these arguments. A run that does not end in time was disturbed by the change, so it counts as killed. */
  async function runTests(args: readonly string[], timeoutMs: number): Promise<MutantResult> {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const options = ['-c', 'test/vitest.config.ts', '--bail=1', '--maxWorkers=1', '--reporter=dot'];
    const child = spawn(process.execPath, [vitest, ...args, ...options], { cwd: root, detached: true });
    running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += String(text);
      });
    const timer = setTimeout(stopRun, timeoutMs);
    const [code] = (await once(child, 'close')) as [number | null];
    running = null;
    clearTimeout(timer);
    if (output.includes(NO_TESTS)) return 'no tests';
    return code === 0 ? 'survived' : 'killed';
  }

  return {
    /** Runs tests on the changed source and restores it. */
    async test(changes: ChangedFiles, args: readonly string[], timeoutMs: number): Promise<MutantResult> {
      const originals = Object.keys(changes).map((path) => [path, readFileSync(join(root, path), 'utf8')]);
      const write = ([path = '', text = '']: readonly string[]) => writeFileSync(join(root, path), text);
      Object.entries(changes).forEach(write);
      try {
        return await runTests(args, timeoutMs);
      } finally {
        originals.forEach(write);
      }
    },
    /** Ends the current run and deletes the copy. */
    delete() {
      stopRun();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type WorkCopy = ReturnType<typeof createWorkCopy>;
