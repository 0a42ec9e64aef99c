import type { PeriodRow } from '../../../contract/periods/periods.ts';
import { periodColumns } from '../../formatters/periods.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { defineOutstandingItemCommands } from './outstanding-item-commands.ts';
import { addPeriodCommand, type PeriodOptions, printPeriod } from './period-options.ts';
import { defineSignOffChangeCommands } from './sign-off-change-commands.ts';
import { defineSignOffCommands } from './sign-off-commands.ts';

export const definePeriodCommands: DefineCommand = (command, handle) => {
  command
    .command('list')
    .description('List periods, newest first')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { periods, ...fields } = await client.periods.list({ site });
        await cli.output.list<PeriodRow>({
          columns: periodColumns,
          fields: ['period', 'first', 'last', 'state', 'version'],
          pages: [{ rows: periods, next: null, ...fields }],
          footer: () => (fields.locked_until === null ? undefined : `Locked through ${fields.locked_until}.`),
          empty: `No period has been opened yet.${fields.due === null ? '' : ` Open one with: tieout period open --period ${fields.due}`}`,
        });
      }),
    );

  addPeriodCommand(command, 'show', 'Show a period with its status, remaining work and history').action(
    handle(async (cli, { period }: PeriodOptions) => {
      const { client, site } = await cli.session.openSite();
      return printPeriod(cli, await client.periods.get({ site, period }));
    }),
  );

  defineSignOffCommands(command, handle);
  defineSignOffChangeCommands(command, handle);
  defineOutstandingItemCommands(command, handle);
};
