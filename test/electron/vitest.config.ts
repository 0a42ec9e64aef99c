import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { packagedProgram } from './packaged.ts';

/** Runs the app in the real Electron, one test file at a time, because they share a display. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/electron/**/*.test.ts'],
    exclude: packagedProgram() === null ? ['test/electron/fuses.test.ts'] : [],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 1,
  },
});
