import type { AllocationChange, AllocationDraft } from '../../../contract/allocations/allocation-changes.ts';
import type { BackendClient, ContractInputs } from '../../../contract/contract.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import {
  allocationChangeColumns,
  formatAllocationDraft,
  getDraftExitCode,
} from '../../formatters/allocation-drafts.ts';
import type { PagingOptions } from '../../input/options.ts';
import type { CommandOutput } from '../../output/command-output.ts';
import { printList } from '../../output/print-list.ts';
import { formatTableLines, getTerminalWidth } from '../../output/table.ts';
import type { SiteContext } from '../../runtime/cli-command.ts';
import { followJob, waitForJob } from '../../runtime/follow-job.ts';

export interface SendDraftOptions {
  readonly confirm?: true;
  readonly stopAfter: number;
}

/** Maximum number of changes listed before sending. `tieout allocations draft` lists all changes. */
const MAX_LISTED_CHANGES = 50;
/** Maximum number of changes in a draft that is automatically checked with the service. Chosen by judgment. */
const MAX_AUTO_CHECKED_CHANGES = 200;

/** Creates a draft, shows the resulting changes and sends the draft if the user confirms. */
export async function createAllocationDraft(
  context: SiteContext,
  source: Omit<ContractInputs['allocations']['draft'], 'site'>,
  options: SendDraftOptions,
): Promise<ExitCode> {
  const { client, site } = context;
  return previewOrSendDraft(context, await client.allocations.draft({ site, ...source }), options);
}

/** Checks a draft, then either shows the resulting changes or sends the draft if the user confirms. */
export async function previewOrSendDraft(
  context: SiteContext,
  { draft, ...created }: AllocationDraft,
  { confirm, stopAfter }: SendDraftOptions,
): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  const isSmall = created.count <= MAX_AUTO_CHECKED_CHANGES || created.problems.unknown_component > 0;
  if (created.state === 'draft' && isSmall) {
    try {
      await recheckAllocationDraft(context, draft);
    } catch (error) {
      if (confirm || interrupt.signal.aborted || !(error instanceof CliError)) throw error;
      output.notice(`The draft could not be checked: ${error.value.message} Showing stored quantities.`);
    }
  }
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  const checked = await client.allocations.getDraft({ site, draft });
  if (!confirm) {
    await printDraftPreview(context, draft);
    return getSuccessExitCode(checked.ready === checked.count);
  }
  output.notice([`Sending to ${site}:`, ...(await formatPreview(client, checked))].join('\n'));
  const { sha256 } = checked;
  const sending = await client.allocations.send({ site, draft, sha256, stop_after: stopAfter });
  return followDraftJob(context, sending);
}

/** Rereads a draft's allocation histories from the service and prints the differences. */
export async function recheckAllocationDraft(context: SiteContext, draft: string): Promise<void> {
  const { client, site, output } = context;
  const { id } = await client.allocations.recheck({ site, draft });
  const { summary } = await waitForJob(context, id);
  if (summary !== null) output.notice(summary);
}

export async function printDraftPreview({ client, site, output }: SiteContext, id: string): Promise<void> {
  const draft = await client.allocations.getDraft({ site, draft: id });
  const { rows } = await client.allocations.changes({ site, draft: id, limit: 1000 });
  const lines = await formatPreview(client, draft);
  await output.document({ draft, changes: rows }, () => [...lines, '', formatNextStep(draft)]);
}

async function formatPreview(client: BackendClient, draft: AllocationDraft): Promise<string[]> {
  const { site, draft: id, count } = draft;
  const { rows } = await client.allocations.changes({ site, draft: id, limit: MAX_LISTED_CHANGES });
  const lines = [...formatAllocationDraft(draft), '', ...formatChanges(rows)];
  if (count > MAX_LISTED_CHANGES) {
    lines.push(`List all ${count} changes with: tieout allocations draft ${id} --all`);
  }
  return lines;
}

const formatChanges = (changes: readonly AllocationChange[]) =>
  formatTableLines(allocationChangeColumns, changes, getTerminalWidth());

function formatNextStep({ draft, ready, state }: AllocationDraft): string {
  if (state !== 'draft') return `List the outcomes with: tieout allocations report ${draft}`;
  if (ready === 0) return 'There are no changes to send.';
  return `Nothing has been sent. Send the changes with: tieout allocations send ${draft} --confirm`;
}

/** Shows the progress of a draft until it is sent, then prints the result. Ctrl-C pauses the draft. */
export async function followDraftJob(
  context: SiteContext,
  { draft, job }: AllocationDraft,
): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  const resumeHint = `Resume with: tieout allocations resume ${draft}`;
  interrupt.setMessage(`Paused. Outcomes so far are stored. ${resumeHint}`);
  await followJob(context, job as string, {
    onStop: () => client.allocations.pause({ site, draft }),
    getNotice: async () => (await client.allocations.getDraft({ site, draft })).reason,
  });
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  const sent = await client.allocations.getDraft({ site, draft });
  const { rows: unresolved } = await client.allocations.changes({
    site,
    draft,
    limit: MAX_LISTED_CHANGES,
    outcome: ['refused', 'quantity_changed', 'undecided', 'not_applied', 'verifying'],
  });
  await output.document({ draft: sent, changes: unresolved }, () => [
    formatAllocationDraft(sent),
    unresolved.length > 0 && ['', formatChanges(unresolved)],
    sent.state !== 'done' && ['', resumeHint],
  ]);
  return getDraftExitCode(sent);
}

export async function printDraftChanges(
  context: SiteContext,
  id: string,
  options: PagingOptions,
): Promise<AllocationDraft> {
  const { client, site } = context;
  const draft = await client.allocations.getDraft({ site, draft: id });
  await printList(context, options, {
    columns: allocationChangeColumns,
    fields: async () =>
      (await import('../../../contract/allocations/allocation-changes.ts')).allocationChangeSchema,
    fetchPage: (page) => client.allocations.changes({ site, draft: id, ...page }),
    noun: 'changes',
    footer: (count) => [...formatAllocationDraft(draft), count].join('\n'),
    empty: 'The draft contains no changes.',
  });
  return draft;
}

/** Prints one change of a draft. Returns exit code 1 unless the change was applied. */
export async function printDraftChange(output: CommandOutput, change: AllocationChange): Promise<ExitCode> {
  await output.document(change, () => [
    formatChanges([change]),
    change.evidence !== null && ['', change.evidence.verdict],
  ]);
  return getSuccessExitCode(change.outcome === 'applied');
}
