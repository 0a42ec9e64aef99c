import { resolve } from 'node:path';
import { exitCode } from '../../errors/exit-codes.ts';
import { formatBytes, formatMinute } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineBackupCommand: DefineCommand = (command, handle) => {
  command
    .option('-o, --output <file>', 'to this file; else among the copies that the app keeps')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nThe app copies the books by itself: whenever they are opened after a change, and before they are changed by a newer version.',
    )
    .action(
      handle(async (cli, { output, replace }: { readonly output?: string; readonly replace?: true }) => {
        const { client, site } = await cli.session.openSite();
        const copy = await client.backups.make({
          site,
          replace: replace === true,
          ...(output === undefined ? {} : { path: resolve(output) }),
        });
        await cli.output.document(copy, () => [
          `Copied and checked: ${copy.name}, ${formatBytes(copy.bytes)}. Put it back with: tieout restore ${copy.name}`,
        ]);
        return exitCode.success;
      }),
    );

  command
    .command('list')
    .description('The copies of the books that are kept, the newest first.')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { booksCopy } = await import('../../../contract/app/backups.ts');
        const { backupColumns } = await import('../../formatters/backups.ts');
        const { copies, problem, changed_since } = await client.backups.list({ site });
        if (problem !== null) cli.output.notice(problem);
        const [newest] = copies;
        await cli.output.list({
          columns: backupColumns,
          fields: Object.keys(booksCopy.shape),
          pages: [{ rows: copies, next: null }],
          footer: () =>
            changed_since && newest !== undefined
              ? `The books were changed since ${formatMinute(newest.made_at)} UTC. Copy them now: tieout backup`
              : undefined,
          empty: 'No copy yet: one is made whenever the books are opened after a change.',
        });
        return problem === null ? exitCode.success : exitCode.local;
      }),
    );
};
