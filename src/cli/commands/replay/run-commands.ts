import { formatReplay } from '../../formatters/replays.ts';
import {
  createChoiceOption,
  createIntegerParser,
  omitUndefined,
  parsePositiveNumber,
} from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { followReplay } from './follow-replay.ts';
import { type ReasonOptions, reasonOption, toReasonInput } from './replay-options.ts';

interface RunOptions extends ReasonOptions {
  readonly mode: 'safe' | 'adaptive' | 'fast';
  readonly batchSize?: number;
  readonly rate?: number;
  readonly ordered?: true;
}

/** Help text about replays that run unattended, for example from a scheduler. */
const unattendedHelp = `
The command never waits for input. If the endpoint is down, one webhook is tried after 1, 5 and 15 minutes, then the
replay stops (exit code 1). It also stops if the service does not respond for 30 minutes (exit code 4), if the key is
refused (exit code 3), or if it is paused from another process (exit code 130).
Resume with: tieout replay resume JOB`;

export const defineReplayRunCommands: DefineCommand = (command, handle) => {
  command
    .command('run')
    .description('Send the webhooks of a plan, first one, then more at a time, and verify each outcome')
    .argument('<plan>', 'ID of the plan, as printed by `tieout replay plan`')
    .option(
      '--batch-size <n>',
      'maximum number of webhooks per request (default: 100, in fast mode 1000)',
      createIntegerParser(1, 1000),
    )
    .option('--rate <r>', 'maximum number of webhooks per second', parsePositiveNumber)
    .addOption(
      createChoiceOption('--mode <mode>', 'how quickly the replay ramps up', [
        'safe',
        'adaptive',
        'fast',
      ]).default('adaptive'),
    )
    .option(
      '--ordered',
      'send one webhook per subscription at a time, oldest first; a failure holds back the rest of its subscription',
    )
    .option(...reasonOption)
    .addHelpText('after', unattendedHelp)
    .action(
      handle(async (cli, plan: string, options: RunOptions) => {
        const { client, site } = await cli.session.connectSite();
        const { mode, batchSize, rate, ordered } = options;
        const started = await client.replay.run({
          site,
          plan,
          mode,
          ...omitUndefined({ batch_size: batchSize, rate, ordered }),
          ...toReasonInput(options),
        });
        return followReplay(cli, client, started);
      }),
    );

  command
    .command('resume')
    .description('Resume a replay that was paused, interrupted or stopped')
    .argument('<job>', 'ID of the replay')
    .option(...reasonOption)
    .addHelpText('after', unattendedHelp)
    .action(
      handle(async (cli, job: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.connectSite();
        return followReplay(
          cli,
          client,
          await client.replay.resume({ site, job, ...toReasonInput(options) }),
        );
      }),
    );

  for (const [name, description] of [
    ['pause', 'Pause a replay; nothing more is sent until you resume it'],
    ['cancel', 'Cancel a replay; webhooks already queued by the service are still sent'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<job>', 'ID of the replay')
      .option(...reasonOption)
      .action(
        handle(async (cli, job: string, options: ReasonOptions) => {
          const { client, site } = await cli.session.openSite();
          const replay = await client.replay[name]({ site, job, ...toReasonInput(options) });
          await cli.output.document(replay, () => formatReplay(replay));
        }),
      );
  }
};
