import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The built app in real Chromium, two test files at a time, each with an app and a home of its own. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // What is waited for comes when the app gets to it, which on a busy machine takes a while.
    expect: { poll: { timeout: 150_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
