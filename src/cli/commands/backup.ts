import { resolve } from 'node:path';
import { exit } from '../exit.ts';
import { minute, size } from '../output/figures.ts';
import type { Define } from '../verbs.ts';

export const define: Define = (command, act) => {
  command
    .option('-o, --output <file>', 'to this file; else among the copies that the app keeps')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nThe app copies the books by itself: whenever they are opened after a change, and before they are changed by a newer version.',
    )
    .action(
      act(async (cli, { output, replace }: { readonly output?: string; readonly replace?: true }) => {
        const { client, site } = await cli.session.local();
        const copy = await client.backups.make({
          site,
          replace: replace === true,
          ...(output === undefined ? {} : { path: resolve(output) }),
        });
        await cli.out.document(copy, () => [
          `Copied and checked: ${copy.name}, ${size(copy.bytes)}. Put it back with: tieout restore ${copy.name}`,
        ]);
        return exit.done;
      }),
    );

  command
    .command('list')
    .description('The copies of the books that are kept, the newest first.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const { booksCopy } = await import('../../contract/backups.ts');
        const { copyColumns } = await import('../words/backups.ts');
        const { copies, problem, changed_since } = await client.backups.list({ site });
        if (problem !== null) cli.out.note(problem);
        const [newest] = copies;
        await cli.out.list({
          columns: copyColumns,
          fields: Object.keys(booksCopy.shape),
          pages: [{ rows: copies, next: null }],
          footer: () =>
            changed_since && newest !== undefined
              ? `The books were changed since ${minute(newest.made_at)} UTC. Copy them now: tieout backup`
              : undefined,
          empty: 'No copy yet: one is made whenever the books are opened after a change.',
        });
        return problem === null ? exit.done : exit.local;
      }),
    );
};
