import type { AllocationDraft } from '../../../contract/allocations/allocation-changes.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { allocationDraftColumns, formatDraft, toDraftExitCode } from '../../formatters/allocation-drafts.ts';
import {
  addPageOptions,
  createChoiceOption,
  createIntegerParser,
  type PageOptions,
} from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';
import { addDraftSendOptions } from './draft-options.ts';
import {
  type DraftSendOptions,
  followDraft,
  previewOrSendDraft,
  printChange,
  printDraftChanges,
  printDraftPreview,
  recheckDraft,
} from './send-draft.ts';

export const defineDraftCommands: DefineCommand = (command, handle) => {
  defineDraftLists(command, handle);
  defineDraftActions(command, handle);
  defineOutcomeCommands(command, handle);
};

const defineDraftLists: DefineCommand = (command, handle) => {
  command
    .command('drafts')
    .description('List drafts, sent and unsent, newest first')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { allocationDraftSchema } = await import('../../../contract/allocations/allocation-changes.ts');
        await cli.output.list<AllocationDraft>({
          columns: allocationDraftColumns,
          fields: Object.keys(allocationDraftSchema.shape),
          pages: [{ rows: await client.allocations.drafts({ site }), next: null }],
          empty:
            'There are no drafts. Create one with: tieout allocations create, or: tieout allocations import FILE.csv',
        });
      }),
    );

  addPageOptions(command.command('draft').description('Show a draft and what each change would do'))
    .argument('<draft>', 'ID of the draft')
    .action(
      handle.list(async (cli, draft: string, options: PageOptions) => {
        await printDraftChanges(cli, draft, options);
        return exitCodes.success;
      }),
    );

  addPageOptions(command.command('report').description('List the outcome of each change of a draft'))
    .argument('<draft>', 'ID of the draft')
    .action(
      handle.list(async (cli, draft: string, options: PageOptions) => {
        // By default, files contain all rows and the terminal shows only the first page.
        const all = cli.output.format !== 'table' && options.limit === undefined;
        return toDraftExitCode(await printDraftChanges(cli, draft, all ? { ...options, all } : options));
      }),
    );
};

const defineDraftActions: DefineCommand = (command, handle) => {
  command
    .command('check')
    .description('Read the histories of a draft again and show what has changed since it was created')
    .argument('<draft>', 'ID of the draft')
    .action(
      handle(async (cli, draft: string) => {
        const { client, site } = await cli.session.connectSite();
        await recheckDraft(cli, client, site, draft);
        await printDraftPreview(cli, client, site, draft);
      }),
    );

  addDraftSendOptions(command.command('send').description('Check a draft, then send it if --confirm is set'))
    .argument('<draft>', 'ID of the draft')
    .action(
      handle(async (cli, draft: string, options: DraftSendOptions) => {
        const { client, site } = await cli.session.connectSite();
        return previewOrSendDraft(cli, client, await client.allocations.getDraft({ site, draft }), options);
      }),
    );

  command
    .command('resume')
    .description('Resume a draft that was paused, stopped, interrupted or canceled')
    .argument('<draft>', 'ID of the draft')
    .action(
      handle(async (cli, draft: string) => {
        const { client, site } = await cli.session.connectSite();
        return followDraft(cli, client, await client.allocations.resume({ site, draft }));
      }),
    );

  for (const [name, description] of [
    ['pause', 'Pause a draft; nothing more is sent until you resume it'],
    ['cancel', 'Stop sending a draft; unsent changes can be resumed'],
    ['discard', 'Discard a draft that has not been sent'],
    ['redraft', 'Create a new draft from the changes that were definitely not applied'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<draft>', 'ID of the draft')
      .action(
        handle(async (cli, draft: string) => {
          const { client, site } = await cli.session.openSite();
          const result = await client.allocations[name]({ site, draft });
          await cli.output.document(result, () => formatDraft(result));
        }),
      );
  }
};

const defineOutcomeCommands: DefineCommand = (command, handle) => {
  command
    .command('lookup')
    .description('Look up an undecided change in the allocation history again')
    .argument('<draft>', 'ID of the draft')
    .argument('<n>', 'number of the change in the draft', createIntegerParser(1))
    .action(
      handle(async (cli, draft: string, n: number) => {
        const { client, site } = await cli.session.connectSite();
        return printChange(cli, await client.allocations.look({ site, draft, ordinal: n - 1 }));
      }),
    );

  command
    .command('decide')
    .description('Record the outcome of a change that the allocation history does not show')
    .argument('<draft>', 'ID of the draft')
    .argument('<n>', 'number of the change in the draft', createIntegerParser(1))
    .addOption(
      createChoiceOption('--as <outcome>', 'outcome', ['applied', 'not-applied']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how you know, for the audit log')
    .action(
      handle(async (cli, draft: string, n: number, options: { as: string; reason: string }) => {
        const { client, site } = await cli.session.openSite();
        const as = options.as === 'applied' ? 'applied' : 'not_applied';
        const { reason } = options;
        return printChange(cli, await client.allocations.decide({ site, draft, ordinal: n - 1, as, reason }));
      }),
    );
};
