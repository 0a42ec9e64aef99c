import { CliError } from '../../errors/cli-error.ts';
import { bankImportColumns } from '../../formatters/bank.ts';
import { createIntegerParser, type PagingOptions } from '../../input/options.ts';
import { formatBytes } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import type { OutputOptions } from '../shared/write-verified-file.ts';

export const defineImportCommands: DefineCommand = (command) => {
  command
    .subcommand('imports', 'List imports, newest first')
    .pageOptions()
    .listOnSite((context, options: PagingOptions) => {
      const { client, site } = context;
      return printList(context, options, {
        columns: bankImportColumns,
        fields: ['id', 'state', 'file', 'bytes', 'sha256', 'format', 'at', 'user', 'first_on', 'last_on'],
        fetchPage: (page) => client.bank.imports({ site, ...page }),
        noun: 'imports',
        empty: 'Nothing has been imported yet. Import a file with: tieout bank import FILE',
      });
    });

  command
    .subcommand('source', 'Save the original file of an import')
    .argument('<id>', 'ID of the import', createIntegerParser(1))
    .requiredOption('-o, --output <file>', 'file to write')
    .option('--replace', 'overwrite an existing file')
    .runOnSite(writeImportSource);

  command
    .subcommand('remove-import', 'Remove an import with all its lines and their matches')
    .argument('<id>', 'ID of the import', createIntegerParser(1))
    .reasonOption()
    .runOnSite(async (context, id: number, { reason }: { reason: string }) => {
      const { client, site, output } = context;
      const { job } = await client.bank.removeImport({ site, id, reason });
      const { summary } = await waitForJob(context, job);
      const removed = await client.bank.getImport({ site, id });
      await output.document(removed, () => [summary ?? '']);
    });
};

/** Writes the original file of an import without any change. */
async function writeImportSource(context: SiteContext, id: number, options: OutputOptions): Promise<void> {
  const { client, site, session, output } = context;
  const { prepareOutputFile } = await import('../shared/write-verified-file.ts');
  const file = await prepareOutputFile(context, options);
  const { sha256, bytes } = await client.bank.getImport({ site, id });
  const { blob } = await client.bank.source({ site, id });
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw new CliError('storage', `The original file of import ${id} is missing.`);
  const damaged = new CliError('corrupt', `The stored original file of import ${id} is damaged.`);
  await file.write(offered.stream, sha256, damaged);
  await output.document({ import: id, file: file.path, bytes, sha256 }, () => [
    `${file.path} saved (${formatBytes(bytes)}).`,
  ]);
}
