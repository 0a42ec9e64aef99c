import { type Command, Option } from 'commander';
import { usageError } from '../../errors/cli-error.ts';
import { omitUndefined } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { completeJob } from '../../runtime/follow-job.ts';
import { addPeriodCommand, type PeriodOptions, printPeriod } from './period-options.ts';

interface SignOptions extends PeriodOptions {
  readonly by?: string;
  readonly comment?: string;
}

interface ReviewOptions extends SignOptions {
  readonly approve?: true;
  readonly reject?: true;
  readonly selfReview?: string;
}

export const defineSignOffCommands: DefineCommand = (command, handle) => {
  addSignCommand(command, 'open', 'Open a period for preparation').action(
    handle(async (cli, options: SignOptions) => {
      const { client, site } = await cli.session.openSite();
      return printPeriod(cli, await client.periods.open({ site, ...options }));
    }),
  );
  addSignCommand(command, 'submit', 'Sign a period as its preparer and submit it for review').action(
    handle(async (cli, options: SignOptions) => {
      const { client, site } = await cli.session.openSite();
      return printPeriod(cli, await client.periods.submit({ site, ...options }));
    }),
  );
  defineReview(command, handle);
  addSignCommand(command, 'close', 'Close a reviewed period: store its figures and lock it').action(
    handle(async (cli, options: SignOptions) => {
      const { client, site } = await cli.session.openSite();
      const { job } = await client.periods.close({ site, ...options });
      await completeJob(cli, client, { site, job });
      return printPeriod(cli, await client.periods.get({ site, period: options.period }));
    }),
  );
  addPeriodCommand(command, 'reopen', 'Reopen a closed period; its closed figures stay on record')
    .requiredOption('--reason <text>', 'reason for the audit log')
    .option('--by <name>', 'name of the person who reopens it (default: user of this computer)')
    .action(
      handle(async (cli, options: PeriodOptions & { reason: string; by?: string }) => {
        const { client, site } = await cli.session.openSite();
        return printPeriod(cli, await client.periods.reopen({ site, ...options }));
      }),
    );
  addPeriodCommand(command, 'add-note', 'Add a note to a period')
    .requiredOption('--text <text>', 'text of the note')
    .option('--by <name>', 'name of the author (default: user of this computer)')
    .action(
      handle(async (cli, options: PeriodOptions & { text: string; by?: string }) => {
        const { client, site } = await cli.session.openSite();
        const entry = await client.periods.note({ site, ...options });
        await cli.output.document(entry, () => [`Note added to ${options.period}.`]);
      }),
    );
};

const defineReview: DefineCommand = (command, handle) => {
  addSignCommand(command, 'review', 'Approve a submitted period as its reviewer, or send it back')
    .addOption(new Option('--approve', 'approve the period').conflicts('reject'))
    .option('--reject', 'send the period back to its preparer (requires --comment)')
    .option('--self-review <reason>', 'reason why the preparer reviews their own work')
    .action(
      handle(async (cli, { approve, reject, selfReview, ...options }: ReviewOptions) => {
        if (approve === undefined && reject === undefined) {
          throw usageError('The review has no result.', 'Add --approve, or --reject with --comment.');
        }
        if (reject && options.comment === undefined) {
          throw usageError('Sending a period back requires a comment.', 'Add --comment TEXT.');
        }
        const { client, site } = await cli.session.openSite();
        const verdict = approve ? ('approve' as const) : ('reject' as const);
        const reviewed = await client.periods.review({
          site,
          verdict,
          ...options,
          ...omitUndefined({ self_review: selfReview }),
        });
        return printPeriod(cli, reviewed);
      }),
    );
};

/** Adds a subcommand that requires a person's signature. */
function addSignCommand(command: Command, name: string, description: string): Command {
  return addPeriodCommand(command, name, description)
    .option('--by <name>', 'name of the signer (default: user of this computer)')
    .option('--comment <text>', 'comment stored with the signature');
}
