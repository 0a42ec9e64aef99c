import { resolve } from 'node:path';
import type { ArchiveExport, ArchiveSummary } from '../../contract/archive.ts';
import type { Client } from '../../contract/contract.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import { whole } from '../input/options.ts';
import {
  type StatementFilterOptions,
  statementFilter,
  statementFilterOptions,
} from '../input/statement-filter.ts';
import { count, counted, minute, size } from '../output/figures.ts';
import type { Column } from '../output/table.ts';
import { makeSearchable } from '../searchable.ts';
import { sayMissing } from '../stands-on.ts';
import type { Define } from '../verbs.ts';
import { define as defineKeeping } from './archive-keeping.ts';

interface ExportOptions extends StatementFilterOptions {
  readonly output: string;
  readonly template?: string;
  readonly merge?: true;
  readonly preview?: true;
  readonly replace?: true;
}

export const define: Define = (command, act) => {
  command
    .command('status')
    .description('What the archive of statement PDFs holds, and how it was found when it was last read.')
    .action(
      act(async (cli) => {
        const { client, site } = await cli.session.local();
        const summary = await client.archive.summary({ site });
        await cli.out.document(summary, () => summaryLines(summary));
        return summary.wrong.length === 0 ? exit.done : exit.found;
      }),
    );

  statementFilterOptions(
    command.command('fetch').description('Fetch the PDFs of closed statements that are not in the archive.'),
  ).action(
    act(async (cli, options: StatementFilterOptions) => {
      const filter = statementFilter(options);
      const { client, site } = await cli.session.remote();
      await makeSearchable(cli, client, { site, of: 'statements', filter });
      cli.stop.onStop('Stopped; what was fetched is kept. Run the same command to go on.');
      return await finished(cli, client, site, (await client.archive.fetch({ site, filter })).job);
    }),
  );

  statementFilterOptions(
    command
      .command('export')
      .description(
        'Write statement PDFs with an index to a folder or a ZIP file: a bag (RFC 8493) that proves itself.',
      ),
  )
    .requiredOption('-o, --output <place>', 'a folder, or a file that ends in .zip')
    .option(
      '--template <names>',
      'how the files are named, such as {closed:YYYY}/{customer}_{id}; fields: id, subscription, customer, organization, opened, closed, settled',
    )
    .option('--merge', 'also put all PDFs together into volumes with an outline')
    .option('--preview', 'only tell what would be written')
    .option('--replace', 'replace a ZIP file that stands there')
    .addHelpText(
      'after',
      '\nInto the folder of an earlier export only what is new or different is written. Stopped, run: tieout archive resume ID',
    )
    .action(
      act(async (cli, options: ExportOptions) => {
        const { client, site } = await cli.session.local();
        const filter = statementFilter(options);
        await makeSearchable(cli, client, { site, of: 'statements', filter });
        await sayMissing(cli, client, { site, part: 'statements' });
        const path = resolve(options.output);
        const planned = await client.archive.plan({
          site,
          selection: { filter },
          target: { kind: /\.zip$/i.test(path) ? 'zip' : 'folder', path },
          merged: options.merge === true,
          replace: options.replace === true,
          ...(options.template === undefined ? {} : { template: options.template }),
        });
        if (options.preview) {
          await cli.out.document(planned, () => planLines(planned));
          return exit.done;
        }
        return await write(cli, client, site, planned.export);
      }),
    );

  command
    .command('resume')
    .description('Write an export that was planned or stopped.')
    .argument('<export>', 'the export')
    .action(
      act(async (cli, id: string) => {
        const { client, site } = await cli.session.local();
        return await write(cli, client, site, id);
      }),
    );

  command
    .command('exports')
    .description('The exports of the site, the newest first.')
    .option('--limit <n>', 'at most so many', whole(1, 200), 50)
    .action(
      act.list(async (cli, { limit }: { limit: number }) => {
        const { client, site } = await cli.session.local();
        const { archiveExport } = await import('../../contract/archive.ts');
        await cli.out.list<ArchiveExport>({
          columns,
          fields: Object.keys(archiveExport.shape),
          pages: [{ rows: await client.archive.exports({ site, limit }), next: null }],
          empty: 'Nothing was exported yet.',
        });
      }),
    );

  command
    .command('check')
    .description(
      'Read the files of the archive again: those not read for thirty days, or all. While the app is open it reads a thirtieth a day by itself.',
    )
    .option('--full', 'all of them')
    .action(
      act(async (cli, { full }: { full?: true }) => {
        const { client, site } = await cli.session.local();
        cli.stop.onStop('Stopped; what was read is noted.');
        const { job } = await client.archive.check({ site, all: full === true });
        const { error } = await followJob(cli, client, { site, job });
        if (cli.stop.signal.aborted) return exit.interrupted;
        if (error !== null) throw failureOf(error);
        const summary = await client.archive.summary({ site });
        await cli.out.document(summary, () => summaryLines(summary));
        return summary.wrong.length === 0 ? exit.done : exit.found;
      }),
    );

  defineKeeping(command, act);

  command
    .command('mend')
    .description('Set damaged files aside, where they are kept, and fetch their statements’ PDFs again.')
    .action(
      act(async (cli) => {
        const { client, site } = await cli.session.remote();
        cli.stop.onStop('Stopped; run the same command to go on.');
        return await finished(cli, client, site, (await client.archive.mend({ site })).job);
      }),
    );
};

async function finished(cli: Cli, client: Client, site: string, job: string): Promise<Exit> {
  const last = await followJob(cli, client, { site, job });
  if (cli.stop.signal.aborted) return exit.interrupted;
  if (last.error !== null) throw failureOf(last.error);
  await cli.out.document({ summary: last.summary, progress: last.progress }, () => [last.summary ?? 'Done.']);
  return exit.done;
}

async function write(cli: Cli, client: Client, site: string, id: string): Promise<Exit> {
  cli.stop.onStop(`Stopped; what is written is whole. Go on with: tieout archive resume ${id}`);
  const { job } = await client.archive.export({ site, export: id });
  const { error } = await followJob(cli, client, { site, job });
  if (cli.stop.signal.aborted) return exit.interrupted;
  if (error !== null) throw failureOf(error);
  const done = await client.archive.get({ site, export: id });
  await cli.out.document(done, () => doneLines(done));
  const clean = done.not_held === 0 && done.result?.damaged.length === 0 && done.result.problems === 0;
  return clean ? exit.done : exit.found;
}

function planLines({
  description,
  count: all,
  not_held,
  bytes,
  target,
  names,
  template,
}: ArchiveExport): string[] {
  return [
    `${counted(all, 'statement')} (${description}), ${size(bytes)}, to ${target.path}`,
    ...(not_held === 0 ? [] : [notHeld(not_held)]),
    `Named by ${template}, such as:`,
    ...names.map((name) => `  ${name}`),
  ];
}

function doneLines({ target, result, not_held }: ArchiveExport): string[] {
  if (result === null) return [];
  const { written, kept, earlier, damaged, problems, receipt, files, bytes } = result;
  return [
    `${target.path}: ${counted(written, 'PDF')} written${kept === 0 ? '' : `, ${count(kept)} there already`}${earlier === 0 ? '' : `, ${counted(earlier, 'file')} of earlier exports left`}.`,
    ...(not_held === 0 ? [] : [notHeld(not_held)]),
    ...damaged.map((name) => `Damaged in the archive, left out: ${name}`),
    problems === 0
      ? `Read again and sound: ${counted(files, 'file')}, ${size(bytes)}.`
      : `Read again: ${counted(problems, 'problem')}. See: tieout verify ${target.path}`,
    `Receipt: ${receipt}`,
  ];
}

const notHeld = (statements: number) =>
  `${counted(statements, 'statement')} without a PDF in the archive: listed in the index only. Fetch them with: tieout archive fetch`;

function summaryLines({
  statements,
  held,
  files,
  bytes,
  versions,
  checked,
  oldest_check,
  wrong,
  lost,
  oldest,
  newest,
  on_hold,
  past_retention,
  retention_years,
  deleted,
}: ArchiveSummary) {
  const kept =
    retention_years === null ? 'without end' : `${counted(retention_years, 'year')} from their date`;
  return [
    `${count(held)} of ${counted(statements, 'closed statement')} have their PDF here; ${counted(files, 'file')}, ${size(bytes)}, ${counted(versions, 'rendering')}.`,
    ...(oldest === null ? [] : [`Documents of ${oldest} to ${newest}, kept ${kept}.`]),
    ...(on_hold === 0 ? [] : [`${counted(on_hold, 'statement')} on hold. See: tieout archive holds`]),
    ...(past_retention === 0
      ? []
      : [
          `${counted(past_retention, 'statement')} past retention and on no hold. See: tieout archive files --past-retention`,
        ]),
    ...(deleted === 0 ? [] : [`The PDFs of ${counted(deleted, 'statement')} were deleted by hand.`]),
    ...(lost === 0
      ? []
      : [`${counted(lost, 'file')} of older renderings damaged or missing: nobody has them any more.`]),
    oldest_check === null
      ? `${count(checked)} of ${counted(files, 'file')} were read again since they were stored. Read all: tieout archive check --full`
      : `Every file was read again since ${minute(oldest_check)} UTC.`,
    ...wrong.map(
      ({ sha256, state, statements: ids }) => `${state}: ${sha256}, of statement ${ids.join(', ')}`,
    ),
    ...(wrong.length === 0 ? [] : ['Fetch them again with: tieout archive mend']),
  ];
}

const columns: Column<ArchiveExport>[] = [
  { header: 'export', cell: (row) => row.export },
  { header: 'made (UTC)', cell: ({ made_at }) => minute(made_at) },
  { header: 'state', cell: ({ state }) => state },
  { header: 'statements', cell: (row) => count(row.count), align: 'right' },
  { header: 'size', cell: ({ bytes }) => size(bytes), align: 'right' },
  { header: 'what', cell: ({ description }) => description, least: 16 },
  { header: 'to', cell: ({ target }) => target.path, least: 16 },
];
