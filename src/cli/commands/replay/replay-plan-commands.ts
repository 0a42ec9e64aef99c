import type { ReplayPlan } from '../../../contract/webhooks/replay.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { formatReplayPlan } from '../../formatters/replays.ts';
import { omitUndefined } from '../../input/options.ts';
import type { CommandOutput } from '../../output/command-output.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';
import {
  addWebhookSelectionOptions,
  toWebhookSelection,
  type WebhookSelectionOptions,
} from '../shared/webhook-selection.ts';

export interface ReplayReasonOptions {
  readonly reason?: string;
}

type PlanOptions = WebhookSelectionOptions &
  ReplayReasonOptions & {
    readonly includeAccepted?: true;
    readonly endpoint?: string;
    readonly includeUnverified?: true;
  };

export const defineReplayPlanCommands: DefineCommand = (command) => {
  command
    .subcommand('plan', 'Create a replay plan from stored webhooks; nothing is sent')
    .with(addWebhookSelectionOptions)
    .option('--endpoint <url>', 'post the stored bodies to this address, without the billing service')
    .option(
      '--include-unverified',
      'with --endpoint, include bodies that were signed with a key other than the stored one',
    )
    .option('--include-accepted', 'include webhooks that were already accepted')
    .reasonOption({ isRequired: false })
    .runOnSite(async (context, plan: PlanOptions) => {
      const { includeAccepted, includeUnverified, endpoint, reason, ...options } = plan;
      const { client, site, output } = context;
      const selection = await toSelection(context, options);
      if ('filter' in selection) await updateSearchIndex(context, 'webhooks', selection.filter);
      const extent = {
        include_accepted: includeAccepted === true,
        include_unverified: includeUnverified === true,
        ...omitUndefined({ endpoint, reason }),
      };
      await printPlan(output, await client.replay.plan({ site, selection, ...extent }));
      if ('filter' in selection) await printMissingDataNote(context, 'webhooks');
    });

  command
    .subcommand('discard', 'Delete a plan that has not been run')
    .argument('<plan>', 'ID of the plan')
    .reasonOption({ isRequired: false })
    .runOnSite(async ({ client, site, output }, plan: string, options: ReplayReasonOptions) => {
      await client.replay.discardPlan({ site, plan, ...options });
      await output.document({ plan }, () => [`Plan ${plan} deleted. Nothing was sent.`]);
    });

  command
    .subcommand(
      'retry-failures',
      'Create a plan from the failed, refused and unresolved webhooks of a replay',
    )
    .argument('<job>', 'ID of the replay')
    .reasonOption({ isRequired: false })
    .runOnSite(async ({ client, site, output }, job: string, options: ReplayReasonOptions) =>
      printPlan(output, await client.replay.retryFailures({ site, job, ...options })),
    );
};

async function printPlan(output: CommandOutput, plan: ReplayPlan): Promise<void> {
  const nextStep =
    plan.count === 0
      ? 'There are no webhooks to send.'
      : `Nothing has been sent yet. Send the webhooks with: tieout replay run ${plan.plan}${formatConfirmation(plan)}`;
  await output.document(plan, () => [formatReplayPlan(plan), '', nextStep]);
}

/** Formats the option that confirms a local delivery, or nothing for a replay through the service. */
function formatConfirmation({ endpoint, count }: ReplayPlan): string {
  return endpoint === null ? '' : ` --confirm "${count} to ${new URL(endpoint).host}"`;
}

async function toSelection({ client, site }: SiteContext, options: WebhookSelectionOptions) {
  const selection = await toWebhookSelection(options);
  if (!('outage' in selection)) return selection;
  const { outages } = await client.webhooks.outages({ site, limit: 500 });
  const match = outages.find(({ id }) => id === selection.outage);
  if (match === undefined) {
    throw createUsageError(
      `Outage ${selection.outage} does not exist.`,
      'List outages with: tieout webhooks outages',
    );
  }
  if (match.filter === null) {
    throw createUsageError(
      `The webhook log contains no webhooks for outage ${selection.outage}.`,
      'There is nothing to replay.',
    );
  }
  return { filter: match.filter };
}
