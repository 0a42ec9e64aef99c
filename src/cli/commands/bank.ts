import type { BankImport, BankProfile, ImportPlan, PlanRow } from '../../contract/bank-imports.ts';
import type { BankAccount, BankLine } from '../../contract/bank-lines.ts';
import type { Client } from '../../contract/contract.ts';
import type { Cli } from '../act.ts';
import { exit } from '../exit.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import {
  choice,
  date,
  given,
  type ListOptions,
  listOptions,
  someOf,
  whole,
  words,
} from '../input/options.ts';
import { uploadFile } from '../input/upload.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Define } from '../verbs.ts';
import { accountColumns, importColumns, lineColumns, planLines, profileColumns } from '../words/bank.ts';

const kinds = ['bank', 'processor', 'ledger'] as const;
const states = ['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored'] as const;

interface ImportOptions {
  readonly account?: string;
  readonly kind?: (typeof kinds)[number];
  readonly profile?: string;
  readonly answer?: string[];
  readonly keepRows?: string[];
  readonly preview?: true;
  readonly saveProfile?: string;
}

interface LineOptions extends ListOptions {
  readonly account?: string[];
  readonly import?: number;
  readonly state?: (typeof states)[number][];
  readonly flow?: 'in' | 'out';
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
  readonly sort: 'booked_on' | 'amount_in_cents';
  readonly direction: 'asc' | 'desc';
}

export const define: Define = (command, act) => {
  command
    .command('import')
    .description('Bring in a file of a bank or a payment processor: CSV, XLSX, OFX/QFX, CAMT, MT940, QIF.')
    .argument('<file>', 'the file')
    .option(
      '--account <name>',
      'the account it is of, a new one is made; without it, the one that the file tells',
    )
    .addOption(choice('--kind <kind>', 'what a new account is (bank)', kinds))
    .option('--profile <name>', 'how a table is read; without it, it is recognised by its columns')
    .option('--answer <key=value>', 'answers what the file leaves open; may be given again', words)
    .option('--keep-rows <rows>', 'rows to bring in although lines like them are held', words)
    .option('--preview', 'say what it would do, and do nothing')
    .option('--save-profile <name>', 'keep how the table was read, for its next file')
    .action(act((cli, file: string, options: ImportOptions) => importFile(cli, file, options)));

  command
    .command('accounts')
    .description('The accounts, and what is held of each.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const rows = await client.bank.accounts({ site });
        await cli.out.list<BankAccount>({
          columns: accountColumns,
          fields: ['id', 'name', 'kind', 'currency', 'number', 'lines', 'imports', 'first_on', 'last_on'],
          pages: [{ rows, next: null }],
          empty: 'There is no account yet. Bring in a file with: tieout bank import FILE --account NAME',
        });
      }),
    );

  command
    .command('add-account')
    .description('Make an account.')
    .argument('<name>', 'what it is called')
    .addOption(choice('--kind <kind>', 'what it is', kinds).default('bank'))
    .option('--currency <code>', 'of lines for which no file names one')
    .option('--within <days>', 'money arrives within so many days after the payment', whole(0, 120))
    .action(
      act(
        async (
          cli,
          name: string,
          { kind, currency, within }: { kind: (typeof kinds)[number]; currency?: string; within?: number },
        ) => {
          const { client, site } = await cli.session.local();
          const account = await client.bank.saveAccount({
            site,
            name,
            kind,
            currency: currency ?? null,
            window: within === undefined ? null : { from_days: 0, to_days: within },
          });
          await cli.out.document(account, () => [`Account ${account.id}, “${account.name}”, was made.`]);
          return undefined;
        },
      ),
    );

  command
    .command('remove-account')
    .description('Forget an account that no file was ever brought into.')
    .argument('<name>', 'the account')
    .action(
      act(async (cli, name: string) => {
        const { client, site } = await cli.session.local();
        const [id] = (await accountIds(client, site, [name])) as [number];
        await client.bank.removeAccount({ site, id });
        await cli.out.document({ removed: name }, () => [`Account “${name}” was removed.`]);
        return undefined;
      }),
    );

  command
    .command('profiles')
    .description('The profiles by which tables are read.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const rows = await client.bank.profiles({ site });
        await cli.out.list<BankProfile>({
          columns: profileColumns,
          fields: ['name', 'label', 'source', 'built_in'],
          pages: [{ rows, next: null }],
          empty: 'There is no profile.',
        });
      }),
    );

  command
    .command('remove-profile')
    .description('Forget a saved profile. What was imported by it stays.')
    .argument('<name>', 'the profile')
    .action(
      act(async (cli, name: string) => {
        const { client, site } = await cli.session.local();
        await client.bank.removeProfile({ site, name });
        await cli.out.document({ removed: name }, () => [`Profile ${name} was removed.`]);
        return undefined;
      }),
    );

  command
    .command('source')
    .description('The file of an import, as it was given.')
    .argument('<id>', 'the import', whole(1))
    .requiredOption('-o, --output <file>', 'the file to write')
    .action(
      act(async (cli, id: number, { output }: { output: string }) => {
        const { writeSource } = await import('./bank-source.ts');
        const written = await writeSource(cli, id, output);
        await cli.out.document(written, () => [`${written.file}: ${written.bytes} bytes.`]);
        return undefined;
      }),
    );

  listOptions(command.command('imports').description('What was imported, the newest first.')).action(
    act.list(async (cli, options: ListOptions) => {
      const { client, site } = await cli.session.local();
      await cli.out.list<BankImport>({
        columns: importColumns,
        fields: ['id', 'state', 'file', 'bytes', 'sha256', 'format', 'at', 'who', 'first_on', 'last_on'],
        pages: pagesOf(options, (place) => client.bank.imports({ site, ...place })),
        footer: pageFooter('imports'),
        empty: 'Nothing was imported yet.',
      });
    }),
  );

  listOptions(command.command('lines').description('The lines of the accounts, the newest first.'))
    .option('--account <name>', 'only of this account; may be given again', words)
    .option('--import <id>', 'only of this import', whole(1))
    .option('--state <list>', `any of ${states.join(', ')}`, someOf(states))
    .addOption(choice('--flow <direction>', 'only money that came in, or went out', ['in', 'out']))
    .option('--since <day>', 'booked on or after this day', date)
    .option('--until <day>', 'booked on or before this day', date)
    .option('--search <text>', 'words of its texts and ids, or an amount as 19.90')
    .addOption(choice('--sort <field>', 'order by', ['booked_on', 'amount_in_cents']).default('booked_on'))
    .addOption(choice('--direction <direction>', 'asc or desc', ['asc', 'desc']).default('desc'))
    .action(
      act.list(async (cli, options: LineOptions) => {
        const { client, site } = await cli.session.local();
        const { bankLine } = await import('../../contract/bank-lines.ts');
        const filter = await lineFilter(client, site, options);
        const sort = { by: options.sort, direction: options.direction };
        await cli.out.list<BankLine>({
          columns: lineColumns,
          fields: Object.keys(bankLine.shape),
          pages: pagesOf(options, (place) => client.bank.lines({ site, filter, sort, ...place })),
          footer: pageFooter('lines'),
          empty: 'No line fits.',
        });
      }),
    );

  command
    .command('remove-import')
    .description('Take an import back as a whole, with the matches its lines are in.')
    .argument('<id>', 'the import', whole(1))
    .requiredOption('--reason <text>', 'why')
    .action(
      act(async (cli, id: number, { reason }: { reason: string }) => {
        const { client, site } = await cli.session.local();
        const { job } = await client.bank.removeImport({ site, id, reason });
        const ended = await followJob(cli, client, { site, job });
        if (ended.error !== null) throw failureOf(ended.error);
        const removed = await client.bank.getImport({ site, id });
        await cli.out.document(removed, () => [ended.summary ?? '']);
        return undefined;
      }),
    );
};

async function importFile(cli: Cli, path: string, options: ImportOptions) {
  const { client, site } = await cli.session.local();
  cli.stop.onStop('Stopped; nothing of the file was kept.');
  const upload = await uploadFile(client, site, path);
  const plan = await client.bank.plan({
    site,
    upload,
    ...(options.account === undefined ? {} : { account: accountOf(options.account, options.kind) }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    answers: answersOf(options.answer ?? []),
    keep_rows: (options.keepRows ?? []).map(whole(1)),
  });
  const left_out: PlanRow[] = [];
  const doubtful: PlanRow[] = [];
  for await (const page of pagesOf({ all: true }, (place) =>
    client.bank.planRows({ site, plan: plan.plan, remarked: true, ...place }),
  )) {
    for (const row of page.rows) (row.verdict === 'new' ? doubtful : left_out).push(row);
  }
  const nothing = plan.rows.new === 0 && plan.rows.duplicate > 0;
  if (plan.hindrance !== null && !nothing && !options.preview) {
    const keys = plan.questions.map(({ key, readings }) =>
      readings.map(({ value }) => `--answer ${key}=${value}`).join(' or '),
    );
    const add = [...(plan.account.by === null ? ['--account NAME'] : []), ...keys];
    throw wrongUsage(plan.hindrance, add.length === 0 ? undefined : `Add ${add.join(', and ')}.`);
  }
  if (options.saveProfile !== undefined) await keepProfile(client, site, plan, options.saveProfile);
  let done: BankImport | null = null;
  if (plan.hindrance === null && !options.preview) {
    const { job } = await client.bank.import({ site, plan: plan.plan });
    const ended = await followJob(cli, client, { site, job });
    if (cli.stop.signal.aborted) return exit.interrupted;
    if (ended.error !== null) throw failureOf(ended.error);
    done = await client.bank.getImport({ site, job });
  }
  const { plan: _plan, ...shown } = plan;
  await cli.out.document(
    { ...shown, doubtful_rows: doubtful, preview: options.preview === true, import: done, left_out },
    () => planLines(plan, { leftOut: left_out, doubtful }, done),
  );
  return plan.rows.failed > 0 ? exit.found : exit.done;
}

const accountOf = (name: string, kind: ImportOptions['kind']) => ({
  name,
  ...(kind === undefined ? {} : { kind }),
});

/** Keeps what a plan found of a table under a name; its headers tell the next one. */
async function keepProfile(client: Client, site: string, { profile }: ImportPlan, name: string) {
  if (profile === null)
    throw wrongUsage('Only tables (CSV, XLSX) are read by a profile.', 'Leave out --save-profile.');
  await client.bank.saveProfile({ site, profile: { ...profile, name, label: name } });
}

function answersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((answer) => {
      const at = answer.indexOf('=');
      if (at < 1) throw wrongUsage(`“${answer}” is no answer.`, 'Give it as key=value.');
      return [answer.slice(0, at), answer.slice(at + 1)];
    }),
  );
}

async function lineFilter(client: Client, site: string, options: LineOptions) {
  const { account, import: of, state, flow, since, until, search } = options;
  return {
    ...(account === undefined ? {} : { account: await accountIds(client, site, account) }),
    ...given({ import: of, state, flow, since, until, search }),
  };
}

/** The accounts of these names. */
export async function accountIds(client: Client, site: string, names: readonly string[]): Promise<number[]> {
  const accounts = await client.bank.accounts({ site });
  return names.map((name) => {
    const found = accounts.find((account) => account.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found.id;
    const known = accounts.map((account) => account.name).join(', ');
    throw wrongUsage(
      `There is no account “${name}”.`,
      known === '' ? 'Import a file first.' : `There are: ${known}.`,
    );
  });
}
