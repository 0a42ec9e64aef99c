import { bankProfileColumns } from '../../formatters/bank.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { defineAccountCommands } from './account-commands.ts';
import { defineBankLineCommand } from './bank-line-command.ts';
import { defineBankStatementCommands } from './bank-statement-commands.ts';
import { defineImportCommands } from './import-commands.ts';
import { defineBankImportCommand } from './import-file.ts';

export const defineBankCommands: DefineCommand = (command) => {
  defineBankImportCommand(command);
  defineImportCommands(command);
  defineAccountCommands(command);
  defineBankStatementCommands(command);
  defineProfileCommands(command);
  defineBankLineCommand(command);
};

const defineProfileCommands: DefineCommand = (command) => {
  command
    .subcommand('profiles', 'List the profiles for reading CSV and XLSX files')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: bankProfileColumns,
        fields: ['name', 'label', 'source', 'built_in'],
        pages: [{ rows: await client.bank.profiles({ site }), next: null }],
        empty: 'There are no profiles.',
      });
    });

  command
    .subcommand('remove-profile', 'Remove a saved profile; lines imported with it are not affected')
    .argument('<name>', 'name of the profile')
    .runOnSite(async ({ client, site, output }, name: string) => {
      await client.bank.removeProfile({ site, name });
      await output.document({ removed: name }, () => [`Profile ${name} removed.`]);
    });
};
