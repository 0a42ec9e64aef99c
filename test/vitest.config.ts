import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders whose tests run the built program. */
const BUILT = ['test/cli/**', 'test/faults/**', 'test/main/**', 'test/security/**'];
/** Folders whose files share the modules that a worker has loaded, which takes less time than loading them for each file. */
const SHARED = ['test/cli/**', 'test/domain/**'];
const EXCLUDED = ['test/e2e/**', 'test/electron/**', '**/node_modules/**'];

function defineTestProject(name: string, include: string[], exclude: string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include: include.flatMap((folder) => [`${folder}/*.test.ts`, `${folder}/*.test.tsx`]),
      exclude: [...exclude, ...EXCLUDED],
      globalSetup: include.some((folder) => BUILT.includes(folder)) ? ['test/build-app.ts'] : [],
      isolate: !include.every((folder) => SHARED.includes(folder)),
    },
  };
}

/**
 * Configuration of the unit and contract tests. `electron` resolves to a typed test double, because importing the real
 * package downloads its binary.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: {
    alias: { electron: fileURLToPath(new URL('./doubles/electron.ts', import.meta.url)) },
  },
  test: {
    projects: [
      defineTestProject('command line', ['test/cli/**']),
      defineTestProject('domain', ['test/domain/**']),
      defineTestProject(
        'built app',
        BUILT.filter((folder) => !SHARED.includes(folder)),
      ),
      defineTestProject('source', ['test/**'], [...BUILT, ...SHARED]),
    ],
    // Time limits that end hanging tests, generous enough for a busy machine. They do not measure speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // The window formats numbers by the system locale. Tests expect English.
    env: { LC_ALL: 'C.UTF-8' },
    pool: 'forks',
    maxWorkers: 2,
  },
});
