import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../errors/cli-error.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { integer } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';

interface RestoreOptions {
  readonly confirm?: true;
  readonly reason?: string;
  readonly show: number;
}

export const defineRestoreCommand: DefineCommand = (command, handle) => {
  command
    .argument('<copy>', 'a copy as `tieout backup list` names it, or a file: a copy, or an evidence pack')
    .option('--confirm', 'do it; without this only the difference is shown')
    .option('--reason <why>', 'why, for the audit log')
    .option('--show <n>', 'so many of each kind', integer(0, 50), 10)
    .addHelpText(
      'after',
      '\nThe books of now are kept as a copy, and come back the same way.' +
        '\nOf an evidence pack, those decisions of its period are restored that are missing here; what is decided otherwise stays.',
    )
    .action(
      handle(async (cli, name: string, { confirm, reason, show }: RestoreOptions) => {
        if (confirm && reason === undefined) {
          throw usageError('A restore needs its reason.', 'Say why, for the audit log: --reason "…"');
        }
        const { client, site } = await cli.session.openSite();
        const { copies } = await client.backups.list({ site });
        const isKept = copies.some((copy) => copy.name === name) || !existsSync(name);
        const { isPack, restorePack } = await import('./restore-pack.ts');
        if (!isKept && isPack(name)) {
          const why = confirm ? (reason ?? null) : null;
          return await restorePack(cli, { client, site }, { path: resolve(name), reason: why, show });
        }
        const { formatBooksDifference } = await import('../../formatters/backups.ts');
        const from = isKept ? { name } : { path: resolve(name) };
        const difference = await client.backups.compare({ site, from });
        if (!confirm || reason === undefined) {
          await cli.output.document({ restored: false, difference }, () => [
            ...formatBooksDifference(difference, show),
            '',
            `Nothing was changed. To do it: tieout restore ${name} --confirm --reason "…"`,
          ]);
          return difference.same ? exitCode.success : exitCode.findings;
        }
        const { shown } = difference;
        const done = await client.backups.restore({ site, from, shown, reason });
        if (done.check !== null) await followJob(cli, client, { site, job: done.check });
        await cli.output.document({ restored: true, ...done, difference }, () => [
          ...formatBooksDifference(difference, show),
          '',
          `Restored. What stood there is kept: ${done.saved_as}`,
        ]);
        return exitCode.success;
      }),
    );
};
