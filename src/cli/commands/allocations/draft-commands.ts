import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { AllocationDraft, WantedChange } from '../../../contract/allocations/allocation-changes.ts';
import { usageError } from '../../errors/cli-error.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { allocationDraftColumns, formatDraft, toDraftExitCode } from '../../formatters/allocation-drafts.ts';
import {
  addPageOptions,
  choiceOption,
  integer,
  omitUndefined,
  type PageOptions,
  parseServiceId,
} from '../../input/options.ts';
import type { HandlerFactory } from '../../runtime/action-runner.ts';
import { check, finish, listed, preview, proceed, propose, type SendOptions, settled } from './send-draft.ts';

interface SchemeOptions {
  readonly memo?: string;
  readonly upgrade?: string;
  readonly downgrade?: string;
}

/** Drafting, sending and settling changes of quantities. */
export function defineChanges(command: Command, handle: HandlerFactory): void {
  wanted(command.command('create').description('Change the quantity of one component.'))
    .requiredOption('--subscription <id>', 'the subscription', parseServiceId)
    .requiredOption('--component <id>', 'the component', parseServiceId)
    .requiredOption(
      '--quantity <n>',
      'its new quantity; of an on/off component 1 is on and 0 is off',
      quantity,
    )
    .action(
      handle(
        async (
          cli,
          options: SendOptions &
            SchemeOptions & { subscription: number; component: number; quantity: number | string },
        ) => {
          const pair = { subscription_id: options.subscription, component_id: options.component };
          return propose(
            cli,
            { changes: [{ ...pair, quantity: options.quantity, ...rest(options) }] },
            false,
            options,
          );
        },
      ),
    );

  wanted(
    command
      .command('create-many')
      .description(
        'Change several components of a subscription in one request; their charges make one payment.',
      ),
  )
    .requiredOption('--subscription <id>', 'the subscription', parseServiceId)
    .requiredOption(
      '--set <component=quantity>',
      'a component and its new quantity; give it again for each',
      settings,
    )
    .action(
      handle(
        async (
          cli,
          options: SendOptions & SchemeOptions & { subscription: number; set: [number, number | string][] },
        ) => {
          const changes = options.set.map(([component_id, wants]) => ({
            subscription_id: options.subscription,
            component_id,
            quantity: wants,
            ...rest(options),
          }));
          return propose(cli, { changes }, true, options);
        },
      ),
    );

  sending(
    command
      .command('import')
      .description(
        'Change many: a CSV with subscription_id, component_id, quantity and, at will, memo and schemes.',
      )
      .argument('<file>', 'the CSV; - for stdin')
      .option('--together', 'the changes of a subscription leave in one request'),
  ).action(
    handle(async (cli, file: string, options: SendOptions & { together?: true }) => {
      const csv = await textOf(file);
      return propose(
        cli,
        { csv, name: file === '-' ? 'stdin' : baseName(file) },
        options.together === true,
        options,
      );
    }),
  );

  command
    .command('drafts')
    .description('The drafts that wait and those that were sent, newest first.')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { allocationDraft } = await import('../../../contract/allocations/allocation-changes.ts');
        await cli.output.list<AllocationDraft>({
          columns: allocationDraftColumns,
          fields: Object.keys(allocationDraft.shape),
          pages: [{ rows: await client.allocations.drafts({ site }), next: null }],
          empty:
            'There is no draft. Make one with: tieout allocations create, or: tieout allocations import FILE.csv',
        });
      }),
    );

  addPageOptions(command.command('draft').description('A draft: what each change would do.'))
    .argument('<draft>', 'the draft')
    .action(
      handle.list(async (cli, draft: string, options: PageOptions) => {
        await listed(cli, draft, options);
        return exitCode.success;
      }),
    );

  addPageOptions(command.command('report').description('What became of each change of a draft.'))
    .argument('<draft>', 'the draft')
    .action(
      handle.list(async (cli, draft: string, options: PageOptions) => {
        // Whoever asks for a file wants the whole of it; a screen is filled with the first ones.
        const everything = cli.output.format !== 'table' && options.limit === undefined;
        return toDraftExitCode(await listed(cli, draft, everything ? { ...options, all: true } : options));
      }),
    );

  command
    .command('check')
    .description('Read the histories of a draft anew, and say what changed since it was made.')
    .argument('<draft>', 'the draft')
    .action(
      handle(async (cli, draft: string) => {
        const { client, site } = await cli.session.connectSite();
        await check(cli, client, site, draft);
        await preview(cli, client, site, draft);
      }),
    );

  sending(command.command('send').description('Send a draft, after a last look at it.'))
    .argument('<draft>', 'the draft')
    .action(
      handle(async (cli, draft: string, options: SendOptions) => {
        const { client, site } = await cli.session.connectSite();
        return proceed(cli, client, await client.allocations.getDraft({ site, draft }), options);
      }),
    );

  command
    .command('resume')
    .description('Go on with a draft that was paused, stopped, interrupted or canceled.')
    .argument('<draft>', 'the draft')
    .action(
      handle(async (cli, draft: string) => {
        const { client, site } = await cli.session.connectSite();
        return finish(cli, client, await client.allocations.resume({ site, draft }));
      }),
    );

  for (const [verb, description] of [
    ['pause', 'Send nothing more of a draft until it is resumed.'],
    ['cancel', 'Stop sending a draft; what is not sent waits, and can be gone on with.'],
    ['discard', 'Put a draft aside that was not sent.'],
    ['redraft', 'A new draft of what was certainly not applied.'],
  ] as const) {
    command
      .command(verb)
      .description(description)
      .argument('<draft>', 'the draft')
      .action(
        handle(async (cli, draft: string) => {
          const { client, site } = await cli.session.openSite();
          const state = await client.allocations[verb]({ site, draft });
          await cli.output.document(state, () => formatDraft(state));
        }),
      );
  }

  command
    .command('look')
    .description('Look a change that is not decided up in the history again.')
    .argument('<draft>', 'the draft')
    .argument('<n>', 'the change, as it is numbered there', integer(1))
    .action(
      handle(async (cli, draft: string, n: number) => {
        const { client, site } = await cli.session.connectSite();
        return settled(cli, await client.allocations.look({ site, draft, ordinal: n - 1 }));
      }),
    );

  command
    .command('decide')
    .description('Say what you found out of a change that the history does not tell.')
    .argument('<draft>', 'the draft')
    .argument('<n>', 'the change, as it is numbered there', integer(1))
    .addOption(
      choiceOption('--as <outcome>', 'what happened', ['applied', 'not-applied']).makeOptionMandatory(),
    )
    .requiredOption('--why <text>', 'how you know')
    .action(
      handle(async (cli, draft: string, n: number, { as, reason }: { as: string; reason: string }) => {
        const { client, site } = await cli.session.openSite();
        const outcome = as === 'applied' ? 'applied' : 'not_applied';
        return settled(
          cli,
          await client.allocations.decide({ site, draft, ordinal: n - 1, as: outcome, reason }),
        );
      }),
    );
}

function wanted(command: Command): Command {
  return sending(command)
    .option('--memo <text>', 'recorded with it')
    .option(
      '--upgrade <scheme>',
      'prorate-delay-capture, prorate-attempt-capture or no-prorate; else the site’s own',
    )
    .option('--downgrade <scheme>', 'prorate or no-prorate; else the site’s own');
}

function sending(command: Command): Command {
  return command
    .option('--confirm', 'send it: without this it is only shown and kept as a draft')
    .option('--stop-after <n>', 'stop when so many went wrong', integer(1), 5);
}

const rest = ({ memo, upgrade, downgrade }: SchemeOptions): Partial<WantedChange> =>
  omitUndefined({ memo, proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade });

/** A whole number, or the exact text of a decimal one. */
function quantity(given: string): number | string {
  if (!/^-?\d{1,40}(\.\d{1,20})?$/.test(given))
    throw new InvalidArgumentError('Expected a number such as 8 or 2.5.');
  return Number.isSafeInteger(Number(given)) && !given.includes('.') ? Number(given) : given;
}

function settings(given: string, before: [number, number | string][] = []): [number, number | string][] {
  const [component = '', wants = ''] = given.split('=');
  return [...before, [parseServiceId(component), quantity(wants)]];
}

async function textOf(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch {
    throw usageError(`The file ${file} cannot be read.`, 'Check its name.');
  }
}

const baseName = (file: string): string => file.split(/[\\/]/).at(-1) || file;
