import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Inputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { createIntegerParser } from '../../input/options.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';
import type { SiteSession } from '../../runtime/session.ts';

interface RestoreOptions {
  readonly confirm?: true;
  readonly reason?: string;
  readonly show: number;
}

type BackupSource = Inputs['backups']['compare']['from'];

export const defineRestoreCommand: DefineCommand = (command, handle) => {
  command
    .argument('<backup>', 'name of a backup as listed by `tieout backup list`, backup file or evidence pack')
    .option('--confirm', 'restore (default: only show the differences)')
    .option('--reason <text>', 'reason for the audit log (required with --confirm)')
    .option('--show <n>', 'maximum number of differences listed per kind', createIntegerParser(0, 50), 10)
    .addHelpText(
      'after',
      '\nThe current books are backed up first, so that you can restore them the same way.' +
        '\nFrom an evidence pack, only decisions missing in the books are restored. Different decisions are not changed.',
    )
    .action(
      handle(async (cli, name: string, options: RestoreOptions) => {
        const { confirm, reason, show } = options;
        if (confirm && reason === undefined) {
          throw usageError('A restore requires a reason.', 'Add --reason "…".');
        }
        const target = await cli.session.openSite();
        const { copies } = await target.client.backups.list({ site: target.site });
        const isBackupName = copies.some((copy) => copy.name === name) || !existsSync(name);
        if (isBackupName) return await restoreBackup(cli, target, { name }, options);
        const path = resolve(name);
        const { isEvidencePack, restoreEvidencePack } = await import('./restore-pack.ts');
        if (!isEvidencePack(name)) return await restoreBackup(cli, target, { path }, options);
        return await restoreEvidencePack(cli, target, {
          path,
          reason: confirm ? (reason ?? null) : null,
          show,
        });
      }),
    );
};

async function restoreBackup(
  cli: CommandContext,
  { client, site }: SiteSession,
  from: BackupSource,
  { confirm, reason, show }: RestoreOptions,
): Promise<ExitCode> {
  const { formatBooksDifference } = await import('../../formatters/backups.ts');
  const difference = await client.backups.compare({ site, from });
  if (!confirm || reason === undefined) {
    const name = 'name' in from ? from.name : from.path;
    await cli.output.document({ restored: false, difference }, () => [
      ...formatBooksDifference(difference, show),
      '',
      `Nothing was changed. Restore with: tieout restore ${name} --confirm --reason "…"`,
    ]);
    return difference.same ? exitCodes.success : exitCodes.findings;
  }
  const { fingerprint } = difference;
  const result = await client.backups.restore({ site, from, fingerprint, reason });
  if (result.check !== null) await followJob(cli, client, { site, job: result.check });
  await cli.output.document({ restored: true, ...result, difference }, () => [
    ...formatBooksDifference(difference, show),
    '',
    `Restored. The previous books were saved as ${result.saved_as}`,
  ]);
  return exitCodes.success;
}
