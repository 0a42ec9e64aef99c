import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContractInputs } from '../../../contract/contract.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { createIntegerParser } from '../../input/options.ts';
import { type DefineCommand, openSite, type SiteContext } from '../../runtime/cli-command.ts';
import { followJob } from '../../runtime/follow-job.ts';

interface RestoreOptions {
  readonly confirm?: true;
  readonly reason?: string;
  readonly show: number;
}

export const defineRestoreCommand: DefineCommand = (command) => {
  command
    .argument('<backup>', 'backup name (as listed by `tieout backup list`), backup file or evidence pack')
    .option('--confirm', 'restore the data (default: only show the differences)')
    .option('--reason <text>', 'reason for the audit log (required with --confirm)')
    .option('--show <n>', 'maximum number of differences listed per kind', createIntegerParser(0, 50), 10)
    .addHelpText(
      'after',
      '\nThe current books are backed up first, so that you can restore them the same way.' +
        '\nFrom an evidence pack, only decisions missing from the books are restored. Different decisions are not changed.',
    )
    .run(async (cli, name: string, options: RestoreOptions) => {
      const { confirm, reason = null, show } = options;
      if (confirm && reason === null)
        throw createUsageError('A restore requires a reason.', 'Add --reason "…".');
      const context = await openSite(cli);
      const { copies } = await context.client.backups.list({ site: context.site });
      const isBackupName = copies.some((copy) => copy.name === name) || !existsSync(name);
      if (isBackupName) return await restoreBackup(context, { name }, options);
      const path = resolve(name);
      const { isEvidencePack, restoreEvidencePack } = await import('./restore-evidence-pack.ts');
      if (!(await isEvidencePack(name))) return await restoreBackup(context, { path }, options);
      return await restoreEvidencePack(context, { path, reason: confirm ? reason : null, show });
    });
};

async function restoreBackup(
  context: SiteContext,
  from: ContractInputs['backups']['compare']['from'],
  { confirm, reason, show }: RestoreOptions,
): Promise<ExitCode> {
  const { client, site, output } = context;
  const { formatBooksDifference } = await import('../../formatters/backups.ts');
  const difference = await client.backups.compare({ site, from });
  if (!confirm || reason === undefined) {
    const name = 'name' in from ? from.name : from.path;
    await output.document({ restored: false, difference }, () => [
      formatBooksDifference(difference, show),
      '',
      `Nothing was changed. Restore with: tieout restore ${name} --confirm --reason "…"`,
    ]);
    return getSuccessExitCode(difference.same);
  }
  const { fingerprint } = difference;
  const result = await client.backups.restore({ site, from, fingerprint, reason });
  if (result.check !== null) await followJob(context, result.check);
  await output.document({ restored: true, ...result, difference }, () => [
    formatBooksDifference(difference, show),
    '',
    `Restored. The previous books were saved as ${result.saved_as}`,
  ]);
  return exitCodes.success;
}
