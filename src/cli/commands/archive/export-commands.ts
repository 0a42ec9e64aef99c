import { resolve } from 'node:path';
import type { ArchiveExport } from '../../../contract/archive/archive.ts';
import type { Client } from '../../../contract/contract.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { archiveExportColumns, formatExportPlan, formatExportResult } from '../../formatters/archive.ts';
import { createIntegerParser, omitUndefined } from '../../input/options.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../../input/statement-filter.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';

interface ExportOptions extends StatementFilterOptions {
  readonly output: string;
  readonly template?: string;
  readonly merge?: true;
  readonly preview?: true;
  readonly replace?: true;
}

export const defineExportCommands: DefineCommand = (command, handle) => {
  addStatementFilterOptions(
    command
      .command('export')
      .description('Export statement PDFs with an index as a BagIt folder or ZIP file (RFC 8493)'),
  )
    .requiredOption('-o, --output <path>', 'folder, or file name that ends in .zip')
    .option(
      '--template <template>',
      'template for file names, for example {closed:YYYY}/{customer}_{id}; fields: id, subscription, customer, organization, opened, closed, settled',
    )
    .option('--merge', 'also combine all PDFs into volumes with an outline')
    .option('--preview', 'show what would be exported without writing it')
    .option('--replace', 'overwrite an existing ZIP file')
    .addHelpText(
      'after',
      '\nExporting to the folder of an earlier export writes only new and changed files.\nTo resume an export that was stopped, run: tieout archive resume ID',
    )
    .action(
      handle(async (cli, options: ExportOptions) => {
        const { client, site } = await cli.session.openSite();
        const filter = toStatementFilter(options);
        await indexForSearch(cli, client, { site, of: 'statements', filter });
        await printMissingDataNote(cli, client, { site, part: 'statements' });
        const path = resolve(options.output);
        const plan = await client.archive.plan({
          site,
          selection: { filter },
          target: { kind: /\.zip$/i.test(path) ? 'zip' : 'folder', path },
          merged: options.merge === true,
          replace: options.replace === true,
          ...omitUndefined({ template: options.template }),
        });
        if (!options.preview) return await writeExport(cli, client, site, plan.export);
        await cli.output.document(plan, () => formatExportPlan(plan));
        return exitCodes.success;
      }),
    );

  command
    .command('resume')
    .description('Write an export that was planned or stopped')
    .argument('<export>', 'ID of the export')
    .action(
      handle(async (cli, id: string) => {
        const { client, site } = await cli.session.openSite();
        return await writeExport(cli, client, site, id);
      }),
    );

  command
    .command('exports')
    .description('List exports, newest first')
    .option('--limit <n>', 'maximum number of exports', createIntegerParser(1, 200), 50)
    .action(
      handle.list(async (cli, { limit }: { limit: number }) => {
        const { client, site } = await cli.session.openSite();
        const { archiveExportSchema } = await import('../../../contract/archive/archive.ts');
        await cli.output.list<ArchiveExport>({
          columns: archiveExportColumns,
          fields: Object.keys(archiveExportSchema.shape),
          pages: [{ rows: await client.archive.exports({ site, limit }), next: null }],
          empty: 'There are no exports yet.',
        });
      }),
    );
};

async function writeExport(cli: CommandContext, client: Client, site: string, id: string): Promise<ExitCode> {
  cli.interrupt.setMessage(
    `Stopped. Files already written are complete. Resume with: tieout archive resume ${id}`,
  );
  const { job } = await client.archive.export({ site, export: id });
  await completeJob(cli, client, { site, job });
  const written = await client.archive.get({ site, export: id });
  await cli.output.document(written, () => formatExportResult(written));
  const { not_stored, result } = written;
  const isComplete = not_stored === 0 && result?.damaged.length === 0 && result.problems === 0;
  return isComplete ? exitCodes.success : exitCodes.findings;
}
