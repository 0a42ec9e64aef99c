import type { ArchiveFile, ArchiveHold, DeletionPreview } from '../../contract/archive-keeping.ts';
import { exit } from '../exit.ts';
import { wrongUsage } from '../failure.ts';
import { idsOfFile } from '../input/ids-file.ts';
import { type ListOptions, listOptions, numbers, whole } from '../input/options.ts';
import {
  type StatementFilterOptions,
  statementFilter,
  statementFilterOptions,
} from '../input/statement-filter.ts';
import { count, counted, minute, size } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Column } from '../output/table.ts';
import { makeSearchable } from '../searchable.ts';
import type { Define } from '../verbs.ts';

interface FilesOptions extends ListOptions, StatementFilterOptions {
  readonly pastRetention?: true;
  readonly onHold?: true;
  readonly damaged?: true;
}

/** How long PDFs are kept, what is held back, and how they are deleted. */
export const define: Define = (command, act) => {
  statementFilterOptions(
    listOptions(
      command.command('files').description('The statements whose PDFs are here, the oldest document first.'),
    ),
  )
    .option('--past-retention', 'only what is past its retention and on no hold')
    .option('--on-hold', 'only what is on hold')
    .option('--damaged', 'only what was found damaged or missing')
    .action(
      act.list(async (cli, options: FilesOptions) => {
        const { client, site } = await cli.session.local();
        const { archiveFile } = await import('../../contract/archive-keeping.ts');
        const selection = { site, filter: statementFilter(options), ...onlyOf(options) };
        await makeSearchable(cli, client, { ...selection, of: 'statements' });
        await cli.out.list<ArchiveFile>({
          columns: fileColumns,
          fields: Object.keys(archiveFile.shape),
          pages: pagesOf(options, (place) => client.archive.files({ ...selection, ...place })),
          footer: pageFooter('statements'),
          empty: 'The archive has none of that.',
        });
      }),
    );

  command
    .command('retention')
    .description('For how many years from their dates documents are kept; nothing is deleted by itself.')
    .option('--years <n>', 'keep them so many years', whole(1, 100))
    .option('--forever', 'keep them without end')
    .option('--reason <text>', 'why')
    .action(
      act(async (cli, { years, forever, reason }: { years?: number; forever?: true; reason?: string }) => {
        const { client, site } = await cli.session.local();
        if (years !== undefined && forever) throw wrongUsage('Give --years or --forever, not both.');
        if (years !== undefined || forever) {
          if (reason === undefined)
            throw wrongUsage('A retention is decided with a reason.', 'Add --reason TEXT.');
          await client.archive.retain({ site, years: years ?? null, reason });
        }
        const { retention_years, on_hold, past_retention } = await client.archive.summary({ site });
        await cli.out.document({ retention_years, on_hold, past_retention }, () => [
          retention_years === null
            ? 'Documents are kept without end.'
            : `Documents are kept ${counted(retention_years, 'year')} from their date.`,
          `${counted(past_retention, 'statement')} past retention and on no hold, ${count(on_hold)} on hold.`,
        ]);
      }),
    );

  command
    .command('hold')
    .description('Hold the PDFs of statements back from deletion, until it is released.')
    .argument('[statements...]', 'the statements', numbers)
    .option('--subscription <ids>', 'all statements of these subscriptions; may be given again', numbers)
    .option('--ids-file <file>', 'the statements of a file, or - for stdin')
    .requiredOption('--reason <text>', 'why')
    .action(
      act(
        async (
          cli,
          given: number[],
          options: ListedOptions & { subscription?: number[]; reason: string },
        ) => {
          const { client, site } = await cli.session.local();
          const statements = await listed(given, options);
          const { subscription: subscriptions = [], reason } = options;
          if (statements.length + subscriptions.length === 0) {
            throw wrongUsage('Nothing to hold.', 'Name statements, or give --ids-file or --subscription.');
          }
          const placed = await client.archive.hold({ site, statements, subscriptions, reason });
          await cli.out.document(placed, () => [
            `${counted(placed.placed, 'hold')} placed. See them with: tieout archive holds`,
          ]);
        },
      ),
    );

  listOptions(command.command('holds').description('The holds that stand, the newest first.'))
    .option('--lifted', 'those that were released')
    .action(
      act.list(async (cli, options: ListOptions & { lifted?: true }) => {
        const { client, site } = await cli.session.local();
        const { archiveHold } = await import('../../contract/archive-keeping.ts');
        const lifted = options.lifted === true;
        await cli.out.list<ArchiveHold>({
          columns: holdColumns,
          fields: Object.keys(archiveHold.shape),
          pages: pagesOf(options, (place) => client.archive.holds({ site, lifted, ...place })),
          footer: pageFooter('holds'),
          empty: lifted ? 'No hold was released.' : 'Nothing is on hold.',
        });
      }),
    );

  command
    .command('release')
    .description('Release holds, by their numbers.')
    .argument('<holds...>', 'the holds', numbers)
    .requiredOption('--reason <text>', 'why')
    .action(
      act(async (cli, holds: number[], { reason }: { reason: string }) => {
        const { client, site } = await cli.session.local();
        const done = await client.archive.release({ site, holds, reason });
        await cli.out.document(done, () => [`${counted(done.released, 'hold')} released.`]);
      }),
    );

  command
    .command('delete')
    .description(
      'Delete the PDFs of statements that are past their retention and on no hold: first looks the list through.',
    )
    .argument('[statements...]', 'the statements', numbers)
    .option('--ids-file <file>', 'the statements of a file, or - for stdin')
    .option('--confirm', 'delete them; without it nothing is deleted')
    .option('--reason <text>', 'why; needed to delete')
    .addHelpText(
      'after',
      '\nThe list may be made with: tieout archive files --past-retention --all --csv > list.csv\nWhat was deleted is not fetched again by itself.',
    )
    .action(
      act(async (cli, given: number[], options: ListedOptions & { confirm?: true; reason?: string }) => {
        const { client, site } = await cli.session.local();
        const statements = await listed(given, options);
        if (statements.length === 0)
          throw wrongUsage('No list to delete.', 'Name statements, or give --ids-file.');
        const { confirm, reason } = options;
        if (confirm && reason === undefined) {
          throw wrongUsage('A deletion needs a reason.', 'Add --reason TEXT.');
        }
        const preview = await client.archive.deletable({ site, statements });
        if (!confirm || preview.refused.length > 0) {
          await cli.out.document({ deleted: false, ...preview }, () => previewLines(preview));
          return preview.refused.length > 0 ? exit.found : exit.done;
        }
        const { list } = preview;
        const done = await client.archive.delete({ site, statements, list, reason: reason ?? '' });
        await cli.out.document({ deleted: true, ...done }, () => [
          `Deleted: the PDFs of ${counted(done.statements, 'statement')}, ${counted(done.versions, 'rendering')}, ${size(done.bytes)}.`,
        ]);
        return exit.done;
      }),
    );
};

interface ListedOptions {
  readonly idsFile?: string;
}

async function listed(given: readonly number[] | undefined, { idsFile }: ListedOptions): Promise<number[]> {
  const ids = idsFile === undefined ? [] : await idsOfFile(idsFile, 'statement');
  return [...new Set([...(given ?? []), ...ids])];
}

function onlyOf({ pastRetention, onHold, damaged }: FilesOptions) {
  const chosen = (
    [
      [pastRetention, 'past_retention'],
      [onHold, 'on_hold'],
      [damaged, 'damaged'],
    ] as const
  ).flatMap(([given, only]) => (given ? [only] : []));
  if (chosen.length > 1) throw wrongUsage('Give one of --past-retention, --on-hold and --damaged.');
  return chosen[0] === undefined ? {} : { only: chosen[0] };
}

function previewLines({ statements, versions, bytes, oldest, newest, refused }: DeletionPreview): string[] {
  const dates = oldest === null ? '' : `, documents of ${oldest} to ${newest}`;
  return [
    `${counted(statements, 'statement')}, ${counted(versions, 'rendering')}, ${size(bytes)}${dates}.`,
    ...refused.slice(0, 50).map(({ statement, why }) => `Must stay: ${statement}: ${why}`),
    ...(refused.length > 50 ? [`… and ${count(refused.length - 50)} more must stay`] : []),
    refused.length > 0
      ? 'Nothing was deleted. Take what must stay out of the list.'
      : 'Nothing was deleted. To delete them, run the same with --confirm --reason TEXT.',
  ];
}

const fileColumns: Column<ArchiveFile>[] = [
  { header: 'statement', cell: ({ statement }) => statement, align: 'right' },
  { header: 'subscription', cell: ({ subscription }) => subscription, align: 'right', spare: true },
  { header: 'customer', cell: ({ customer }) => customer, least: 12 },
  { header: 'date', cell: ({ date }) => date ?? '' },
  { header: 'kept until', cell: ({ kept_until }) => kept_until ?? 'without end' },
  { header: 'versions', cell: ({ versions }) => versions.length, align: 'right' },
  { header: 'size', cell: ({ bytes }) => size(bytes), align: 'right' },
  { header: 'state', cell: ({ versions }) => versions.at(-1)?.state ?? '', spare: true },
  { header: 'hold', cell: ({ hold }) => hold ?? '', least: 8 },
];

const holdColumns: Column<ArchiveHold>[] = [
  { header: 'hold', cell: ({ hold }) => hold, align: 'right' },
  {
    header: 'on',
    cell: ({ statement_id, subscription_id }) =>
      statement_id === null ? `subscription ${subscription_id}` : `statement ${statement_id}`,
  },
  { header: 'since (UTC)', cell: ({ placed_at }) => minute(placed_at) },
  { header: 'by', cell: ({ placed_by }) => placed_by },
  { header: 'reason', cell: ({ reason }) => reason, least: 16 },
  {
    header: 'released (UTC)',
    cell: ({ lifted_at }) => (lifted_at === null ? '' : minute(lifted_at)),
    spare: true,
  },
];
