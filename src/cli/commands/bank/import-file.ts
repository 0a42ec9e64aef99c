import type { ImportPlan, ImportPlanRow } from '../../../contract/bank/bank-imports.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatImportPlan } from '../../formatters/bank.ts';
import { uploadFile } from '../../input/input-files.ts';
import { createIntegerParser, omitUndefined, parseWordList } from '../../input/options.ts';
import { parsePlanAnswers } from '../../input/plan-answers.ts';
import { fetchPages } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { type BankAccountKind, bankAccountKinds } from './account-commands.ts';

interface ImportOptions {
  readonly account?: string;
  readonly kind?: BankAccountKind;
  readonly profile?: string;
  readonly answer?: string[];
  readonly includeDuplicates?: string[];
  readonly preview?: true;
  readonly saveProfile?: string;
}

export const defineBankImportCommand: DefineCommand = (command) => {
  command
    .subcommand('import', 'Import a bank or processor file: CSV, XLSX, OFX/QFX, CAMT, MT940 or QIF')
    .argument('<file>', 'file to import')
    .option(
      '--account <name>',
      'account to import the lines into, added if it does not exist (default: the account named in the file)',
    )
    .choiceOption('--kind <kind>', 'kind of a new account (default: bank)', bankAccountKinds)
    .option('--profile <name>', 'profile for reading a CSV or XLSX file (default: detected from its columns)')
    .option(
      '--answer <key=value>',
      'value for a setting the file does not determine (repeatable)',
      parseWordList,
    )
    .option('--include-duplicates <rows>', 'rows to import even though identical lines exist', parseWordList)
    .option('--preview', 'show what would be imported without importing it')
    .option('--save-profile <name>', 'save the settings with which this file was read as a profile')
    .runOnSite(importFile);
};

async function importFile(context: SiteContext, path: string, options: ImportOptions): Promise<ExitCode> {
  context.interrupt.setMessage('Stopped. Nothing was imported from the file.');
  const plan = await planImport(context, path, options);
  const { excluded, doubtful } = await fetchReportedRows(context, plan);
  const isAlreadyImported = plan.rows.new === 0 && plan.rows.duplicate > 0;
  const isReadable = plan.rows.new + plan.rows.duplicate > 0 || plan.questions.length > 0;
  if (plan.blocker !== null && !isAlreadyImported && !(options.preview && isReadable))
    throw blockedError(plan.blocker, plan, excluded);
  if (options.saveProfile !== undefined) await saveProfile(context, plan, options.saveProfile);
  const canImport = plan.blocker === null && !options.preview;
  const imported = canImport ? await runImport(context, plan) : null;
  const { plan: _id, ...fields } = plan;
  const preview = options.preview === true;
  await context.output.document(
    { ...fields, doubtful_rows: doubtful, preview, import: imported, left_out: excluded },
    () => formatImportPlan(plan, { excluded, doubtful }, imported),
  );
  return getSuccessExitCode(plan.rows.failed === 0);
}

async function planImport(context: SiteContext, path: string, options: ImportOptions) {
  const { client, site } = context;
  const { account: name, kind, profile } = options;
  const account = name === undefined ? undefined : { name, ...omitUndefined({ kind }) };
  return await client.bank.plan({
    site,
    upload: await uploadFile(context, path),
    ...omitUndefined({ account, profile }),
    answers: parsePlanAnswers(options.answer ?? []),
    keep_rows: (options.includeDuplicates ?? []).map(createIntegerParser(1)),
  });
}

/** Fetches the rows that will not be imported and the new rows that look like duplicates or mistakes. */
async function fetchReportedRows({ client, site }: SiteContext, { plan }: ImportPlan) {
  const excluded: ImportPlanRow[] = [];
  const doubtful: ImportPlanRow[] = [];
  const query = { site, plan, remarked: true } as const;
  for await (const { rows } of fetchPages({ all: true }, (page) =>
    client.bank.planRows({ ...query, ...page }),
  )) {
    for (const row of rows) (row.verdict === 'new' ? doubtful : excluded).push(row);
  }
  return { excluded, doubtful };
}

/** Maximum number of possible answers to list in an error. Chosen by judgment. */
const MAX_LISTED_ANSWERS = 4;

/** Creates the error for a file that cannot be imported. Its hint names the missing options, or the first unreadable row. */
function blockedError(
  reason: string,
  { questions, account, rows }: ImportPlan,
  excluded: readonly ImportPlanRow[],
) {
  const [row] = excluded;
  if (rows.new + rows.duplicate + questions.length === 0 && row !== undefined)
    return createUsageError(reason, `${row.location}: ${row.reason}`);
  const answers = questions.map(({ key, readings }) =>
    readings
      .slice(0, MAX_LISTED_ANSWERS)
      .map(({ value }) => `--answer ${key}=${value}`)
      .concat(readings.length > MAX_LISTED_ANSWERS ? [`another --answer ${key}=VALUE`] : [])
      .join(' or '),
  );
  const missing = [...(account.by === null ? ['--account NAME'] : []), ...answers];
  return createUsageError(reason, missing.length === 0 ? undefined : `Add ${missing.join(', and ')}.`);
}

async function runImport(context: SiteContext, { plan }: ImportPlan) {
  const { client, site } = context;
  const { job } = await client.bank.import({ site, plan });
  await waitForJob(context, job);
  return await client.bank.getImport({ site, job });
}

async function saveProfile({ client, site }: SiteContext, { profile }: ImportPlan, name: string) {
  if (profile === null)
    throw createUsageError('A profile can be saved only for CSV and XLSX files.', 'Remove --save-profile.');
  await client.bank.saveProfile({ site, profile: { ...profile, name, label: name } });
}
