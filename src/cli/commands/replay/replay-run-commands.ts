import { InvalidArgumentError } from 'commander';
import { formatReplay } from '../../formatters/replays.ts';
import { createIntegerParser, omitUndefined, parsePositiveNumber } from '../../input/options.ts';
import {
  type CommandContext,
  connectSite,
  type DefineCommand,
  openSite,
  type SiteContext,
} from '../../runtime/cli-command.ts';
import { followReplay } from './follow-replay.ts';
import type { ReplayReasonOptions } from './replay-plan-commands.ts';

interface RunOptions extends ReplayReasonOptions {
  readonly mode: 'safe' | 'adaptive' | 'fast';
  readonly batchSize?: number;
  readonly rate?: number;
  readonly ordered?: boolean;
  readonly confirm?: { readonly host: string; readonly count: number };
  readonly connections?: number;
}

/** Help text about replays that run unattended, for example from a scheduler. */
const unattendedHelp = `
The command never waits for input. If the endpoint is down, one webhook is tried after 1, 5 and 15 minutes, then the
replay stops (exit code 1). It also stops if the service does not respond for 30 minutes (exit code 4), if the key is
refused (exit code 3), or if it is paused from another process (exit code 130).
Resume with: tieout replay resume JOB

A plan made with --endpoint posts the stored bodies itself. It needs the site's shared key (tieout site shared-key), but
neither the billing service nor its API key. It must be confirmed with the number of webhooks and the host, for example
--confirm "120 to hooks.example.com", and keeps the order within each subscription unless --no-ordered is given.`;

export const defineReplayRunCommands: DefineCommand = (command) => {
  command
    .subcommand('run', 'Send the webhooks of a plan, starting with a single one, and verify each outcome')
    .argument('<plan>', 'ID of the plan, as printed by `tieout replay plan`')
    .option(
      '--batch-size <n>',
      'maximum number of webhooks per request (default: 100, in fast mode 1000)',
      createIntegerParser(1, 1000),
    )
    .option('--rate <r>', 'maximum number of webhooks per second', parsePositiveNumber)
    .choiceOption(
      '--mode <mode>',
      'how quickly the replay ramps up',
      ['safe', 'adaptive', 'fast'],
      'adaptive',
    )
    .option(
      '--ordered',
      'send one webhook per subscription at a time, oldest first; a failure holds back the rest of its subscription',
    )
    .option('--no-ordered', 'with --endpoint, do not keep the order within each subscription')
    .option(
      '--confirm <text>',
      'with --endpoint: "COUNT to HOST", as printed with the plan',
      parseConfirmation,
    )
    .option(
      '--connections <n>',
      'with --endpoint: maximum number of concurrent requests',
      createIntegerParser(1, 64),
    )
    .reasonOption({ isRequired: false })
    .addHelpText('after', unattendedHelp)
    .run(async (cli, plan: string, { batchSize, ...options }: RunOptions) => {
      const context = await openForReplay(cli, async ({ client, site }) =>
        (await client.replay.plans({ site })).some((each) => each.plan === plan && each.endpoint !== null),
      );
      const { client, site } = context;
      const pace = { ...options, ...omitUndefined({ batch_size: batchSize }) };
      return followReplay(context, await client.replay.run({ site, plan, ...pace }));
    });

  command
    .subcommand('resume', 'Resume a replay that was paused, interrupted or stopped')
    .argument('<job>', 'ID of the replay')
    .reasonOption({ isRequired: false })
    .addHelpText('after', unattendedHelp)
    .run(async (cli, job: string, options: ReplayReasonOptions) => {
      const context = await openForReplay(
        cli,
        async ({ client, site }) => (await client.replay.get({ site, job })).endpoint !== null,
      );
      const { client, site } = context;
      return followReplay(context, await client.replay.resume({ site, job, ...options }));
    });

  for (const [name, description] of [
    ['pause', 'Pause a replay; nothing more is sent until you resume it'],
    ['cancel', 'Cancel a replay; webhooks already queued by the service are still sent'],
  ] as const) {
    command
      .subcommand(name, description)
      .argument('<job>', 'ID of the replay')
      .reasonOption({ isRequired: false })
      .runOnSite(async ({ client, site, output }, job: string, options: ReplayReasonOptions) => {
        const replay = await client.replay[name]({ site, job, ...options });
        await output.document(replay, () => formatReplay(replay));
      });
  }
};

/** Opens the site. Connects to the billing service, except for a local delivery. */
async function openForReplay(
  cli: CommandContext,
  isLocal: (site: SiteContext) => Promise<boolean>,
): Promise<SiteContext> {
  const opened = await openSite(cli);
  return (await isLocal(opened)) ? opened : await connectSite(cli);
}

/** Parses the confirmation of a local delivery, for example `120 to hooks.example.com`. */
function parseConfirmation(text: string): { host: string; count: number } {
  const [, count, host] = /^\s*([\d,]+)\s+to\s+(\S+)\s*$/.exec(text) ?? [];
  if (count !== undefined && host !== undefined) return { host, count: Number(count.replaceAll(',', '')) };
  throw new InvalidArgumentError(
    'Enter the number of webhooks and the host, for example "120 to hooks.example.com".',
  );
}
