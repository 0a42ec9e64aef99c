import type { Client } from '../../../contract/contract.ts';
import type { ReplayItem, ReplayJob, ReplayPlan } from '../../../contract/webhooks/replay.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCode } from '../../errors/exit-codes.ts';
import {
  failedOutcomes,
  formatReplay,
  formatReplayPlan,
  replayColumns,
  replayItemColumns,
  toReplayExitCode,
} from '../../formatters/replays.ts';
import { readIdsFile } from '../../input/ids-file.ts';
import {
  addPageOptions,
  choiceOption,
  integer,
  omitUndefined,
  type PageOptions,
  parsePositiveNumber,
} from '../../input/options.ts';
import {
  addWebhookFilterOptions,
  toWebhookFilter,
  type WebhookFilterOptions,
} from '../../input/webhook-filter.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import type { OutputPage } from '../../output/output.ts';
import { formatTableLines } from '../../output/table.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';
import { indexForSearch } from '../../runtime/search-index.ts';
import { noteMissingData } from '../shared/completeness-notes.ts';

interface ReasonOptions {
  readonly reason?: string;
}

interface PlanOptions extends WebhookFilterOptions, ReasonOptions {
  readonly idsFile?: string;
  readonly outage?: string;
  readonly includeAccepted?: true;
}

interface RunOptions extends ReasonOptions {
  readonly mode: 'safe' | 'adaptive' | 'fast';
  readonly batchSize?: number;
  readonly rate?: number;
  readonly ordered?: true;
}

/** For the audit log. */
const why = ['--reason <text>', 'why; kept in the audit log'] as const;

export const defineReplayCommands: DefineCommand = (command, handle) => {
  addWebhookFilterOptions(
    command
      .command('plan')
      .description(
        'Freeze a selection of webhooks into a plan. Reads the local log alone and sends nothing.',
      ),
  )
    .option('--ids-file <file>', 'a file of webhook ids instead of a filter, plain or CSV; - for stdin')
    .option('--outage <id>', 'what an outage lost, as `tieout webhooks outages` names it')
    .option('--include-accepted', 'also those the log shows as accepted')
    .option(...why)
    .action(
      handle(async (cli, options: PlanOptions) => {
        const { client, site } = await cli.session.openSite();
        const selection = await selectionOf(options, client, site);
        if ('filter' in selection) await indexForSearch(cli, client, { site, of: 'webhooks', ...selection });
        const include_accepted = options.includeAccepted === true;
        const plan = await client.replay.plan({ site, selection, include_accepted, ...reasonOf(options) });
        await cli.output.document(plan, () => [...formatReplayPlan(plan), '', next(plan)]);
        if ('filter' in selection) await noteMissingData(cli, client, { site, part: 'webhooks' });
      }),
    );

  command
    .command('run')
    .description('Carry out a plan: first one, then more and more, each batch verified against the log.')
    .argument('<plan>', 'the plan, as `tieout replay plan` named it')
    .option(
      '--batch-size <n>',
      'at most so many webhooks a request; 100, or 1000 in fast mode',
      integer(1, 1000),
    )
    .option('--rate <r>', 'at most so many webhooks a second', parsePositiveNumber)
    .addOption(choiceOption('--mode <mode>', 'how careful', ['safe', 'adaptive', 'fast']).default('adaptive'))
    .option(
      '--ordered',
      'one webhook of a subscription at a time, the oldest first; none behind one that fails',
    )
    .option(...why)
    .addHelpText('after', unattended)
    .action(
      handle(async (cli, plan: string, options: RunOptions) => {
        const { client, site } = await cli.session.connectSite();
        const { mode, batchSize, rate, ordered } = options;
        const started = await client.replay.run({
          site,
          plan,
          mode,
          ...omitUndefined({ batch_size: batchSize, rate, ordered }),
          ...reasonOf(options),
        });
        return finish(cli, client, started);
      }),
    );

  command
    .command('discard')
    .description('Forget a plan that was not carried out.')
    .argument('<plan>', 'the plan')
    .option(...why)
    .action(
      handle(async (cli, plan: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.openSite();
        await client.replay.discardPlan({ site, plan, ...reasonOf(options) });
        await cli.output.document({ plan }, () => [`The plan ${plan} is forgotten. Nothing was sent.`]);
      }),
    );

  command
    .command('resume')
    .description('Go on with a replay that was paused, interrupted or stopped.')
    .argument('<job>', 'the replay')
    .option(...why)
    .addHelpText('after', unattended)
    .action(
      handle(async (cli, job: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.connectSite();
        return finish(cli, client, await client.replay.resume({ site, job, ...reasonOf(options) }));
      }),
    );

  for (const [verb, description] of [
    ['pause', 'Send nothing more until it is resumed.'],
    ['cancel', 'End a replay. What the service has queued already is still sent.'],
  ] as const) {
    command
      .command(verb)
      .description(description)
      .argument('<job>', 'the replay')
      .option(...why)
      .action(
        handle(async (cli, job: string, options: ReasonOptions) => {
          const { client, site } = await cli.session.openSite();
          const state = await client.replay[verb]({ site, job, ...reasonOf(options) });
          await cli.output.document(state, () => formatReplay(state));
        }),
      );
  }

  command
    .command('status')
    .description('How a replay stands; without a job: all of them.')
    .argument('[job]', 'the replay')
    .action(
      handle.list(async (cli, job: string | undefined) => {
        const { client, site } = await cli.session.openSite();
        if (job === undefined) {
          const { replayJob } = await import('../../../contract/webhooks/replay.ts');
          await cli.output.list<ReplayJob>({
            columns: replayColumns,
            fields: Object.keys(replayJob.shape),
            pages: [{ rows: await client.replay.list({ site }), next: null }],
            empty: 'Nothing has been replayed yet. Begin with: tieout replay plan --status failed',
          });
          return;
        }
        if (cli.output.format === 'csv')
          throw usageError('--csv is for lists.', `Use: tieout replay report ${job} --csv`);
        const state = await client.replay.get({ site, job });
        await cli.output.document(state, () => [...formatReplay(state), ...wayOn(state)]);
      }),
    );

  addPageOptions(command.command('report').description('The outcome of each webhook of a replay.'))
    .argument('<job>', 'the replay')
    .action(
      handle.list(async (cli, job: string, options: PageOptions) => {
        const { client, site } = await cli.session.openSite();
        const state = await client.replay.get({ site, job });
        // Whoever asks for a file wants the whole of it; a screen is filled with the first ones.
        const everything = cli.output.format !== 'table' && options.limit === undefined;
        const { replayItem } = await import('../../../contract/webhooks/replay.ts');
        await cli.output.list<ReplayItem>({
          columns: replayItemColumns,
          fields: Object.keys(replayItem.shape),
          pages: withJob(
            state,
            fetchPages(everything ? { ...options, all: true } : options, (place) =>
              client.replay.items({ site, job, ...place }),
            ),
          ),
          footer: (shown, first, next) =>
            [...formatReplay(state), createPageFooter('webhooks')(shown, first, next)].join('\n'),
          empty: 'Nothing was replayed.',
        });
        return toReplayExitCode(state);
      }),
    );

  command
    .command('retry-failures')
    .description('A new plan of those that failed again, were refused or stayed unresolved.')
    .argument('<job>', 'the replay')
    .option(...why)
    .action(
      handle(async (cli, job: string, options: ReasonOptions) => {
        const { client, site } = await cli.session.openSite();
        const plan = await client.replay.retryFailures({ site, job, ...reasonOf(options) });
        await cli.output.document(plan, () => [...formatReplayPlan(plan), '', next(plan)]);
      }),
    );
};

const reasonOf = ({ reason }: ReasonOptions) => (reason === undefined ? {} : { reason });

/** What is said of runs that nobody watches. */
const unattended = `
Nothing waits for anybody: where the endpoint goes down, one webhook tries it after 1, 5 and 15 minutes and the replay then
stops (exit 1); a service that does not answer for half an hour stops it too (exit 4); a refused key ends it at once (exit 3),
a pause asked for elsewhere as well (exit 130). What was not sent is kept: tieout replay resume JOB`;

async function selectionOf({ outage, idsFile, ...options }: PlanOptions, client: Client, site: string) {
  const filter = toWebhookFilter(options);
  if (idsFile === undefined && outage === undefined) return { filter };
  if (Object.keys(filter).length > 0 || (idsFile !== undefined && outage !== undefined)) {
    throw usageError('--ids-file and --outage take the place of a filter.', 'Give one of them.');
  }
  if (idsFile !== undefined) return { ids: await readIdsFile(idsFile) };
  const { outages } = await client.webhooks.outages({ site, limit: 500 });
  const found = outages.find(({ id }) => id === outage);
  if (found === undefined) throw usageError(`There is no outage ${outage}.`, 'See: tieout webhooks outages');
  if (found.filter === null) {
    throw usageError(`The log has no webhook of the outage ${outage}.`, 'There is nothing to replay of it.');
  }
  return { filter: found.filter };
}

/**
 * Follows a replay to its end and reports. Ctrl-C pauses it: a paused replay can be resumed, a canceled one cannot. A pause
 * that only a person can lift ends the command: it may have been started by nobody.
 */
async function finish(cli: CommandContext, client: Client, started: ReplayJob): Promise<ExitCode> {
  const { site, job } = started;
  cli.interrupt.setMessage(`Paused; what was sent is known. Go on with: tieout replay resume ${job}`);
  let pausedBy: ReplayJob['paused_by'] = null;
  const { error, state: ended } = await followJob(cli, client, started, {
    onStop: () => client.replay.pause({ site, job }),
    getNotice: async () => {
      const { reason, paused_by } = await client.replay.get({ site, job });
      pausedBy = paused_by;
      return reason;
    },
    needsPerson: () => pausedBy !== null && pausedBy !== 'breaker',
  });
  if (cli.interrupt.signal.aborted) return exitCode.interrupted;
  const state = await client.replay.get({ site, job });
  if (ended === 'paused') return stuck(cli, state);
  if (error !== null && (state.state !== 'stopped' || error.detail?.['stopped_by'] === 'service')) {
    throw new CliError(error.code, error.message, `Go on with: tieout replay resume ${job}`);
  }
  const failed = await failures(client, state);
  await cli.output.document(state, () => [
    ...formatReplay(state),
    ...(failed.length === 0
      ? []
      : ['', ...formatTableLines(replayItemColumns, failed, process.stdout.columns ?? Infinity)]),
    ...wayOn(state),
    ...(failed.length === 0 ? [] : ['', `Plan them again with: tieout replay retry-failures ${job}`]),
  ]);
  return toReplayExitCode(state);
}

/** What goes on with a replay that does not go on by itself. */
function wayOn({ job, state, paused_by }: ReplayJob): string[] {
  const waits =
    state === 'interrupted' || state === 'stopped' || (state === 'paused' && paused_by !== 'breaker');
  return waits ? ['', `Go on with: tieout replay resume ${job}`] : [];
}

/** The replay is paused and waits for a person. */
function stuck(cli: CommandContext, { job, reason, paused_by }: ReplayJob): ExitCode {
  const code = paused_by === 'key' ? 'auth' : paused_by === 'refusals' ? 'service' : 'canceled';
  const failure = new CliError(code, reason ?? 'Paused.', `Go on with: tieout replay resume ${job}`);
  cli.output.error(failure.value);
  return failure.exit;
}

async function failures(client: Client, { site, job }: ReplayJob): Promise<ReplayItem[]> {
  const { rows } = await client.replay.items({ site, job, outcome: [...failedOutcomes], limit: 20 });
  return rows;
}

async function* withJob<P extends OutputPage<ReplayItem>>(job: ReplayJob, pages: AsyncIterable<P>) {
  for await (const page of pages) yield { ...page, job };
}

const next = ({ plan, count }: ReplayPlan): string =>
  count === 0
    ? 'There is nothing to send.'
    : `Nothing was sent yet. Send them with: tieout replay run ${plan}`;
