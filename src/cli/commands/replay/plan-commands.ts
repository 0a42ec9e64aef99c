import type { Client } from '../../../contract/contract.ts';
import type { ReplayPlan } from '../../../contract/webhooks/replay.ts';
import { usageError } from '../../errors/cli-error.ts';
import { formatReplayPlan } from '../../formatters/replays.ts';
import { readIdsFile } from '../../input/ids-file.ts';
import {
  addWebhookFilterOptions,
  toWebhookFilter,
  type WebhookFilterOptions,
} from '../../input/webhook-filter.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { printMissingDataNote } from '../shared/completeness-notes.ts';
import { type ReasonOptions, reasonOption, toReasonInput } from './replay-options.ts';

interface PlanOptions extends WebhookFilterOptions, ReasonOptions {
  readonly idsFile?: string;
  readonly outage?: string;
  readonly includeAccepted?: true;
}

export const definePlanCommands: DefineCommand = (command, handle) => {
  addWebhookFilterOptions(
    command.command('plan').description('Create a replay plan from stored webhooks; nothing is sent'),
  )
    .option('--ids-file <file>', 'file with webhook IDs instead of a filter, plain or CSV (- for stdin)')
    .option('--outage <id>', 'webhooks lost in this outage, as listed by `tieout webhooks outages`')
    .option('--include-accepted', 'include webhooks that were already accepted')
    .option(...reasonOption)
    .action(
      handle(async (cli, options: PlanOptions) => {
        const { client, site } = await cli.session.openSite();
        const selection = await toSelection(options, client, site);
        if ('filter' in selection) await indexForSearch(cli, client, { site, of: 'webhooks', ...selection });
        const include_accepted = options.includeAccepted === true;
        const plan = await client.replay.plan({
          site,
          selection,
          include_accepted,
          ...toReasonInput(options),
        });
        await printPlan(cli, plan);
        if ('filter' in selection) await printMissingDataNote(cli, client, { site, part: 'webhooks' });
      }),
    );

  command
    .command('discard')
    .description('Delete a plan that has not been run')
    .argument('<plan>', 'ID of the plan')
    .option(...reasonOption)
    .action(
      handle(async (cli, plan: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.openSite();
        await client.replay.discardPlan({ site, plan, ...toReasonInput(options) });
        await cli.output.document({ plan }, () => [`Plan ${plan} deleted. Nothing was sent.`]);
      }),
    );

  command
    .command('retry-failures')
    .description('Create a plan from the webhooks of a replay that failed, were refused or are unresolved')
    .argument('<job>', 'ID of the replay')
    .option(...reasonOption)
    .action(
      handle(async (cli, job: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.openSite();
        await printPlan(cli, await client.replay.retryFailures({ site, job, ...toReasonInput(options) }));
      }),
    );
};

async function printPlan(cli: CommandContext, plan: ReplayPlan): Promise<void> {
  const nextStep =
    plan.count === 0
      ? 'There are no webhooks to send.'
      : `Nothing has been sent yet. Send the webhooks with: tieout replay run ${plan.plan}`;
  await cli.output.document(plan, () => [...formatReplayPlan(plan), '', nextStep]);
}

async function toSelection({ outage, idsFile, ...options }: PlanOptions, client: Client, site: string) {
  const filter = toWebhookFilter(options);
  if (idsFile === undefined && outage === undefined) return { filter };
  if (Object.keys(filter).length > 0 || (idsFile !== undefined && outage !== undefined)) {
    throw usageError('--ids-file, --outage and filters cannot be combined.', 'Choose one of them.');
  }
  if (idsFile !== undefined) return { ids: await readIdsFile(idsFile) };
  const { outages } = await client.webhooks.outages({ site, limit: 500 });
  const match = outages.find(({ id }) => id === outage);
  if (match === undefined) {
    throw usageError(`Outage ${outage} does not exist.`, 'List outages with: tieout webhooks outages');
  }
  if (match.filter === null) {
    throw usageError(`The log contains no webhooks of outage ${outage}.`, 'There is nothing to replay.');
  }
  return { filter: match.filter };
}
