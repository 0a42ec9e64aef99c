import { periodColumns } from '../../formatters/periods.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { defineChecklistCommand } from './checklist-command.ts';
import { defineFigureCommentCommands } from './figure-comment-commands.ts';
import { defineFluxCommands } from './flux-commands.ts';
import { defineOutstandingItemCommands } from './outstanding-item-commands.ts';
import { addPeriodOption, type PeriodOptions, printPeriodDetail } from './period-options.ts';
import { definePeriodSettingsCommand } from './period-settings-command.ts';
import { defineReportTableCommand } from './report-table-command.ts';
import { defineSignOffChangeCommands } from './sign-off-change-commands.ts';
import { defineSignOffCommands } from './sign-off-commands.ts';

export const definePeriodCommands: DefineCommand = (command) => {
  command.subcommand('list', 'List periods, newest first').listOnSite(async ({ client, site, output }) => {
    const { periods, ...fields } = await client.periods.list({ site });
    const { locked_until, due } = fields;
    await output.list({
      columns: periodColumns,
      fields: ['period', 'first', 'last', 'state', 'version'],
      pages: [{ rows: periods, next: null, ...fields }],
      footer: () => (locked_until === null ? undefined : `Locked through ${locked_until}.`),
      empty: `No period has been opened yet.${due === null ? '' : ` Open one with: tieout period open --period ${due}`}`,
    });
  });

  command
    .subcommand('show', 'Show a period with its status, remaining work and history')
    .with(addPeriodOption)
    .runOnSite(async ({ client, site, output }, { period }: PeriodOptions) =>
      printPeriodDetail(output, await client.periods.get({ site, period })),
    );

  defineChecklistCommand(command);
  defineSignOffCommands(command);
  defineFigureCommentCommands(command);
  defineFluxCommands(command);
  definePeriodSettingsCommand(command);
  defineSignOffChangeCommands(command);
  defineOutstandingItemCommands(command);
  defineReportTableCommand(command);
};
