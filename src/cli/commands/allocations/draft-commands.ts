import { Option } from 'commander';
import {
  allocationDraftColumns,
  formatAllocationDraft,
  getDraftExitCode,
} from '../../formatters/allocation-drafts.ts';
import { createIntegerParser, type PagingOptions } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { addSendDraftOptions } from './draft-creation-commands.ts';
import {
  followDraftJob,
  previewOrSendDraft,
  printDraftChange,
  printDraftChanges,
  printDraftPreview,
  recheckAllocationDraft,
  type SendDraftOptions,
} from './send-draft.ts';

export const defineDraftCommands: DefineCommand = (command) => {
  defineDraftLists(command);
  defineDraftActions(command);
  defineOutcomeCommands(command);
};

const defineDraftLists: DefineCommand = (command) => {
  command
    .subcommand('drafts', 'List drafts, sent and unsent, newest first')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: allocationDraftColumns,
        fields: async () =>
          (await import('../../../contract/allocations/allocation-changes.ts')).allocationDraftSchema,
        pages: [{ rows: await client.allocations.drafts({ site }), next: null }],
        empty:
          'There are no drafts. Create one with: tieout allocations create, or: tieout allocations import FILE.csv',
      });
    });

  command
    .subcommand('draft', 'Show a draft and what each change would do')
    .pageOptions()
    .argument('<draft>', 'ID of the draft')
    .listOnSite(async (context, draft: string, options: PagingOptions) => {
      await printDraftChanges(context, draft, options);
    });

  command
    .subcommand('report', 'List the outcome of each change of a draft')
    .pageOptions()
    .argument('<draft>', 'ID of the draft')
    .listOnSite(async (context, draft: string, options: PagingOptions) => {
      // By default, files contain all rows, but the terminal shows only the first page.
      const all = context.output.format !== 'table' && options.limit === undefined;
      return getDraftExitCode(await printDraftChanges(context, draft, all ? { ...options, all } : options));
    });
};

const defineDraftActions: DefineCommand = (command) => {
  command
    .subcommand(
      'check',
      'Download the allocation histories of a draft again and show what has changed since its creation',
    )
    .argument('<draft>', 'ID of the draft')
    .runConnected(async (context, draft: string) => {
      await recheckAllocationDraft(context, draft);
      await printDraftPreview(context, draft);
    });

  command
    .subcommand('send', 'Check a draft, then send it if --confirm is set')
    .with(addSendDraftOptions)
    .argument('<draft>', 'ID of the draft')
    .runConnected(async (context, draft: string, options: SendDraftOptions) => {
      const { client, site } = context;
      return previewOrSendDraft(context, await client.allocations.getDraft({ site, draft }), options);
    });

  command
    .subcommand('resume', 'Resume a draft that was paused, stopped, interrupted or canceled')
    .argument('<draft>', 'ID of the draft')
    .runConnected(async (context, draft: string) => {
      const { client, site } = context;
      return followDraftJob(context, await client.allocations.resume({ site, draft }));
    });

  for (const [name, description] of [
    ['pause', 'Pause a draft; nothing more is sent until you resume it'],
    ['cancel', 'Stop sending a draft; its unsent changes can be resumed'],
    ['discard', 'Discard a draft that has not been sent'],
    ['redraft', 'Create a new draft from the changes that were definitely not applied'],
  ] as const) {
    command
      .subcommand(name, description)
      .argument('<draft>', 'ID of the draft')
      .runOnSite(async ({ client, site, output }, draft: string) => {
        const result = await client.allocations[name]({ site, draft });
        await output.document(result, () => formatAllocationDraft(result));
      });
  }
};

const defineOutcomeCommands: DefineCommand = (command) => {
  command
    .subcommand('lookup', 'Look up an undecided change in the allocation history again')
    .argument('<draft>', 'ID of the draft')
    .argument('<n>', 'number of the change in the draft', createIntegerParser(1))
    .runConnected(async ({ client, site, output }, draft: string, n: number) =>
      printDraftChange(output, await client.allocations.look({ site, draft, ordinal: n - 1 })),
    );

  command
    .subcommand('decide', 'Record the outcome of a change that the allocation history does not show')
    .argument('<draft>', 'ID of the draft')
    .argument('<n>', 'number of the change in the draft', createIntegerParser(1))
    .addOption(
      new Option('--as <outcome>', 'outcome').choices(['applied', 'not-applied']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'evidence for the outcome, recorded in the audit log')
    .runOnSite(
      async (
        { client, site, output },
        draft: string,
        n: number,
        { as: outcome, reason }: { as: string; reason: string },
      ) => {
        const as = outcome === 'applied' ? 'applied' : 'not_applied';
        return printDraftChange(
          output,
          await client.allocations.decide({ site, draft, ordinal: n - 1, as, reason }),
        );
      },
    );
};
