import { Option } from 'commander';
import { createUsageError } from '../../errors/cli-error.ts';
import { omitUndefined } from '../../input/options.ts';
import { type CliCommand, type DefineCommand, openSite } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import { addPeriodOption, type PeriodOptions, printPeriodDetail } from './period-options.ts';

interface SignOptions extends PeriodOptions {
  readonly by?: string;
  readonly comment?: string;
}

interface ReviewOptions extends SignOptions {
  readonly approve?: true;
  readonly reject?: true;
  readonly selfReview?: string;
}

export const defineSignOffCommands: DefineCommand = (command) => {
  for (const [name, description] of [
    ['open', 'Open a period for preparation'],
    ['submit', 'Sign a period as its preparer and submit it for review'],
  ] as const) {
    command
      .subcommand(name, description)
      .with(addSignatureOptions)
      .runOnSite(async ({ client, site, output }, options: SignOptions) =>
        printPeriodDetail(output, await client.periods[name]({ site, ...options })),
      );
  }
  defineReview(command);
  command
    .subcommand('close', 'Close a reviewed period: store its figures and lock it')
    .with(addSignatureOptions)
    .runOnSite(async (context, options: SignOptions) => {
      const { client, site, output } = context;
      const { job } = await client.periods.close({ site, ...options });
      await waitForJob(context, job);
      return printPeriodDetail(output, await client.periods.get({ site, period: options.period }));
    });
  command
    .subcommand('reopen', 'Reopen a closed period; its closed figures stay on record')
    .with(addPeriodOption)
    .reasonOption()
    .option(
      '--by <name>',
      'name of the person who reopens the period (default: default person, or user of this computer)',
    )
    .runOnSite(async ({ client, site, output }, options: PeriodOptions & { reason: string; by?: string }) =>
      printPeriodDetail(output, await client.periods.reopen({ site, ...options })),
    );
  command
    .subcommand('add-note', 'Add a note to a period')
    .with(addPeriodOption)
    .requiredOption('--text <text>', 'text of the note')
    .option('--by <name>', 'name of the author (default: default person, or user of this computer)')
    .runOnSite(async ({ client, site, output }, options: PeriodOptions & { text: string; by?: string }) => {
      const entry = await client.periods.note({ site, ...options });
      await output.document(entry, () => [`Note added to ${options.period}.`]);
    });
};

const defineReview: DefineCommand = (command) => {
  command
    .subcommand('review', 'Approve a submitted period as its reviewer, or send it back')
    .with(addSignatureOptions)
    .addOption(new Option('--approve', 'approve the period').conflicts('reject'))
    .option('--reject', 'send the period back to its preparer (requires --comment)')
    .option('--self-review <reason>', 'reason why the preparer reviews their own work')
    .run(async (cli, { approve, reject, selfReview, ...options }: ReviewOptions) => {
      if (approve === undefined && reject === undefined) {
        throw createUsageError('The review has no decision.', 'Add --approve, or --reject with --comment.');
      }
      if (reject && options.comment === undefined) {
        throw createUsageError('Sending a period back requires a comment.', 'Add --comment TEXT.');
      }
      const { client, site, output } = await openSite(cli);
      const verdict = approve ? 'approve' : 'reject';
      const selfReviewReason = omitUndefined({ self_review: selfReview });
      const review = { site, verdict, ...options, ...selfReviewReason } as const;
      return printPeriodDetail(output, await client.periods.review(review));
    });
};

function addSignatureOptions(command: CliCommand): void {
  command
    .with(addPeriodOption)
    .option('--by <name>', 'name of the signer (default: default person, or user of this computer)')
    .option('--comment <text>', 'comment stored with the signature');
}
