import { resolve } from 'node:path';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { archiveExportColumns, formatExportPlan, formatExportResult } from '../../formatters/archive.ts';
import { createIntegerParser, omitUndefined } from '../../input/options.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';
import { fetchMissingPdfs } from '../shared/fetch-missing-pdfs.ts';
import {
  addStatementFilterOptions,
  type StatementFilterOptions,
  toStatementFilter,
} from '../shared/statement-filter.ts';

interface ExportOptions extends StatementFilterOptions {
  readonly output: string;
  readonly template?: string;
  readonly merge?: true;
  readonly preview?: true;
  readonly replace?: true;
}

export const defineExportCommands: DefineCommand = (command) => {
  command
    .subcommand('export', 'Export statement PDFs with an index as a BagIt folder or ZIP file (RFC 8493)')
    .with(addStatementFilterOptions)
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
      '\nDownloads missing PDFs first. Without a network, the export contains the stored PDFs, and its index lists the others.' +
        '\nExporting to the folder of an earlier export writes only new and changed files.\nTo resume an export that was stopped, run: tieout archive resume ID',
    )
    .runOnSite(planExport);

  command
    .subcommand('resume', 'Start a planned export or resume a stopped one')
    .argument('<export>', 'ID of the export')
    .runOnSite(writeExport);

  command
    .subcommand('exports', 'List exports, newest first')
    .option('--limit <n>', 'maximum number of exports', createIntegerParser(1, 200), 50)
    .listOnSite(async ({ client, site, output }, { limit }: { limit: number }) => {
      await output.list({
        columns: archiveExportColumns,
        fields: async () => (await import('../../../contract/archive/archive.ts')).archiveExportSchema,
        pages: [{ rows: await client.archive.exports({ site, limit }), next: null }],
        empty: 'There are no exports yet.',
      });
    });
};

/** Plans an export, then writes it unless only a preview was requested. */
async function planExport(
  context: SiteContext,
  { template, merge, preview, replace, output, ...options }: ExportOptions,
): Promise<ExitCode | undefined> {
  const filter = toStatementFilter(options);
  await updateSearchIndex(context, 'statements', filter);
  await printMissingDataNote(context, 'statements');
  const path = resolve(output);
  const request = {
    site: context.site,
    selection: { filter },
    target: { kind: /\.zip$/i.test(path) ? ('zip' as const) : ('folder' as const), path },
    merged: merge === true,
    replace: replace === true,
    ...omitUndefined({ template }),
  };
  const plan = await context.client.archive.plan(request);
  if (preview) return await context.output.document(plan, () => formatExportPlan(plan)).then(() => undefined);
  if (plan.not_stored === 0) return await writeExport(context, plan.export);
  await context.client.archive.discard({ site: context.site, export: plan.export });
  const connected = await fetchMissingPdfs(context, filter);
  return await writeExport(connected, (await connected.client.archive.plan(request)).export);
}

async function writeExport(context: SiteContext, id: string): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  interrupt.setMessage(
    `Stopped. Files already written are complete. Resume with: tieout archive resume ${id}`,
  );
  const { job } = await client.archive.export({ site, export: id });
  await waitForJob(context, job);
  const written = await client.archive.get({ site, export: id });
  await output.document(written, () => formatExportResult(written));
  const { not_stored, result } = written;
  return getSuccessExitCode(not_stored === 0 && result?.damaged.length === 0 && result.problems === 0);
}
