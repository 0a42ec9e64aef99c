import { bankAccountKindLabels } from '../../../domain/labels/bank.ts';
import { bankAccountColumns } from '../../formatters/bank.ts';
import { createIntegerParser } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { findBankAccountIds } from './find-accounts.ts';

export type BankAccountKind = keyof typeof bankAccountKindLabels;
export const bankAccountKinds = Object.keys(bankAccountKindLabels) as BankAccountKind[];

interface AddAccountOptions {
  readonly kind: BankAccountKind;
  readonly currency?: string;
  readonly settlementDays?: number;
}

export const defineAccountCommands: DefineCommand = (command) => {
  command
    .subcommand('accounts', 'List bank accounts with their number of lines and date range')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: bankAccountColumns,
        fields: ['id', 'name', 'kind', 'currency', 'number', 'lines', 'imports', 'first_on', 'last_on'],
        pages: [{ rows: await client.bank.accounts({ site }), next: null }],
        empty: 'There are no accounts yet. Import a file with: tieout bank import FILE --account NAME',
      });
    });

  command
    .subcommand('add-account', 'Add an account')
    .argument('<name>', 'name of the account')
    .choiceOption('--kind <kind>', 'kind of account', bankAccountKinds, 'bank')
    .option('--currency <code>', 'currency of lines for which the file specifies none')
    .option(
      '--settlement-days <days>',
      'maximum number of days from payment to receipt',
      createIntegerParser(0, 120),
    )
    .runOnSite(async ({ client, site, output }, name: string, options: AddAccountOptions) => {
      const { kind, currency = null, settlementDays } = options;
      const window = settlementDays === undefined ? null : { from_days: 0, to_days: settlementDays };
      const account = await client.bank.saveAccount({ site, name, kind, currency, window });
      await output.document(account, () => [`Account “${account.name}” added (ID ${account.id}).`]);
    });

  command
    .subcommand('remove-account', 'Remove an account that has no imports')
    .argument('<name>', 'name of the account')
    .runOnSite(async (context, name: string) => {
      const { client, site, output } = context;
      const [id] = (await findBankAccountIds(context, [name])) as [number];
      await client.bank.removeAccount({ site, id });
      await output.document({ removed: name }, () => [`Account “${name}” removed.`]);
    });
};
