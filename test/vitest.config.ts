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
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
