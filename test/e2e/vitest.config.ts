import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Runs the built app in Chromium: two test files at a time, each with its own app and home. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/build-app.ts', 'test/e2e/synced-demo.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // Waits are long because the app may be slow on a busy machine.
    expect: { poll: { timeout: 150_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
