import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Unit and contract tests. `electron` resolves to a typed double: its binary is fetched on first import. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: {
    alias: { electron: fileURLToPath(new URL('./doubles/electron.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'test/electron/**', 'test/bench/**', '**/node_modules/**'],
    // A machine may be busy with other things: these end what hangs, and are no measure of how fast anything is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // The window writes numbers as the user's machine does; tests say them in English.
    env: { LC_ALL: 'C.UTF-8' },
    pool: 'forks',
    maxWorkers: 2,
  },
});
