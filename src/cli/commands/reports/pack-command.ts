import { resolve } from 'node:path';
import type { PackPlan, PackResult } from '../../../contract/evidence-packs/evidence-packs.ts';
import { toCliError } from '../../errors/cli-error.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { parseMonth } from '../../input/options.ts';
import { formatBytes, formatCount, formatNumber } from '../../output/format-values.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';

interface PackOptions {
  readonly period: string;
  readonly output?: string;
  readonly replace?: true;
}

export const definePackCommand: DefineCommand = (command, handle) => {
  command
    .requiredOption('--period <month>', 'the month, as 2026-10', parseMonth)
    .option('-o, --output <file>', 'the ZIP file; without: only tell what would be in it')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nOne ZIP file that is a bag (RFC 8493): the report in every format, tables, the files of banks and processors, statement PDFs, the audit log.' +
        '\nCheck it anywhere with: tieout verify FILE. PDFs that are not here are fetched with: tieout archive fetch',
    )
    .action(
      handle(async (cli, { period, output, replace }: PackOptions) => {
        const { client, site } = await cli.session.openSite();
        if (output === undefined) {
          const plan = await client.packs.plan({ site, period });
          await cli.output.document(plan, () => planLines(plan));
          return exitCode.success;
        }
        cli.interrupt.setMessage('Stopped; nothing is left of the file. Run the same command again.');
        const { job } = await client.packs.write({
          site,
          period,
          path: resolve(output),
          replace: replace === true,
        });
        const { error } = await followJob(cli, client, { site, job });
        if (cli.interrupt.signal.aborted) return exitCode.interrupted;
        if (error !== null) throw toCliError(error);
        const done = await client.packs.result({ site, job });
        await cli.output.document(done, () => doneLines(done));
        const wrong = done.not_stored + done.damaged.length + done.not_as_signed.length + done.problems;
        return wrong === 0 ? exitCode.success : exitCode.findings;
      }),
    );
};

function planLines({ period, statements, not_stored, sources, bytes }: PackPlan): string[] {
  return [
    `${period}: ${formatCount(statements, 'statement')}, ${formatCount(sources, 'file')} of banks and processors, ${formatBytes(bytes)} besides the report and its tables.`,
    ...notStored(not_stored),
  ];
}

function doneLines({
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
    ...damaged.map((name) => `Damaged, left out: ${name}`),
    ...not_as_signed.map((message) => `! ${message}`),
    problems === 0
      ? 'Read again and sound.'
      : `Read again: ${formatCount(problems, 'problem')}. See: tieout verify ${path}`,
    `Receipt: ${checksum}`,
    `Figures: ${digest}`,
  ];
}

const notStored = (statements: number): string[] =>
  statements === 0
    ? []
    : [
        `${formatNumber(statements)} without a PDF in the archive: listed in its index. Fetch them with: tieout archive fetch`,
      ];
