import type { Client } from '../../contract/contract.ts';
import type { ReplayItem, ReplayJob, ReplayPlan } from '../../contract/replay.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { idsOfFile } from '../idsFile.ts';
import { choice, type ListOptions, listOptions, rate, whole } from '../options.ts';
import type { Page } from '../output.ts';
import { pageFooter, pagesOf } from '../pages.ts';
import { itemColumns, jobColumns, jobLines, planLines, verdict, wrong } from '../replayWords.ts';
import { tableLines } from '../table.ts';
import type { Define } from '../verbs.ts';
import { type FilterOptions, filterOptions, webhookFilter } from '../webhookFilter.ts';

interface PlanOptions extends FilterOptions {
  readonly idsFile?: string;
  readonly includeAccepted?: true;
}

interface RunOptions {
  readonly mode: 'safe' | 'adaptive' | 'fast';
  readonly batchSize: number;
  readonly rate?: number;
}

export const define: Define = (command, act) => {
  filterOptions(
    command
      .command('plan')
      .description(
        'Freeze a selection of webhooks into a plan. Reads the local log alone and sends nothing.',
      ),
  )
    .option('--ids-file <file>', 'a file of webhook ids instead of a filter; - for stdin')
    .option('--include-accepted', 'also those the log shows as accepted')
    .action(
      act(async (cli, options: PlanOptions) => {
        const selection = await selectionOf(options);
        const { client, site } = await cli.session.local();
        const include_accepted = options.includeAccepted === true;
        const plan = await client.replay.plan({ site, selection, include_accepted });
        await cli.out.document(plan, () => [...planLines(plan), '', next(plan)]);
      }),
    );

  command
    .command('run')
    .description('Carry out a plan: first one, then more and more, each batch verified against the log.')
    .argument('<plan>', 'the plan, as `tieout replay plan` named it')
    .option('--batch-size <n>', 'at most so many webhooks a request', whole(1, 1000), 100)
    .option('--rate <r>', 'at most so many webhooks a second', rate)
    .addOption(choice('--mode <mode>', 'how careful', ['safe', 'adaptive', 'fast']).default('adaptive'))
    .action(
      act(async (cli, plan: string, options: RunOptions) => {
        const { client, site } = await cli.session.remote();
        const { mode, batchSize: batch_size } = options;
        // A service that cannot be reached or refuses the key is said at once, and no replay is begun.
        await client.sites.test({ site });
        const started = await client.replay.run({
          site,
          plan,
          mode,
          batch_size,
          ...(options.rate === undefined ? {} : { rate: options.rate }),
        });
        return finish(cli, client, started);
      }),
    );

  command
    .command('resume')
    .description('Go on with a replay that was paused or interrupted.')
    .argument('<job>', 'the replay')
    .action(
      act(async (cli, job: string) => {
        const { client, site } = await cli.session.remote();
        await client.sites.test({ site });
        return finish(cli, client, await client.replay.resume({ site, job }));
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
      .action(
        act(async (cli, job: string) => {
          const { client, site } = await cli.session.local();
          const state = await client.replay[verb]({ site, job });
          await cli.out.document(state, () => jobLines(state));
        }),
      );
  }

  command
    .command('status')
    .description('How a replay stands; without a job: all of them.')
    .argument('[job]', 'the replay')
    .action(
      act.list(async (cli, job: string | undefined) => {
        const { client, site } = await cli.session.local();
        if (job === undefined) {
          const { replayJob } = await import('../../contract/replay.ts');
          await cli.out.list<ReplayJob>({
            columns: jobColumns,
            fields: Object.keys(replayJob.shape),
            pages: [{ rows: await client.replay.list({ site }), next: null }],
            empty: 'Nothing has been replayed yet. Begin with: tieout replay plan --status failed',
          });
          return;
        }
        if (cli.out.format === 'csv')
          throw wrongUsage('--csv is for lists.', `Use: tieout replay report ${job} --csv`);
        const state = await client.replay.get({ site, job });
        await cli.out.document(state, () => jobLines(state));
      }),
    );

  listOptions(command.command('report').description('The outcome of each webhook of a replay.'))
    .argument('<job>', 'the replay')
    .action(
      act.list(async (cli, job: string, options: ListOptions) => {
        const { client, site } = await cli.session.local();
        const state = await client.replay.get({ site, job });
        // Whoever asks for a file wants the whole of it; a screen is filled with the first ones.
        const everything = cli.out.format !== 'table' && options.limit === undefined;
        const { replayItem } = await import('../../contract/replay.ts');
        await cli.out.list<ReplayItem>({
          columns: itemColumns,
          fields: Object.keys(replayItem.shape),
          pages: withJob(
            state,
            pagesOf(everything ? { ...options, all: true } : options, (place) =>
              client.replay.items({ site, job, ...place }),
            ),
          ),
          footer: (shown, first, next) =>
            [...jobLines(state), pageFooter('webhooks')(shown, first, next)].join('\n'),
          empty: 'Nothing was replayed.',
        });
        return verdict(state);
      }),
    );

  command
    .command('retry-failures')
    .description('A new plan of those that failed again, were refused or stayed unresolved.')
    .argument('<job>', 'the replay')
    .action(
      act(async (cli, job: string) => {
        const { client, site } = await cli.session.local();
        const plan = await client.replay.retryFailures({ site, job });
        await cli.out.document(plan, () => [...planLines(plan), '', next(plan)]);
      }),
    );
};

async function selectionOf(options: PlanOptions) {
  const filter = webhookFilter(options);
  if (options.idsFile === undefined) return { filter };
  if (Object.keys(filter).length > 0)
    throw wrongUsage('--ids-file takes the place of a filter.', 'Give one of them.');
  return { ids: await idsOfFile(options.idsFile) };
}

/** Follows a replay to its end and reports. Ctrl-C pauses it: a paused replay can be resumed, a cancelled one cannot. */
async function finish(cli: Cli, client: Client, started: ReplayJob): Promise<Exit> {
  const { site, job } = started;
  cli.stop.onStop(`Paused; what was sent is known. Go on with: tieout replay resume ${job}`);
  const { error } = await followJob(cli, client, started, {
    onStop: () => client.replay.pause({ site, job }),
    remark: async () => (await client.replay.get({ site, job })).reason,
  });
  if (cli.stop.signal.aborted) return exit.interrupted;
  const state = await client.replay.get({ site, job });
  if (error !== null && state.state !== 'stopped') {
    throw new Failure(error.code, error.message, error.hint ?? `Go on with: tieout replay resume ${job}`);
  }
  const failed = await failures(client, state);
  await cli.out.document(state, () => [
    ...jobLines(state),
    ...(failed.length === 0
      ? []
      : ['', ...tableLines(itemColumns, failed, process.stdout.columns ?? Infinity)]),
    ...(failed.length === 0 ? [] : ['', `Plan them again with: tieout replay retry-failures ${job}`]),
  ]);
  return verdict(state);
}

async function failures(client: Client, { site, job }: ReplayJob): Promise<ReplayItem[]> {
  const { rows } = await client.replay.items({ site, job, outcome: [...wrong], limit: 20 });
  return rows;
}

async function* withJob<P extends Page<ReplayItem>>(job: ReplayJob, pages: AsyncIterable<P>) {
  for await (const page of pages) yield { ...page, job };
}

const next = ({ plan, count }: ReplayPlan): string =>
  count === 0
    ? 'There is nothing to send.'
    : `Nothing was sent yet. Send them with: tieout replay run ${plan}`;
