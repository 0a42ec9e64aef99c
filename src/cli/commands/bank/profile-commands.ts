import type { BankProfile } from '../../../contract/bank/bank-imports.ts';
import { bankProfileColumns } from '../../formatters/bank.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineProfileCommands: DefineCommand = (command, handle) => {
  command
    .command('profiles')
    .description('List the profiles for reading CSV and XLSX files')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const rows = await client.bank.profiles({ site });
        await cli.output.list<BankProfile>({
          columns: bankProfileColumns,
          fields: ['name', 'label', 'source', 'built_in'],
          pages: [{ rows, next: null }],
          empty: 'There are no profiles.',
        });
      }),
    );

  command
    .command('remove-profile')
    .description('Remove a saved profile; lines imported with it are not affected')
    .argument('<name>', 'name of the profile')
    .action(
      handle(async (cli, name: string) => {
        const { client, site } = await cli.session.openSite();
        await client.bank.removeProfile({ site, name });
        await cli.output.document({ removed: name }, () => [`Profile ${name} removed.`]);
      }),
    );
};
