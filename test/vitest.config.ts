import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'test/electron/**', '**/node_modules/**'],
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
