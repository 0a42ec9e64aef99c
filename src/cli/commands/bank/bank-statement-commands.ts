import { describeBankStatementContinuity } from '../../../domain/labels/bank.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { bankStatementColumns } from '../../formatters/bank.ts';
import { uploadFile } from '../../input/input-files.ts';
import { createIntegerParser, omitUndefined, parseDate } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { findBankAccountIds } from './find-accounts.ts';

interface AddStatementOptions {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly opening: number;
  readonly closing: number;
  readonly number?: string;
  readonly currency?: string;
}

/** Parses an amount with two decimals, for example `1234.50`, to cents. */
function parseBalance(text: string): number {
  if (/^-?\d{1,13}\.\d\d$/.test(text)) return Number(text.replace('.', ''));
  throw createUsageError(
    `“${text}” is not an amount with two decimals.`,
    'Enter the balance as on the statement, for example 1234.50.',
  );
}

export const defineBankStatementCommands: DefineCommand = (command) => {
  command
    .subcommand('statements', 'List bank statements with their balances and the gaps between them')
    .option('--account <name>', 'only statements of this account')
    .listOnSite(async (context, { account }: { account?: string }) => {
      const { client, site, output } = context;
      const [id] = account === undefined ? [] : await findBankAccountIds(context, [account]);
      const figures = ['opening_in_cents', 'lines_in_cents', 'closing_in_cents'] as const;
      await output.list({
        columns: bankStatementColumns,
        fields: ['id', 'number', 'currency', 'from', 'to', ...figures, 'difference_in_cents', 'gap_in_cents'],
        pages: [
          { rows: await client.bank.statements({ site, ...omitUndefined({ account: id }) }), next: null },
        ],
        empty: 'No statement balances yet. Enter one with: tieout bank add-statement FILE --account NAME',
      });
    });

  command
    .subcommand('add-statement', 'Enter the balances of a bank statement and attach its file as the source')
    .argument('<file>', 'source file, for example a PDF of the statement')
    .requiredOption('--account <name>', 'account of the statement')
    .requiredOption('--from <date>', 'first day of the statement', parseDate)
    .requiredOption('--to <date>', 'last day of the statement', parseDate)
    .requiredOption('--opening <amount>', 'balance before the first day, for example 1234.50', parseBalance)
    .requiredOption('--closing <amount>', 'balance at the end of the last day', parseBalance)
    .option('--number <number>', 'number of the statement')
    .option('--currency <code>', 'currency of the balances (default: currency of the account)')
    .runOnSite(async (context, path: string, { account, ...options }: AddStatementOptions) => {
      const { client, site, output } = context;
      const [id] = (await findBankAccountIds(context, [account])) as [number];
      const { opening: opening_in_cents, closing: closing_in_cents, ...statement } = options;
      const upload = await uploadFile(context, path);
      const balances = { opening_in_cents, closing_in_cents };
      const added = await client.bank.addStatement({ site, account: id, ...statement, ...balances, upload });
      await output.document(added, () => [
        `Bank statement ${added.id} added. ${describeBankStatementContinuity(added)}.`,
      ]);
    });

  command
    .subcommand('remove-statement', 'Remove a manually entered bank statement; its file and history remain')
    .argument('<id>', 'ID of the bank statement', createIntegerParser(1))
    .reasonOption()
    .runOnSite(async ({ client, site, output }, id: number, { reason }: { reason: string }) => {
      await client.bank.removeStatement({ site, id, reason });
      await output.document({ removed: id }, () => [`Bank statement ${id} removed.`]);
    });
};
