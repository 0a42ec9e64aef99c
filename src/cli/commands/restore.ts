import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { exit } from '../exit.ts';
import { wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { whole } from '../input/options.ts';
import type { Define } from '../verbs.ts';

interface RestoreOptions {
  readonly confirm?: true;
  readonly reason?: string;
  readonly show: number;
}

export const define: Define = (command, act) => {
  command
    .argument('<copy>', 'a copy as `tieout backup list` names it, or a file: a copy, or an evidence pack')
    .option('--confirm', 'do it; without this only the difference is shown')
    .option('--reason <why>', 'why, for the audit log')
    .option('--show <n>', 'so many of each kind', whole(0, 50), 10)
    .addHelpText(
      'after',
      '\nThe books of now are kept as a copy, and come back the same way.' +
        '\nOf an evidence pack, those decisions of its period are restored that are missing here; what is decided otherwise stays.',
    )
    .action(
      act(async (cli, name: string, { confirm, reason, show }: RestoreOptions) => {
        if (confirm && reason === undefined) {
          throw wrongUsage('A restore needs its reason.', 'Say why, for the audit log: --reason "…"');
        }
        const { client, site } = await cli.session.local();
        const { copies } = await client.backups.list({ site });
        const isKept = copies.some((copy) => copy.name === name) || !existsSync(name);
        const { isPack, restorePack } = await import('./restore-pack.ts');
        if (!isKept && isPack(name)) {
          const why = confirm ? (reason ?? null) : null;
          return await restorePack(cli, { client, site }, { path: resolve(name), reason: why, show });
        }
        const { differenceLines } = await import('../words/backups.ts');
        const from = isKept ? { name } : { path: resolve(name) };
        const difference = await client.backups.compare({ site, from });
        if (!confirm || reason === undefined) {
          await cli.out.document({ restored: false, difference }, () => [
            ...differenceLines(difference, show),
            '',
            `Nothing was changed. To do it: tieout restore ${name} --confirm --reason "…"`,
          ]);
          return difference.same ? exit.done : exit.found;
        }
        const { shown } = difference;
        const done = await client.backups.restore({ site, from, shown, reason });
        if (done.check !== null) await followJob(cli, client, { site, job: done.check });
        await cli.out.document({ restored: true, ...done, difference }, () => [
          ...differenceLines(difference, show),
          '',
          `Restored. What stood there is kept: ${done.kept_as}`,
        ]);
        return exit.done;
      }),
    );
};
