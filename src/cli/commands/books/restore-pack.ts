import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Client } from '../../../contract/contract.ts';
import { type ExitCode, exitCode } from '../../errors/exit-codes.ts';
import { formatDecisionsDifference } from '../../formatters/pack-decisions.ts';
import { formatCount } from '../../output/format-values.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

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
  cli: CommandContext,
  { client, site }: { client: Client; site: string },
  { path, reason, show }: Wanted,
): Promise<ExitCode> {
  const difference = await client.packs.compareDecisions({ site, path });
  if (reason === null) {
    await cli.output.document({ restored: 0, difference }, () => [
      ...formatDecisionsDifference(difference, show),
      ...(difference.missing === 0
        ? []
        : ['', `Nothing was changed. To do it: tieout restore ${path} --confirm --reason "…"`]),
    ]);
    return difference.parts.every(
      ({ same, ...part }) => part.missing + part.otherwise + part.not_stored === 0,
    )
      ? exitCode.success
      : exitCode.findings;
  }
  const done = await client.packs.restoreDecisions({ site, path, reason, shown: difference.shown });
  await cli.output.document(done, () => [
    ...formatDecisionsDifference(done.difference, show),
    '',
    done.saved_as === null
      ? 'Nothing was changed.'
      : `Restored: ${formatCount(done.restored, 'decision')}. To undo all of it: tieout restore ${done.saved_as}`,
  ]);
  return exitCode.success;
}
