import { app } from 'electron';
import type { BackendClient, Job } from '../../contract/index.ts';

/** Adds a file to the system's list of recent documents. Linux has no such list. */
export function addRecentFile(path: string): void {
  if (process.platform !== 'linux') app.addRecentDocument(path);
}

/** Returns the path of the evidence pack or ZIP export that a job has written. Null for other jobs. */
export async function findWrittenFile(
  client: Pick<BackendClient, 'packs' | 'archive'>,
  { site, id, kind, state }: Job,
): Promise<string | null> {
  if (state !== 'done') return null;
  if (kind === 'pack') return (await client.packs.result({ site, job: id })).path;
  if (kind !== 'archive') return null;
  const exports = await client.archive.exports({ site });
  return exports.find(({ job, target }) => job === id && target.kind === 'zip')?.target.path ?? null;
}
