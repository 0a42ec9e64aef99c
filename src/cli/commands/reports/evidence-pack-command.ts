import { resolve } from 'node:path';
import type {
  EvidencePackPlan,
  EvidencePackResult,
} from '../../../contract/evidence-packs/evidence-packs.ts';
import { toMonthRange } from '../../../domain/ledger/periods.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { formatMissingPdfs } from '../../formatters/archive.ts';
import { parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount } from '../../output/format-values.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { fetchMissingPdfs } from '../shared/fetch-missing-pdfs.ts';

interface PackOptions {
  readonly period: string;
  readonly output?: string;
  readonly replace?: true;
}

export const defineEvidencePackCommand: DefineCommand = (command) => {
  command
    .requiredOption('--period <month>', 'period as YYYY-MM', parseMonth)
    .option('-o, --output <file>', 'ZIP file to write (default: only show what it would contain)')
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe pack is a BagIt ZIP file (RFC 8493) with the report in every format, tables, bank and processor files, statement PDFs and the audit log.' +
        '\nMissing PDFs are downloaded first. Verify the pack on any computer with: tieout verify FILE',
    )
    .runOnSite(writePack);
};

/** Writes an evidence pack. Without an output file, shows what the pack would contain. */
async function writePack(opened: SiteContext, options: PackOptions): Promise<ExitCode> {
  const { site, output, interrupt } = opened;
  const { period } = options;
  const plan = await opened.client.packs.plan({ site, period });
  if (options.output === undefined) {
    await output.document(plan, () => formatPackPlan(plan));
    return exitCodes.success;
  }
  interrupt.setMessage('Stopped. No file was written. Run the same command again.');
  const { first: since, last: until } = toMonthRange(`${period}-01`);
  const context = plan.not_stored === 0 ? opened : await fetchMissingPdfs(opened, { since, until });
  const { client } = context;
  const target = { path: resolve(options.output), replace: options.replace === true };
  const { job } = await client.packs.write({ site, period, ...target });
  await waitForJob(context, job);
  const result = await client.packs.result({ site, job });
  await output.document(result, () => formatPackResult(result));
  const { not_stored, damaged, not_as_signed, problems } = result;
  return getSuccessExitCode(not_stored + damaged.length + not_as_signed.length + problems === 0);
}

function formatPackPlan({ period, statements, not_stored, sources, bytes }: EvidencePackPlan): TextLines {
  return [
    `${period}: ${formatCount(statements, 'statement')}, ${formatCount(sources, 'bank or processor file')}, ${formatBytes(bytes)} in addition to the report and its tables.`,
    formatMissingPdfs(not_stored),
  ];
}

function formatPackResult({
  path,
  files,
  bytes,
  not_stored,
  problems,
  ...pack
}: EvidencePackResult): TextLines {
  const pdfs = formatCount(pack.statements - not_stored, 'statement PDF');
  return [
    `${path}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}, ${pdfs}.`,
    formatMissingPdfs(not_stored),
    pack.damaged.map((name) => `Damaged, not included: ${name}`),
    pack.not_as_signed.map((message) => `! ${message}`),
    problems === 0
      ? 'Pack verified.'
      : `Verification found ${formatCount(problems, 'problem')}. For details, run: tieout verify ${path}`,
    `Checksum: ${pack.checksum}`,
    `Digest of the figures: ${pack.digest}`,
  ];
}
