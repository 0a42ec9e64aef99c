import { readSync, statSync } from 'node:fs';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatDecisionsDifference } from '../../formatters/evidence-pack-decisions.ts';
import { withInputFile } from '../../input/input-files.ts';
import { formatCount } from '../../output/format-values.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';

/** Returns true for a folder or a ZIP file, which may be an evidence pack. Backups are neither. */
export async function isEvidencePack(path: string): Promise<boolean> {
  if (statSync(path).isDirectory()) return true;
  return withInputFile(path, (file) => {
    const start = Buffer.alloc(4);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === 'PK\u0003\u0004';
  });
}

interface RestorePackOptions {
  readonly path: string;
  /** Reason for the restore. Null to show the differences without restoring anything. */
  readonly reason: string | null;
  readonly show: number;
}

/** Compares an evidence pack's decisions with the books. Restores the missing decisions if there is a reason. */
export async function restoreEvidencePack(
  { client, site, output }: SiteContext,
  { path, reason, show }: RestorePackOptions,
): Promise<ExitCode> {
  const difference = await client.packs.compareDecisions({ site, path });
  const { fingerprint, missing, parts } = difference;
  if (reason === null) {
    await output.document({ restored: 0, difference }, () => [
      formatDecisionsDifference(difference, show),
      missing > 0 && ['', `Nothing was changed. Restore with: tieout restore ${path} --confirm --reason "…"`],
    ]);
    return getSuccessExitCode(parts.every((part) => part.missing + part.different + part.not_stored === 0));
  }
  const result = await client.packs.restoreDecisions({ site, path, reason, fingerprint });
  await output.document(result, () => [
    formatDecisionsDifference(result.difference, show),
    '',
    result.saved_as === null
      ? 'Nothing was changed.'
      : `${formatCount(result.restored, 'decision')} restored. Undo with: tieout restore ${result.saved_as}`,
  ]);
  return exitCodes.success;
}
