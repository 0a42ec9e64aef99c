import { resolve } from 'node:path';
import type { ReportFormat } from '../../../contract/periods/reports.ts';
import { formatBytes } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions } from '../period/period-options.ts';

interface ExportOptions extends PeriodOptions {
  readonly output: string;
  readonly replace?: true;
}

const formats = {
  gobd: 'Export a period for German tax auditors: GoBD (Z3), with index.xml, its DTD and CSV tables',
  ads: 'Export a period according to the AICPA Audit Data Standards: order to cash, pipe-delimited tables',
} as const satisfies Partial<Record<ReportFormat, string>>;

export const defineAuditorExportCommands: DefineCommand = (command) => {
  for (const [format, summary] of Object.entries(formats) as [keyof typeof formats, string][])
    command
      .subcommand(format, summary)
      .with(addPeriodOption)
      .requiredOption('-o, --output <file>', 'ZIP file to write')
      .option('--replace', 'overwrite an existing file')
      .addHelpText(
        'after',
        '\nThe tables come from the same snapshot as the report: as signed if the period is closed. The file is written only if its' +
          '\ntotals agree with the workpaper. Texts are exported unchanged.\nImport the tables as text. Do not open them in a spreadsheet, which may run texts as formulas.',
      )
      .runOnSite(async ({ client, site, output }, { period, output: path, replace }: ExportOptions) => {
        const target = { format, path: resolve(path), replace: replace === true };
        const file = await client.reports.write({ site, period, ...target });
        await output.document(file, () => [
          `${file.path}: ${formatBytes(file.bytes)}.`,
          `Checksum: ${file.sha256}`,
          `Digest of the figures: ${file.digest}`,
        ]);
      });
};
