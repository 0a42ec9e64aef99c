import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../sites/durable-file.ts';
import { siteFolder } from '../sites/site-file.ts';

/** What one process may ask of a job that another one runs: `sites/<site>/wishes/<job>`, looked at by the job as it goes. */
export type Wish = 'cancel' | 'pause' | 'resume';

const place = (home: string, site: string, job: string) => join(siteFolder(home, site), 'wishes', job);

/** Leaves a wish for the process that works on the job, wherever it is; durable when it returns. */
export function wish(home: string, site: string, job: string, what: Wish): void {
  const path = place(home, site, job);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeDurably(path, what);
}

/** Takes the wish that was made, so that it is heard once; null where there is none. */
export function hearWish(home: string, site: string, job: string): Wish | null {
  const path = place(home, site, job);
  if (!existsSync(path)) return null;
  const what = readFileSync(path, 'utf8');
  rmSync(path, { force: true });
  return what === 'cancel' || what === 'pause' || what === 'resume' ? what : null;
}
