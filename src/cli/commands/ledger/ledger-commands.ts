import type { LedgerAccount, LedgerPlan } from '../../../contract/general-ledger/ledger.ts';
import { ledgerAreaLabels } from '../../../domain/labels/general-ledger.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import {
  formatLedgerPlan,
  ledgerAccountColumns,
  ledgerImportColumns,
  ledgerLineColumns,
} from '../../formatters/general-ledger.ts';
import { uploadFile } from '../../input/input-files.ts';
import {
  createIntegerParser,
  omitUndefined,
  type PagingOptions,
  parseDate,
  parseWordList,
} from '../../input/options.ts';
import { parsePlanAnswers } from '../../input/plan-answers.ts';
import { formatCount } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';

type Area = NonNullable<LedgerAccount['area']>;

interface ImportOptions {
  readonly answer?: string[];
  readonly currency?: string;
  readonly asOf?: string;
  readonly preview?: true;
  readonly replace?: true;
}

export const defineLedgerCommands: DefineCommand = (command) => {
  command
    .subcommand('import', 'Import a trial balance or account activity: CSV or XLSX')
    .argument('<file>', 'file from QuickBooks, Xero, NetSuite, DATEV or Sage')
    .option(
      '--answer <key=value>',
      'value for a setting the file does not determine (repeatable)',
      parseWordList,
    )
    .option(
      '--currency <code>',
      'currency of amounts for which the file specifies none (default: the site’s currency)',
    )
    .option('--as-of <date>', 'date of the trial balance, if the file does not contain it', parseDate)
    .option('--preview', 'show what would be imported without importing it')
    .option('--replace', 'replace earlier imports of the same accounts and days')
    .runOnSite(importLedgerFile);

  command
    .subcommand('accounts', 'List ledger accounts with their mapped areas')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: ledgerAccountColumns,
        fields: ['account', 'name', 'area', 'lines', 'balances', 'first_on', 'last_on'],
        pages: [{ rows: await client.ledger.accounts({ site }), next: null }],
        empty: 'No ledger file has been imported yet. Import one with: tieout ledger import FILE',
      });
    });

  command
    .subcommand('map', 'Map ledger accounts to areas')
    .argument('<account=area...>', `areas: ${[...Object.keys(ledgerAreaLabels), 'none'].join(', ')}`)
    .runOnSite(async ({ client, site, output }, mappings: string[]) => {
      const accounts = await client.ledger.mapAccounts({ site, accounts: mappings.map(parseMapping) });
      await output.document({ accounts }, () => [`${formatCount(mappings.length, 'account')} mapped.`]);
    });

  defineRowCommands(command);
};

const defineRowCommands: DefineCommand = (command) => {
  command
    .subcommand('imports', 'List ledger imports, newest first')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: ledgerImportColumns,
        fields: [
          'id',
          'kind',
          'state',
          'file',
          'sha256',
          'rows',
          'first_on',
          'last_on',
          'debit_in_cents',
          'credit_in_cents',
        ],
        pages: [{ rows: await client.ledger.imports({ site }), next: null }],
        empty: 'No ledger file has been imported yet. Import one with: tieout ledger import FILE',
      });
    });

  command
    .subcommand('lines', 'List ledger lines by date')
    .option('--account <account>', 'only lines of this account')
    .option('--since <date>', 'only lines on or after this date', parseDate)
    .option('--until <date>', 'only lines on or before this date', parseDate)
    .pageOptions()
    .listOnSite((context, options: PagingOptions & { account?: string; since?: string; until?: string }) => {
      const { client, site } = context;
      const { account, since, until } = options;
      return printList(context, options, {
        columns: ledgerLineColumns,
        fields: [
          'id',
          'import',
          'row',
          'account',
          'area',
          'dated_on',
          'amount_in_cents',
          'currency',
          'entry',
          'text',
        ],
        fetchPage: (page) =>
          client.ledger.lines({ site, ...omitUndefined({ account, since, until }), ...page }),
        noun: 'ledger lines',
        empty: 'No ledger line matches.',
      });
    });

  command
    .subcommand('remove-import', 'Remove the rows of a ledger import')
    .argument('<id>', 'ID of the import', createIntegerParser(1))
    .reasonOption()
    .runOnSite(async ({ client, site, output }, id: number, { reason }: { reason: string }) => {
      const removed = await client.ledger.removeImport({ site, id, reason });
      await output.document(removed, () => [
        `Ledger import ${id} removed (${formatCount(removed.rows, 'row')}).`,
      ]);
    });
};

function parseMapping(mapping: string): { account: string; area: Area | null } {
  const separator = mapping.lastIndexOf('=');
  const area = mapping.slice(separator + 1);
  if (separator < 1 || !(area === 'none' || area in ledgerAreaLabels))
    throw createUsageError(
      `“${mapping}” is not a valid mapping.`,
      `Use ACCOUNT=AREA with one of: ${[...Object.keys(ledgerAreaLabels), 'none'].join(', ')}.`,
    );
  return { account: mapping.slice(0, separator), area: area === 'none' ? null : (area as Area) };
}

async function importLedgerFile(context: SiteContext, path: string, options: ImportOptions): Promise<void> {
  const { client, site, output } = context;
  const { answer = [], currency, asOf: as_on, preview, replace } = options;
  const input = {
    ...{ site, upload: await uploadFile(context, path), answers: parsePlanAnswers(answer) },
    ...omitUndefined({ currency, as_on }),
  };
  const plan = await client.ledger.plan(input);
  if (preview) {
    await output.document({ ...plan, import: null }, () => formatLedgerPlan(plan));
    return;
  }
  if (plan.blocker !== null) throw createUsageError(plan.blocker, findHint(plan));
  const imported = await client.ledger.import({ ...input, replace: replace === true });
  const { posted_entries: posted } = imported;
  await output.document({ ...plan, import: imported }, () => [
    formatLedgerPlan(plan),
    `Imported as ledger import ${imported.id}.`,
    posted.length > 0 && `Journal entries found in it: ${posted.join(', ')}.`,
  ]);
}

/** Returns the options that resolve the blocker of an import plan, or else the plan's first problem. */
function findHint({ questions, kind, last_on, rows, problems }: LedgerPlan): string | undefined {
  if (questions.length > 0) {
    const answers = questions.map(({ key, readings }) =>
      readings.map(({ value }) => `--answer ${key}=${value}`).join(' or '),
    );
    return `Add ${answers.join(', and ')}.`;
  }
  if (kind === 'balances' && last_on === null && rows > 0) return 'Add --as-of DATE.';
  const [first] = problems;
  return first === undefined ? undefined : `${first.location}: ${first.reason}`;
}
