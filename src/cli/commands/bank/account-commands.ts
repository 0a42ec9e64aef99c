import type { BankAccount } from '../../../contract/bank/bank-lines.ts';
import { accountKindLabels } from '../../../domain/labels/bank.ts';
import { bankAccountColumns } from '../../formatters/bank.ts';
import { createChoiceOption, createIntegerParser } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { findAccountIds } from './find-accounts.ts';

export type AccountKind = keyof typeof accountKindLabels;
export const accountKinds = Object.keys(accountKindLabels) as AccountKind[];

interface AddAccountOptions {
  readonly kind: AccountKind;
  readonly currency?: string;
  readonly settlementDays?: number;
}

export const defineAccountCommands: DefineCommand = (command, handle) => {
  command
    .command('accounts')
    .description('List accounts with their number of lines and dates')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const rows = await client.bank.accounts({ site });
        await cli.output.list<BankAccount>({
          columns: bankAccountColumns,
          fields: ['id', 'name', 'kind', 'currency', 'number', 'lines', 'imports', 'first_on', 'last_on'],
          pages: [{ rows, next: null }],
          empty: 'There are no accounts yet. Import a file with: tieout bank import FILE --account NAME',
        });
      }),
    );

  command
    .command('add-account')
    .description('Add an account')
    .argument('<name>', 'name of the account')
    .addOption(createChoiceOption('--kind <kind>', 'kind of account', accountKinds).default('bank'))
    .option('--currency <code>', 'currency of lines for which the file names none')
    .option(
      '--settlement-days <days>',
      'maximum number of days from payment to receipt',
      createIntegerParser(0, 120),
    )
    .action(
      handle(async (cli, name: string, { kind, currency, settlementDays }: AddAccountOptions) => {
        const { client, site } = await cli.session.openSite();
        const account = await client.bank.saveAccount({
          site,
          name,
          kind,
          currency: currency ?? null,
          window: settlementDays === undefined ? null : { from_days: 0, to_days: settlementDays },
        });
        await cli.output.document(account, () => [`Account “${account.name}” added (ID ${account.id}).`]);
      }),
    );

  command
    .command('remove-account')
    .description('Remove an account that has no imports')
    .argument('<name>', 'name of the account')
    .action(
      handle(async (cli, name: string) => {
        const { client, site } = await cli.session.openSite();
        const [id] = (await findAccountIds(client, site, [name])) as [number];
        await client.bank.removeAccount({ site, id });
        await cli.output.document({ removed: name }, () => [`Account “${name}” removed.`]);
      }),
    );
};
