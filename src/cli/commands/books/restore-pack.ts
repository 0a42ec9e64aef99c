import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Client } from '../../../contract/contract.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { formatDecisionsDifference } from '../../formatters/pack-decisions.ts';
import { formatCount } from '../../output/format-values.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

/** Returns true for a folder or a ZIP file. Evidence packs are one of these, and backups are not. */
export function isEvidencePack(path: string): boolean {
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

interface RestorePackOptions {
  readonly path: string;
  /** Reason for the restore. If null, the differences are only shown. */
  readonly reason: string | null;
  readonly show: number;
}

/**
 * Shows the differences between an evidence pack's decisions and the books. Restores the missing decisions if a reason is
 * given.
 */
export async function restoreEvidencePack(
  cli: CommandContext,
  { client, site }: { client: Client; site: string },
  { path, reason, show }: RestorePackOptions,
): Promise<ExitCode> {
  const difference = await client.packs.compareDecisions({ site, path });
  if (reason === null) {
    await cli.output.document({ restored: 0, difference }, () => [
      ...formatDecisionsDifference(difference, show),
      ...(difference.missing === 0
        ? []
        : ['', `Nothing was changed. Restore with: tieout restore ${path} --confirm --reason "…"`]),
    ]);
    return difference.parts.every(
      ({ same, ...part }) => part.missing + part.different + part.not_stored === 0,
    )
      ? exitCodes.success
      : exitCodes.findings;
  }
  const result = await client.packs.restoreDecisions({
    site,
    path,
    reason,
    fingerprint: difference.fingerprint,
  });
  await cli.output.document(result, () => [
    ...formatDecisionsDifference(result.difference, show),
    '',
    result.saved_as === null
      ? 'Nothing was changed.'
      : `${formatCount(result.restored, 'decision')} restored. Undo with: tieout restore ${result.saved_as}`,
  ]);
  return exitCodes.success;
}
