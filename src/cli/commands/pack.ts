import { resolve } from 'node:path';
import type { PackPlan, PackResult } from '../../contract/packs.ts';
import { exit } from '../exit.ts';
import { failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import { month } from '../input/options.ts';
import { count, counted, size } from '../output/figures.ts';
import type { Define } from '../verbs.ts';

interface PackOptions {
  readonly period: string;
  readonly output?: string;
  readonly replace?: true;
}

export const define: Define = (command, act) => {
  command
    .requiredOption('--period <month>', 'the month, as 2026-10', month)
    .option('-o, --output <file>', 'the ZIP file; without: only tell what would be in it')
    .option('--replace', 'replace a file that stands there')
    .addHelpText(
      'after',
      '\nOne ZIP file that is a bag (RFC 8493): the report in every format, tables, the files of banks and processors, statement PDFs, the audit log.' +
        '\nCheck it anywhere with: tieout verify FILE. PDFs that are not here are fetched with: tieout archive fetch',
    )
    .action(
      act(async (cli, { period, output, replace }: PackOptions) => {
        const { client, site } = await cli.session.local();
        if (output === undefined) {
          const plan = await client.packs.plan({ site, period });
          await cli.out.document(plan, () => planLines(plan));
          return exit.done;
        }
        cli.stop.onStop('Stopped; nothing is left of the file. Run the same command again.');
        const { job } = await client.packs.write({
          site,
          period,
          path: resolve(output),
          replace: replace === true,
        });
        const { error } = await followJob(cli, client, { site, job });
        if (cli.stop.signal.aborted) return exit.interrupted;
        if (error !== null) throw failureOf(error);
        const done = await client.packs.result({ site, job });
        await cli.out.document(done, () => doneLines(done));
        const wrong = done.not_held + done.damaged.length + done.not_as_signed.length + done.problems;
        return wrong === 0 ? exit.done : exit.found;
      }),
    );
};

function planLines({ period, statements, not_held, sources, bytes }: PackPlan): string[] {
  return [
    `${period}: ${counted(statements, 'statement')}, ${counted(sources, 'file')} of banks and processors, ${size(bytes)} besides the report and its tables.`,
    ...notHeld(not_held),
  ];
}

function doneLines({
  path,
  files,
  bytes,
  statements,
  not_held,
  damaged,
  problems,
  not_as_signed,
  receipt,
  digest,
}: PackResult): string[] {
  return [
    `${path}: ${counted(files, 'file')}, ${size(bytes)}, ${counted(statements - not_held, 'statement PDF')}.`,
    ...notHeld(not_held),
    ...damaged.map((name) => `Damaged, left out: ${name}`),
    ...not_as_signed.map((message) => `! ${message}`),
    problems === 0
      ? 'Read again and sound.'
      : `Read again: ${counted(problems, 'problem')}. See: tieout verify ${path}`,
    `Receipt: ${receipt}`,
    `Figures: ${digest}`,
  ];
}

const notHeld = (statements: number): string[] =>
  statements === 0
    ? []
    : [
        `${count(statements)} without a PDF in the archive: listed in its index. Fetch them with: tieout archive fetch`,
      ];
