import { createUsageError, toCliError } from '../../errors/cli-error.ts';
import { formatAlert } from '../../formatters/alerts.ts';
import { createIntegerParser } from '../../input/options.ts';
import { connectSite, type DefineCommand, type SiteContext } from '../../runtime/cli-command.ts';
import { followJob } from '../../runtime/follow-job.ts';
import { syncRepeatedly } from '../../runtime/sync-repeatedly.ts';

/** Maximum number of alerts printed after one sync. Chosen by judgment. */
const MAX_PRINTED = 100;

export const defineWatchCommand: DefineCommand = (command) => {
  command
    .option('--every <minutes>', 'minutes between reads of the webhook log', createIntegerParser(1, 1440), 5)
    .addHelpText(
      'after',
      '\nPrints an alert when an endpoint starts to fail, before and when the service pauses or disables it, and when it works again.\nTo send alerts elsewhere as well: tieout alerts set --help',
    )
    .run(async (cli, { every }: { every: number }) => {
      if (cli.output.format === 'json') {
        throw createUsageError(
          'tieout watch prints one document per alert, but --json prints only one in total.',
          'Use --ndjson.',
        );
      }
      const context = await connectSite(cli);
      const { client, site } = context;
      cli.interrupt.setMessage('Stopped. Run the same command to resume.');
      const [newest] = await client.alerts.list({ site, limit: 1 });
      let printed = newest?.id ?? 0;
      return await syncRepeatedly(context, every, async () => {
        printed = await printNewAlerts(context, printed);
      });
    });
};

/** Reads the webhook log and prints the alerts with an id above `printed`. Returns the id of the newest alert. */
async function printNewAlerts(context: SiteContext, printed: number): Promise<number> {
  const { client, site, output, interrupt } = context;
  const { job } = await client.sync.start({ site, only: ['webhooks'] });
  const { error } = await followJob(context, job);
  if (interrupt.signal.aborted) return printed;
  if (error !== null) throw toCliError(error);
  const alerts = await client.alerts.list({ site, after: printed, limit: MAX_PRINTED });
  for (const alert of alerts.toReversed()) await output.document(alert, () => formatAlert(alert));
  if (alerts.length === 0) output.notice('No new alerts.');
  return alerts[0]?.id ?? printed;
}
