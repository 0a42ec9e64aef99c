import { resolve } from 'node:path';
import type { PackPlan, PackResult } from '../../../contract/evidence-packs/evidence-packs.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';

interface PackOptions {
  readonly period: string;
  readonly output?: string;
  readonly replace?: true;
}

export const definePackCommand: DefineCommand = (command, handle) => {
  command
    .requiredOption('--period <month>', 'period as YYYY-MM', parseMonth)
    .option('-o, --output <file>', 'ZIP file to write (default: only show what it would contain)')
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe pack is a BagIt ZIP file (RFC 8493) with the report in every format, tables, bank and processor files, statement PDFs and the audit log.' +
        '\nVerify it on any computer with: tieout verify FILE. Download missing PDFs with: tieout archive fetch',
    )
    .action(
      handle(async (cli, { period, output, replace }: PackOptions) => {
        const { client, site } = await cli.session.openSite();
        if (output === undefined) {
          const plan = await client.packs.plan({ site, period });
          await cli.output.document(plan, () => formatPackPlan(plan));
          return exitCodes.success;
        }
        cli.interrupt.setMessage('Stopped. No file was written. Run the same command again.');
        const { job } = await client.packs.write({
          site,
          period,
          path: resolve(output),
          replace: replace === true,
        });
        await completeJob(cli, client, { site, job });
        const result = await client.packs.result({ site, job });
        await cli.output.document(result, () => formatPackResult(result));
        const { not_stored, damaged, not_as_signed, problems } = result;
        const issues = not_stored + damaged.length + not_as_signed.length + problems;
        return issues === 0 ? exitCodes.success : exitCodes.findings;
      }),
    );
};

function formatPackPlan({ period, statements, not_stored, sources, bytes }: PackPlan): string[] {
  return [
    `${period}: ${formatCount(statements, 'statement')}, ${formatCount(sources, 'file')} of banks and processors, ${formatBytes(bytes)} in addition to the report and its tables.`,
    ...notStored(not_stored),
  ];
}

function formatPackResult({
  path,
  files,
  bytes,
  statements,
  not_stored,
  damaged,
  problems,
  not_as_signed,
  checksum,
  digest,
}: PackResult): string[] {
  return [
    `${path}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}, ${formatCount(statements - not_stored, 'statement PDF')}.`,
    ...notStored(not_stored),
    ...damaged.map((name) => `Damaged, not included: ${name}`),
    ...not_as_signed.map((message) => `! ${message}`),
    problems === 0
      ? 'Pack verified.'
      : `Verification found ${formatCount(problems, 'problem')}. For details, run: tieout verify ${path}`,
    `Receipt: ${checksum}`,
    `Digest of the figures: ${digest}`,
  ];
}

const notStored = (statements: number): string[] =>
  statements === 0
    ? []
    : [
        `${formatNumber(statements)} statements without a PDF in the archive, listed in the index only. Download the PDFs with: tieout archive fetch`,
      ];
