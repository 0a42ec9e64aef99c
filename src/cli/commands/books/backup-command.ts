import { resolve } from 'node:path';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes, formatMinute } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

interface BackupOptions {
  readonly output?: string;
  readonly replace?: true;
}

export const defineBackupCommand: DefineCommand = (command) => {
  command
    .option('-o, --output <file>', "file to write (default: the app's backup folder)")
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe app backs up the books automatically: when they are opened after a change, and before a newer version updates them.',
    )
    .runOnSite(async ({ client, site, output }, options: BackupOptions) => {
      const path = options.output === undefined ? {} : { path: resolve(options.output) };
      const backup = await client.backups.make({ site, replace: options.replace === true, ...path });
      await output.document(backup, () => [
        `Backup ${backup.name} created and verified (${formatBytes(backup.bytes)}). Restore it with: tieout restore ${backup.name}`,
      ]);
    });

  command
    .subcommand('list', 'List backups of the books, newest first')
    .listOnSite(async ({ client, site, output }) => {
      const { backupColumns } = await import('../../formatters/backups.ts');
      const { copies, problem, changed_since } = await client.backups.list({ site });
      if (problem !== null) output.notice(problem);
      const [newest] = copies;
      await output.list({
        columns: backupColumns,
        fields: async () => (await import('../../../contract/app/backups.ts')).booksBackupSchema,
        pages: [{ rows: copies, next: null }],
        footer: () =>
          changed_since && newest !== undefined
            ? `The books have changed since the backup of ${formatMinute(newest.made_at)} UTC. Back them up with: tieout backup`
            : undefined,
        empty: 'There are no backups yet. The app creates one when the books are opened after a change.',
      });
      return problem === null ? exitCodes.success : exitCodes.local;
    });
};
