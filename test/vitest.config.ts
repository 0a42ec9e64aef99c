import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders whose tests run the built program. */
const BUILT = ['test/cli/**', 'test/faults/**', 'test/main/**', 'test/security/**'];
/**
 * Folders whose files share the modules that a worker has loaded, which saves about 0.5 CPU seconds per file. Their modules
 * must not store anything that another test could notice, and their tests must not measure the memory of their process.
 */
const SHARED = [
  'test/backend/**',
  'test/billing/**',
  'test/cli/**',
  'test/contract/**',
  'test/corpus/**',
  'test/domain/**',
  'test/fuzz/**',
];
const SHARED_SOURCE = SHARED.filter((folder) => !BUILT.includes(folder));
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
      defineTestProject(
        'built app',
        BUILT.filter((folder) => !SHARED.includes(folder)),
      ),
      defineTestProject('shared source', SHARED_SOURCE),
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
