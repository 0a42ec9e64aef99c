import type {
  AllocationChange,
  AllocationDraft,
  WantedChange,
} from '../../../contract/allocations/allocation-changes.ts';
import type { Client } from '../../../contract/contract.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { allocationChangeColumns, formatDraft, toDraftExitCode } from '../../formatters/allocation-drafts.ts';
import type { PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatTableLines, terminalWidth } from '../../output/table.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';
import { completeJob, followJob } from '../../runtime/follow-job.ts';

export interface DraftSendOptions {
  readonly confirm?: true;
  readonly stopAfter: number;
}

/** Maximum number of changes listed before sending. `tieout allocations draft` lists all of them. */
const MAX_LISTED_CHANGES = 50;
/** Maximum number of changes in a draft for it to be checked with the service automatically. */
const MAX_AUTO_CHECKED_CHANGES = 200;

export type DraftSource = { changes: WantedChange[] } | { csv: string; name: string };

/** Creates a draft, shows the resulting changes and sends the draft if the user confirms. */
export async function createDraft(
  cli: CommandContext,
  from: DraftSource,
  together: boolean,
  options: DraftSendOptions,
): Promise<ExitCode> {
  const { client, site } = await cli.session.connectSite();
  const draft = await client.allocations.draft({ site, from, together });
  return previewOrSendDraft(cli, client, draft, options);
}

/** Checks a draft, then either shows the resulting changes or sends the draft if the user confirms. */
export async function previewOrSendDraft(
  cli: CommandContext,
  client: Client,
  { site, draft, ...created }: AllocationDraft,
  { confirm, stopAfter }: DraftSendOptions,
): Promise<ExitCode> {
  const isSmall = created.count <= MAX_AUTO_CHECKED_CHANGES || created.problems.unknown_component > 0;
  if (created.state === 'draft' && isSmall) {
    try {
      await recheckDraft(cli, client, site, draft);
    } catch (error) {
      if (confirm || cli.interrupt.signal.aborted || !(error instanceof CliError)) throw error;
      cli.output.notice(`The draft could not be checked: ${error.value.message} Showing stored quantities.`);
    }
  }
  if (cli.interrupt.signal.aborted) return exitCodes.interrupted;
  const checked = await client.allocations.getDraft({ site, draft });
  if (!confirm) {
    await printDraftPreview(cli, client, site, draft);
    return checked.ready === checked.count ? exitCodes.success : exitCodes.findings;
  }
  cli.output.notice([`Sending to ${site}:`, ...(await formatPreview(client, checked))].join('\n'));
  const { sha256 } = checked;
  const sending = await client.allocations.send({ site, draft, sha256, stop_after: stopAfter });
  return followDraft(cli, client, sending);
}

/** Reads the allocation histories for a draft from the service again and prints the differences. */
export async function recheckDraft(
  cli: CommandContext,
  client: Client,
  site: string,
  draft: string,
): Promise<void> {
  const { id } = await client.allocations.recheck({ site, draft });
  const { summary } = await completeJob(cli, client, { site, job: id });
  if (summary !== null) cli.output.notice(summary);
}

export async function printDraftPreview(
  cli: CommandContext,
  client: Client,
  site: string,
  id: string,
): Promise<void> {
  const draft = await client.allocations.getDraft({ site, draft: id });
  const { rows } = await client.allocations.changes({ site, draft: id, limit: 1000 });
  const lines = await formatPreview(client, draft);
  await cli.output.document({ draft, changes: rows }, () => [...lines, '', formatNextStep(draft)]);
}

async function formatPreview(client: Client, draft: AllocationDraft): Promise<string[]> {
  const { site, draft: id, count } = draft;
  const { rows } = await client.allocations.changes({ site, draft: id, limit: MAX_LISTED_CHANGES });
  return [
    ...formatDraft(draft),
    '',
    ...formatTableLines(allocationChangeColumns, rows, terminalWidth()),
    ...(count > MAX_LISTED_CHANGES
      ? [`List all ${count} changes with: tieout allocations draft ${id} --all`]
      : []),
  ];
}

function formatNextStep({ draft, ready, state }: AllocationDraft): string {
  if (state !== 'draft') return `List the outcomes with: tieout allocations report ${draft}`;
  if (ready === 0) return 'There are no changes to send.';
  return `Nothing has been sent. Send the changes with: tieout allocations send ${draft} --confirm`;
}

/**
 * Shows the progress of a draft until it is sent, then prints the result. Ctrl-C pauses the draft, so that it can be
 * resumed.
 */
export async function followDraft(
  cli: CommandContext,
  client: Client,
  { site, draft, job }: AllocationDraft,
): Promise<ExitCode> {
  const resumeHint = `Resume with: tieout allocations resume ${draft}`;
  cli.interrupt.setMessage(`Paused. Outcomes so far are stored. ${resumeHint}`);
  await followJob(
    cli,
    client,
    { site, job: job as string },
    {
      onStop: () => client.allocations.pause({ site, draft }),
      getNotice: async () => (await client.allocations.getDraft({ site, draft })).reason,
    },
  );
  if (cli.interrupt.signal.aborted) return exitCodes.interrupted;
  const sent = await client.allocations.getDraft({ site, draft });
  const { rows: unresolved } = await client.allocations.changes({
    site,
    draft,
    limit: MAX_LISTED_CHANGES,
    outcome: ['refused', 'moved', 'undecided', 'not_applied', 'looking'],
  });
  await cli.output.document({ draft: sent, changes: unresolved }, () => [
    ...formatDraft(sent),
    ...(unresolved.length === 0
      ? []
      : ['', ...formatTableLines(allocationChangeColumns, unresolved, terminalWidth())]),
    ...(sent.state === 'done' ? [] : ['', resumeHint]),
  ]);
  return toDraftExitCode(sent);
}

/** Prints the changes of a draft and returns the draft. */
export async function printDraftChanges(
  cli: CommandContext,
  id: string,
  options: PageOptions,
): Promise<AllocationDraft> {
  const { client, site } = await cli.session.openSite();
  const draft = await client.allocations.getDraft({ site, draft: id });
  const { allocationChangeSchema } = await import('../../../contract/allocations/allocation-changes.ts');
  await cli.output.list<AllocationChange>({
    columns: allocationChangeColumns,
    fields: Object.keys(allocationChangeSchema.shape),
    pages: fetchPages(options, (page) => client.allocations.changes({ site, draft: id, ...page })),
    footer: (shown, first, next) =>
      [...formatDraft(draft), createPageFooter('changes')(shown, first, next)].join('\n'),
    empty: 'The draft contains no changes.',
  });
  return draft;
}

/** Prints one change of a draft. Returns exit code 1 unless the change was applied. */
export async function printChange(cli: CommandContext, change: AllocationChange): Promise<ExitCode> {
  await cli.output.document(change, () => [
    ...formatTableLines(allocationChangeColumns, [change], terminalWidth()),
    ...(change.evidence === null ? [] : ['', change.evidence.verdict]),
  ]);
  return change.outcome === 'applied' ? exitCodes.success : exitCodes.findings;
}
