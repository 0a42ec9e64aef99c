import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Client } from '../../contract/contract.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { counted } from '../output/figures.ts';
import { decisionLines } from '../words/decisions.ts';

/** Whether a file is a ZIP, as packs are, or a folder that one was unpacked to; copies of books are neither. */
export function isPack(path: string): boolean {
  if (statSync(path).isDirectory()) return true;
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === 'PK\u0003\u0004';
}

interface Wanted {
  readonly path: string;
  /** Null: only show. */
  readonly reason: string | null;
  readonly show: number;
}

/** Shows how the decisions of a pack stand to the books; with a reason, restores what is missing. */
export async function restorePack(
  cli: Cli,
  { client, site }: { client: Client; site: string },
  { path, reason, show }: Wanted,
): Promise<Exit> {
  const difference = await client.packs.compareDecisions({ site, path });
  if (reason === null) {
    await cli.out.document({ restored: 0, difference }, () => [
      ...decisionLines(difference, show),
      ...(difference.missing === 0
        ? []
        : ['', `Nothing was changed. To do it: tieout restore ${path} --confirm --reason "…"`]),
    ]);
    return difference.parts.every(({ same, ...part }) => part.missing + part.otherwise + part.not_held === 0)
      ? exit.done
      : exit.found;
  }
  const done = await client.packs.restoreDecisions({ site, path, reason, shown: difference.shown });
  await cli.out.document(done, () => [
    ...decisionLines(done.difference, show),
    '',
    done.kept_as === null
      ? 'Nothing was changed.'
      : `Restored: ${counted(done.restored, 'decision')}. To undo all of it: tieout restore ${done.kept_as}`,
  ]);
  return exit.done;
}
