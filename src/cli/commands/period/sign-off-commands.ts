import type { BackendClient } from '../../../contract/contract.ts';
import type { CertificationRole } from '../../../domain/periods/certification.ts';
import { readTextInput } from '../../input/input-files.ts';
import { omitUndefined } from '../../input/options.ts';
import { type CliCommand, type DefineCommand, openSite } from '../../runtime/cli-command.ts';
import { waitForJob } from '../../runtime/follow-job.ts';
import {
  addCertificationOption,
  type CertificationOptions,
  findConfirmedTexts,
} from './certification-options.ts';
import { addPeriodOption, type PeriodOptions, printPeriodDetail } from './period-options.ts';
import {
  addReviewOptions,
  addSignerOptions,
  type ReviewOptions,
  requireReviewVerdict,
  type SignerOptions,
} from './review-options.ts';

type SignOptions = PeriodOptions & SignerOptions;
type PeriodReviewOptions = PeriodOptions & ReviewOptions & CertificationOptions;

export const defineSignOffCommands: DefineCommand = (command) => {
  command
    .subcommand('open', 'Open a period for preparation')
    .with(addSignatureOptions)
    .runOnSite(async ({ client, site, output }, options: SignOptions) =>
      printPeriodDetail(output, await client.periods.open({ site, ...options })),
    );
  command
    .subcommand('submit', 'Sign a period as its preparer and submit it for review')
    .with(addSignatureOptions)
    .with(addCertificationOption)
    .runOnSite(
      async ({ client, site, output }, { confirm, ...options }: SignOptions & CertificationOptions) => {
        const confirmed = await readConfirmedTexts(client, site, 'prepared', confirm);
        return printPeriodDetail(output, await client.periods.submit({ site, ...options, confirmed }));
      },
    );
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
};

const defineReview: DefineCommand = (command) => {
  command
    .subcommand('review', 'Approve a submitted period as its reviewer, or send it back')
    .with(addSignatureOptions)
    .with(addReviewOptions)
    .with(addCertificationOption)
    .run(async (cli, { approve, reject, selfReview, confirm, ...options }: PeriodReviewOptions) => {
      const verdict = requireReviewVerdict({ ...omitUndefined({ approve, reject }), ...options });
      const { client, site, output } = await openSite(cli);
      const selfReviewReason = omitUndefined({ self_review: selfReview });
      const confirmed = await readConfirmedTexts(client, site, 'reviewed', confirm);
      const review = { site, verdict, ...options, ...selfReviewReason, confirmed } as const;
      return printPeriodDetail(output, await client.periods.review(review));
    });
  command
    .subcommand('import-review', 'Record a review that was signed on another computer')
    .argument('<file>', 'review file from the reviewer')
    .option(
      '--key <key>',
      'key that the reviewer gave you separately, to check who signed; required once per reviewer if the site refuses self-reviews',
    )
    .addHelpText(
      'after',
      '\nThe reviewer writes the file from the evidence pack with: tieout review PACK --approve -o FILE',
    )
    .runOnSite(async ({ client, site, output }, file: string, { key }: { readonly key?: string }) => {
      const review = await readTextInput(file);
      return printPeriodDetail(
        output,
        await client.periods.importReview({ site, review, ...omitUndefined({ key }) }),
      );
    });
};

/** Returns the texts of the statements that a signer confirms by number. */
async function readConfirmedTexts(
  client: BackendClient,
  site: string,
  role: CertificationRole,
  confirm: number[] | undefined,
): Promise<string[]> {
  if (confirm === undefined) return [];
  const { certification } = await client.workpapers.settings({ site });
  return findConfirmedTexts(certification, role, { confirm });
}

function addSignatureOptions(command: CliCommand): void {
  command.with(addPeriodOption).with(addSignerOptions);
}
