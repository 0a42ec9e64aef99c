import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { implement } from '@orpc/server';
import { backendContract, type Job } from '../../../src/contract/index.ts';
import { home, readSites, serveRouter, shell, version } from './serve-router.ts';

/** `settings.all` returns the environment variables that the thread has. */
const on = implement(backendContract);
const syncing: Job = {
  id: 'job-1',
  site: 'acme',
  kind: 'sync',
  state: 'running',
  started_at: '2026-11-01T00:00:00Z',
  ended_at: null,
  progress: [],
  rate: null,
  remaining_ms: null,
  summary: null,
  error: null,
};
serveRouter({
  app: {
    about: on.app.about.handler(() => ({
      version,
      home,
      node: process.version,
      sqlite: `thread ${threadId}`,
      user: 'unknown',
    })),
  },
  sites: { list: on.sites.list.handler(() => readSites()) },
  settings: { all: on.settings.all.handler(() => ({ environment: Object.keys(process.env) })) },
  /** A job is running as long as the home contains a file named `working`. */
  jobs: {
    list: on.jobs.list.handler(() => (existsSync(join(home, 'working')) ? [syncing] : [])),
  },
  statements: {
    pdf: on.statements.pdf.handler(async ({ input }) => {
      const path = `sites/${input.site}/archive/${input.id}.pdf`;
      const file = await shell.blobs.offer({ path, name: `${input.id}.pdf`, type: 'application/pdf' });
      return { stored: true as const, sha256: '0', fetched_at: '2026-11-01T00:00:00Z', file };
    }),
  },
});
