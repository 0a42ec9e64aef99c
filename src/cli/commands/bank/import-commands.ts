import type { BankImport } from '../../../contract/bank/bank-imports.ts';
import { bankImportColumns } from '../../formatters/bank.ts';
import { addPageOptions, createIntegerParser, type PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatBytes } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';

export const defineImportCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('imports').description('List imports, newest first')).action(
    handle.list(async (cli, options: PageOptions) => {
      const { client, site } = await cli.session.openSite();
      await cli.output.list<BankImport>({
        columns: bankImportColumns,
        fields: ['id', 'state', 'file', 'bytes', 'sha256', 'format', 'at', 'user', 'first_on', 'last_on'],
        pages: fetchPages(options, (page) => client.bank.imports({ site, ...page })),
        footer: createPageFooter('imports'),
        empty: 'Nothing has been imported yet. Import a file with: tieout bank import FILE',
      });
    }),
  );

  command
    .command('source')
    .description('Save the original file of an import')
    .argument('<id>', 'ID of the import', createIntegerParser(1))
    .requiredOption('-o, --output <file>', 'file to write')
    .action(
      handle(async (cli, id: number, { output }: { output: string }) => {
        const { writeImportSource } = await import('./import-source.ts');
        const written = await writeImportSource(cli, id, output);
        await cli.output.document(written, () => [`${written.file} saved (${formatBytes(written.bytes)}).`]);
      }),
    );

  command
    .command('remove-import')
    .description('Remove an import with all its lines and their matches')
    .argument('<id>', 'ID of the import', createIntegerParser(1))
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle(async (cli, id: number, { reason }: { reason: string }) => {
        const { client, site } = await cli.session.openSite();
        const { job } = await client.bank.removeImport({ site, id, reason });
        const { summary } = await completeJob(cli, client, { site, job });
        const removed = await client.bank.getImport({ site, id });
        await cli.output.document(removed, () => [summary ?? '']);
      }),
    );
};
