import type { JournalEntry } from '../../../contract/general-ledger/journal.ts';
import { journalFormatLabels } from '../../../domain/labels/general-ledger.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { formatJournalEntries } from '../../formatters/general-ledger.ts';
import {
  omitUndefined,
  parseDate,
  parseIntegerList,
  parseMonth,
  parseWordList,
} from '../../input/options.ts';
import { formatCount } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions } from '../period/period-options.ts';

type JournalFormat = keyof typeof journalFormatLabels;

interface AddOptions extends PeriodOptions {
  readonly memo: string;
  readonly debit: string[];
  readonly credit: string[];
  readonly date?: string;
  readonly currency?: string;
  readonly reverseOn?: string;
  readonly monthly?: true;
  readonly until?: string;
}

export const defineJournalCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List journal entries with their lines')
    .option('--period <month>', 'only entries of this period, as YYYY-MM', parseMonth)
    .runOnSite(async ({ client, site, output }, { period }: Partial<PeriodOptions>) => {
      const entries = await client.journal.list({ site, ...omitUndefined({ period }) });
      await output.document({ entries }, () => formatJournalEntries(entries));
    });

  command
    .subcommand('propose', 'Propose journal entries for the explained differences of a period')
    .with(addPeriodOption)
    .runOnSite(async ({ client, site, output }, { period }: PeriodOptions) => {
      const entries = await client.journal.propose({ site, period });
      await output.document({ entries }, () => formatJournalEntries(entries));
    });

  defineAdd(command);

  command
    .subcommand('approve', 'Approve proposed journal entries and number them')
    .argument(
      '[ids...]',
      'IDs of the entries (default: all proposed entries of the period)',
      parseIntegerList,
    )
    .option('--period <month>', 'period whose proposed entries are approved, as YYYY-MM', parseMonth)
    .runOnSite(async ({ client, site, output }, given: number[], { period }: Partial<PeriodOptions>) => {
      const isAll = given.length === 0;
      if (isAll && period === undefined)
        throw createUsageError(
          'No journal entries are selected.',
          'Add the IDs of entries, or --period MONTH.',
        );
      const proposed = isAll ? await client.journal.list({ site, ...omitUndefined({ period }) }) : [];
      const ids = isAll ? proposed.filter(({ state }) => state === 'proposed').map(({ id }) => id) : given;
      const entries: JournalEntry[] = ids.length === 0 ? [] : await client.journal.approve({ site, ids });
      await output.document({ entries }, () => formatJournalEntries(entries));
    });

  command
    .subcommand('discard', 'Discard journal entries that are not posted')
    .argument('<ids...>', 'IDs of the entries', parseIntegerList)
    .reasonOption()
    .runOnSite(async ({ client, site, output }, ids: number[], { reason }: { reason: string }) => {
      const entries = await client.journal.discard({ site, ids, reason });
      await output.document({ entries }, () => [
        `${formatCount(entries.length, 'entry', 'entries')} discarded.`,
      ]);
    });
  defineExport(command);
};

const defineAdd: DefineCommand = (command) => {
  command
    .subcommand('add', 'Add a journal entry')
    .with(addPeriodOption)
    .requiredOption('--memo <text>', 'text of the entry')
    .requiredOption('--debit <account=amount>', 'debit, for example 6855=12.50 (repeatable)', parseWordList)
    .requiredOption('--credit <account=amount>', 'credit, for example 1360=12.50 (repeatable)', parseWordList)
    .option('--date <date>', 'date of the entry (default: last day of the period)', parseDate)
    .option('--currency <code>', 'currency of the entry (default: the site’s currency)')
    .option('--reverse-on <date>', 'date on which a reversing entry is proposed', parseDate)
    .option('--monthly', 'propose the entry again in each later period')
    .option('--until <month>', 'last period of a monthly entry, as YYYY-MM', parseMonth)
    .runOnSite(async ({ client, site, output }, options: AddOptions) => {
      const { period, memo, debit, credit, date: dated_on, currency, until: repeats_until } = options;
      const lines = [
        ...debit.map(parseLine).map(({ account, cents }) => ({ account, debit_in_cents: cents })),
        ...credit.map(parseLine).map(({ account, cents }) => ({ account, credit_in_cents: cents })),
      ];
      const repeats = options.monthly ? ('monthly' as const) : undefined;
      const more = omitUndefined({
        dated_on,
        currency,
        repeats,
        repeats_until,
        reverses_on: options.reverseOn,
      });
      const entry = await client.journal.add({ site, period, memo, lines, ...more });
      await output.document(entry, () => formatJournalEntries([entry]));
    });
};

const defineExport: DefineCommand = (command) => {
  command
    .subcommand('export', 'Write the approved journal entries of a period as a file for an accounting system')
    .with(addPeriodOption)
    .requiredOption('--format <format>', `one of ${Object.keys(journalFormatLabels).join(', ')}`, parseFormat)
    .requiredOption('-o, --output <file>', 'file to write')
    .option('--replace', 'overwrite an existing file')
    .option('--again', 'include entries that were exported before')
    .runOnSite(
      async (
        context,
        options: PeriodOptions & { format: JournalFormat; output: string; replace?: true; again?: true },
      ) => {
        const { client, site, output } = context;
        const { prepareOutputFile } = await import('../shared/write-verified-file.ts');
        const file = await prepareOutputFile(context, options);
        const { period, format, again = false } = options;
        const { text, sha256, entries } = await client.journal.export({ site, period, format, again });
        await file.writeText(text, sha256);
        await output.document({ file: file.path, format, sha256, entries }, () => [
          `${file.path}: ${formatCount(entries.length, 'journal entry', 'journal entries')}.`,
        ]);
      },
    );
};

function parseFormat(text: string): JournalFormat {
  if (text in journalFormatLabels) return text as JournalFormat;
  throw createUsageError(
    `“${text}” is not a format.`,
    `Use one of: ${Object.keys(journalFormatLabels).join(', ')}.`,
  );
}

function parseLine(text: string): { account: string; cents: number } {
  const separator = text.lastIndexOf('=');
  const amount = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text.slice(separator + 1));
  if (separator < 1 || amount === null)
    throw createUsageError(
      `“${text}” is not a line of an entry.`,
      'Use ACCOUNT=AMOUNT, for example 6855=12.50.',
    );
  return {
    account: text.slice(0, separator),
    cents: Number(amount[1]) * 100 + Number((amount[2] ?? '').padEnd(2, '0')),
  };
}
