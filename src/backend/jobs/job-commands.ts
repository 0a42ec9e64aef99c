import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../shared/durable-file.ts';
import { getSiteFolder } from '../sites/site-file.ts';

/** Command for a job that runs in another process. Stored in `sites/<site>/job-commands/<job>` and polled by the job. */
export type JobCommand = 'cancel' | 'pause' | 'resume';

const commandPath = (home: string, site: string, job: string) =>
  join(getSiteFolder(home, site), 'job-commands', job);

/** Stores a command for the process that runs the job. The command survives a crash after the function returns. */
export function storeJobCommand(home: string, site: string, job: string, command: JobCommand): void {
  const path = commandPath(home, site, job);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileDurably(path, command);
}

/** Reads and deletes the pending command, so that each command runs once. Returns null if no command is pending. */
export function consumeJobCommand(home: string, site: string, job: string): JobCommand | null {
  const path = commandPath(home, site, job);
  if (!existsSync(path)) return null;
  const command = readFileSync(path, 'utf8');
  rmSync(path, { force: true });
  return command === 'cancel' || command === 'pause' || command === 'resume' ? command : null;
}
