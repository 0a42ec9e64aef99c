import type {
  AllocationChange,
  AllocationDraft,
  WantedChange,
} from '../../../contract/allocations/allocation-changes.ts';
import type { Client } from '../../../contract/contract.ts';
import { CliError, toCliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCode } from '../../errors/exit-codes.ts';
import { allocationChangeColumns, formatDraft, toDraftExitCode } from '../../formatters/allocation-drafts.ts';
import type { PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatTableLines } from '../../output/table.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';
import { followJob } from '../../runtime/follow-job.ts';

export interface SendOptions {
  readonly confirm?: true;
  readonly stopAfter: number;
}

/** Changes shown of a preview; all of them are in `tieout allocations draft`. */
const SHOWN = 50;
/** A draft with more changes is checked when that is asked for, not by itself. */
const CHECKED = 200;

export type From = { changes: WantedChange[] } | { csv: string; name: string };

/** Drafts, shows what would change, and sends it where that is confirmed. */
export async function propose(
  cli: CommandContext,
  from: From,
  together: boolean,
  options: SendOptions,
): Promise<ExitCode> {
  const { client, site } = await cli.session.connectSite();
  const draft = await client.allocations.draft({ site, from, together });
  return proceed(cli, client, draft, options);
}

export async function proceed(
  cli: CommandContext,
  client: Client,
  draft: AllocationDraft,
  options: SendOptions,
): Promise<ExitCode> {
  const { site, count: changes } = draft;
  if (draft.state === 'draft' && (changes <= CHECKED || draft.problems.unknown_component > 0)) {
    try {
      await check(cli, client, site, draft.draft);
    } catch (error) {
      if (options.confirm || !(error instanceof CliError)) throw error;
      cli.output.notice(
        `It could not be checked: ${error.value.message} What is shown is what is held here.`,
      );
    }
  }
  if (cli.interrupt.signal.aborted) return exitCode.interrupted;
  const shown = await client.allocations.getDraft({ site, draft: draft.draft });
  if (!options.confirm) {
    await preview(cli, client, site, draft.draft);
    return shown.ready === shown.count ? exitCode.success : exitCode.findings;
  }
  cli.output.notice([`To be sent to ${site}:`, ...(await previewLines(client, shown))].join('\n'));
  const { sha256 } = shown;
  const begun = await client.allocations.send({
    site,
    draft: draft.draft,
    sha256,
    stop_after: options.stopAfter,
  });
  return finish(cli, client, begun);
}

export async function check(cli: CommandContext, client: Client, site: string, draft: string): Promise<void> {
  const { id } = await client.allocations.recheck({ site, draft });
  const { error, summary } = await followJob(cli, client, { site, job: id });
  if (error !== null) throw toCliError(error);
  if (summary !== null) cli.output.notice(summary);
}

export async function preview(cli: CommandContext, client: Client, site: string, id: string): Promise<void> {
  const draft = await client.allocations.getDraft({ site, draft: id });
  const { rows } = await client.allocations.changes({ site, draft: id, limit: 1000 });
  const lines = await previewLines(client, draft);
  await cli.output.document({ draft, changes: rows }, () => [...lines, '', nextStep(draft)]);
}

async function previewLines(client: Client, draft: AllocationDraft): Promise<string[]> {
  const { rows } = await client.allocations.changes({ site: draft.site, draft: draft.draft, limit: SHOWN });
  const more =
    draft.count > SHOWN ? [`All ${draft.count}: tieout allocations draft ${draft.draft} --all`] : [];
  return [
    ...formatDraft(draft),
    '',
    ...formatTableLines(allocationChangeColumns, rows, process.stdout.columns ?? Infinity),
    ...more,
  ];
}

function nextStep({ draft, ready, state }: AllocationDraft): string {
  if (state !== 'draft') return `What became of each: tieout allocations report ${draft}`;
  if (ready === 0) return 'There is nothing that can be sent.';
  return `Nothing was sent. Send it with: tieout allocations send ${draft} --confirm`;
}

/** Follows a draft that is sent to its end and reports. Ctrl-C pauses it, so that it can be gone on with. */
export async function finish(cli: CommandContext, client: Client, begun: AllocationDraft): Promise<ExitCode> {
  const { site, draft } = begun;
  const job = begun.job as string;
  cli.interrupt.setMessage(`Paused; what was sent is known. Go on with: tieout allocations resume ${draft}`);
  await followJob(
    cli,
    client,
    { site, job },
    {
      onStop: () => client.allocations.pause({ site, draft }),
      getNotice: async () => (await client.allocations.getDraft({ site, draft })).reason,
    },
  );
  if (cli.interrupt.signal.aborted) return exitCode.interrupted;
  const ended = await client.allocations.getDraft({ site, draft });
  const wrong = await client.allocations.changes({
    site,
    draft,
    limit: SHOWN,
    outcome: ['refused', 'moved', 'undecided', 'not_applied', 'looking'],
  });
  await cli.output.document({ draft: ended, changes: wrong.rows }, () => [
    ...formatDraft(ended),
    ...(wrong.rows.length === 0
      ? []
      : ['', ...formatTableLines(allocationChangeColumns, wrong.rows, process.stdout.columns ?? Infinity)]),
    ...(ended.state === 'done' ? [] : ['', `Go on with: tieout allocations resume ${draft}`]),
  ]);
  return toDraftExitCode(ended);
}

export async function listed(
  cli: CommandContext,
  draft: string,
  options: PageOptions,
): Promise<AllocationDraft> {
  const { client, site } = await cli.session.openSite();
  const state = await client.allocations.getDraft({ site, draft });
  const { allocationChange } = await import('../../../contract/allocations/allocation-changes.ts');
  await cli.output.list<AllocationChange>({
    columns: allocationChangeColumns,
    fields: Object.keys(allocationChange.shape),
    pages: fetchPages(options, (place) => client.allocations.changes({ site, draft, ...place })),
    footer: (shown, first, next) =>
      [...formatDraft(state), createPageFooter('changes')(shown, first, next)].join('\n'),
    empty: 'It has no changes.',
  });
  return state;
}

export async function settled(cli: CommandContext, change: AllocationChange): Promise<ExitCode> {
  await cli.output.document(change, () => [
    ...formatTableLines(allocationChangeColumns, [change], process.stdout.columns ?? Infinity),
    ...(change.evidence === null ? [] : ['', change.evidence.verdict]),
  ]);
  return change.outcome === 'applied' ? exitCode.success : exitCode.findings;
}
