import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../shared/durable-file.ts';
import { siteFolder } from '../sites/site-file.ts';

/** Request to a job of another process, stored in `sites/<site>/wishes/<job>` and polled by the job. */
export type JobCommand = 'cancel' | 'pause' | 'resume';

const place = (home: string, site: string, job: string) => join(siteFolder(home, site), 'wishes', job);

/** Stores a request for the process that runs the job. It is durable when the function returns. */
export function storeJobCommand(home: string, site: string, job: string, what: JobCommand): void {
  const path = place(home, site, job);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileDurably(path, what);
}

/** Reads and deletes the pending request, so that each request runs once. Returns null if there is none. */
export function consumeJobCommand(home: string, site: string, job: string): JobCommand | null {
  const path = place(home, site, job);
  if (!existsSync(path)) return null;
  const what = readFileSync(path, 'utf8');
  rmSync(path, { force: true });
  return what === 'cancel' || what === 'pause' || what === 'resume' ? what : null;
}
