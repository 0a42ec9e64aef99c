import type { ContractInputs } from '../../../contract/contract.ts';
import type { AlertSettings, QuietHours } from '../../../contract/webhooks/alerts.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { alertColumns, formatAlert, formatAlertSettings } from '../../formatters/alerts.ts';
import { createIntegerParser } from '../../input/options.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';

/** Value of an option that turns a channel or the quiet hours off. */
const NONE = 'none';

interface SettingOptions {
  readonly desktop?: 'on' | 'off';
  readonly command?: string;
  readonly address?: string;
  readonly quietHours?: QuietHours | typeof NONE;
}

export const defineAlertCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List alerts, newest first')
    .option('--limit <n>', 'maximum number of alerts', createIntegerParser(1, 500), 50)
    .listOnSite(async ({ client, site, output }, { limit }: { limit: number }) => {
      await output.list({
        columns: alertColumns,
        fields: async () => (await import('../../../contract/webhooks/alerts.ts')).alertSchema,
        pages: [{ rows: await client.alerts.list({ site, limit }), next: null }],
        empty:
          'There are no alerts. Each sync looks for failing endpoints. To do so repeatedly: tieout watch',
      });
    });

  command
    .subcommand('settings', 'Show the channels through which alerts are sent')
    .runOnSite(async (context) => {
      const { client, site } = context;
      await printSettings(context, await client.alerts.settings({ site }));
    });

  command
    .subcommand('set', 'Change the channels through which alerts are sent')
    .choiceOption('--desktop <on|off>', 'show desktop notifications', ['on', 'off'])
    .option('--command <name>', `run this program from the hooks folder of the data directory, or "${NONE}"`)
    .option('--address <url>', `post alerts as JSON to this address, or "${NONE}"`)
    .option(
      '--quiet-hours <from-to>',
      `send no alerts during these local hours, or "${NONE}"`,
      parseQuietHours,
    )
    .addHelpText(
      'after',
      '\nThe program runs without a shell and without arguments. It receives the alert as JSON on its standard input and in TIEOUT_ALERT_… variables.',
    )
    .runOnSite(saveSettings);

  command
    .subcommand('test', 'Send a test alert through every channel')
    .runOnSite(async ({ client, site, output }) => {
      const alert = await client.alerts.test({ site });
      await output.document(alert, () => formatAlert(alert));
      return getSuccessExitCode(alert.deliveries.every(({ error }) => error === null));
    });
};

async function saveSettings(
  context: SiteContext,
  { desktop, command, address, quietHours }: SettingOptions,
): Promise<void> {
  const orNull = (value: string) => (value === NONE ? null : value);
  const change: Omit<ContractInputs['alerts']['saveSettings'], 'site'> = {
    ...(desktop !== undefined && { desktop: desktop === 'on' }),
    ...(command !== undefined && { command: orNull(command) }),
    ...(address !== undefined && { address: orNull(address) }),
    ...(quietHours !== undefined && { quiet_hours: quietHours === NONE ? null : quietHours }),
  };
  if (Object.keys(change).length === 0)
    throw createUsageError(
      'There is nothing to change.',
      'Use --desktop, --command, --address or --quiet-hours.',
    );
  const { client, site } = context;
  await printSettings(context, await client.alerts.saveSettings({ site, ...change }));
}

async function printSettings({ output }: SiteContext, settings: AlertSettings): Promise<void> {
  await output.document(settings, () => formatAlertSettings(settings));
}

function parseQuietHours(text: string): QuietHours | typeof NONE {
  if (text === NONE) return NONE;
  const time = '(?:[01]\\d|2[0-3]):[0-5]\\d';
  const [, from, to] = new RegExp(`^(${time})-(${time})$`).exec(text) ?? [];
  if (from === undefined || to === undefined || from === to)
    throw createUsageError(
      `Invalid quiet hours: ${text}.`,
      'Enter two different times, for example 22:00-07:00.',
    );
  return { from, to };
}
