import type { AllocationChange, AllocationDraft, WantedChange } from '../../contract/allocation-changes.ts';
import type { Client } from '../../contract/contract.ts';
import type { Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { Failure, failureOf } from '../failure.ts';
import { followJob } from '../follow.ts';
import type { ListOptions } from '../input/options.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import { tableLines } from '../output/table.ts';
import { changeColumns, draftLines, verdict } from '../words/changes.ts';

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
export async function propose(cli: Cli, from: From, together: boolean, options: SendOptions): Promise<Exit> {
  const { client, site } = await cli.session.remote();
  const draft = await client.allocations.draft({ site, from, together });
  return proceed(cli, client, draft, options);
}

export async function proceed(
  cli: Cli,
  client: Client,
  draft: AllocationDraft,
  options: SendOptions,
): Promise<Exit> {
  const { site, count: changes } = draft;
  if (draft.state === 'draft' && (changes <= CHECKED || draft.problems.unknown_pair > 0)) {
    try {
      await check(cli, client, site, draft.draft);
    } catch (error) {
      if (options.confirm || !(error instanceof Failure)) throw error;
      cli.out.note(`It could not be checked: ${error.value.message} What is shown is what is held here.`);
    }
  }
  if (cli.stop.signal.aborted) return exit.interrupted;
  const shown = await client.allocations.getDraft({ site, draft: draft.draft });
  if (!options.confirm) {
    await preview(cli, client, site, draft.draft);
    return shown.ready === shown.count ? exit.done : exit.found;
  }
  cli.out.note([`To be sent to ${site}:`, ...(await previewLines(client, shown))].join('\n'));
  const { sha256 } = shown;
  const begun = await client.allocations.send({
    site,
    draft: draft.draft,
    sha256,
    stop_after: options.stopAfter,
  });
  return finish(cli, client, begun);
}

export async function check(cli: Cli, client: Client, site: string, draft: string): Promise<void> {
  const { id } = await client.allocations.recheck({ site, draft });
  const { error, summary } = await followJob(cli, client, { site, job: id });
  if (error !== null) throw failureOf(error);
  if (summary !== null) cli.out.note(summary);
}

export async function preview(cli: Cli, client: Client, site: string, id: string): Promise<void> {
  const draft = await client.allocations.getDraft({ site, draft: id });
  const { rows } = await client.allocations.changes({ site, draft: id, limit: 1000 });
  const lines = await previewLines(client, draft);
  await cli.out.document({ draft, changes: rows }, () => [...lines, '', nextStep(draft)]);
}

async function previewLines(client: Client, draft: AllocationDraft): Promise<string[]> {
  const { rows } = await client.allocations.changes({ site: draft.site, draft: draft.draft, limit: SHOWN });
  const more =
    draft.count > SHOWN ? [`All ${draft.count}: tieout allocations draft ${draft.draft} --all`] : [];
  return [
    ...draftLines(draft),
    '',
    ...tableLines(changeColumns, rows, process.stdout.columns ?? Infinity),
    ...more,
  ];
}

function nextStep({ draft, ready, state }: AllocationDraft): string {
  if (state !== 'draft') return `What became of each: tieout allocations report ${draft}`;
  if (ready === 0) return 'There is nothing that can be sent.';
  return `Nothing was sent. Send it with: tieout allocations send ${draft} --confirm`;
}

/** Follows a draft that is sent to its end and reports. Ctrl-C pauses it, so that it can be gone on with. */
export async function finish(cli: Cli, client: Client, begun: AllocationDraft): Promise<Exit> {
  const { site, draft } = begun;
  const job = begun.job as string;
  cli.stop.onStop(`Paused; what was sent is known. Go on with: tieout allocations resume ${draft}`);
  await followJob(
    cli,
    client,
    { site, job },
    {
      onStop: () => client.allocations.pause({ site, draft }),
      remark: async () => (await client.allocations.getDraft({ site, draft })).reason,
    },
  );
  if (cli.stop.signal.aborted) return exit.interrupted;
  const ended = await client.allocations.getDraft({ site, draft });
  const wrong = await client.allocations.changes({
    site,
    draft,
    limit: SHOWN,
    outcome: ['refused', 'moved', 'undecided', 'not_applied', 'looking'],
  });
  await cli.out.document({ draft: ended, changes: wrong.rows }, () => [
    ...draftLines(ended),
    ...(wrong.rows.length === 0
      ? []
      : ['', ...tableLines(changeColumns, wrong.rows, process.stdout.columns ?? Infinity)]),
    ...(ended.state === 'done' ? [] : ['', `Go on with: tieout allocations resume ${draft}`]),
  ]);
  return verdict(ended);
}

export async function listed(cli: Cli, draft: string, options: ListOptions): Promise<AllocationDraft> {
  const { client, site } = await cli.session.local();
  const state = await client.allocations.getDraft({ site, draft });
  const { allocationChange } = await import('../../contract/allocation-changes.ts');
  await cli.out.list<AllocationChange>({
    columns: changeColumns,
    fields: Object.keys(allocationChange.shape),
    pages: pagesOf(options, (place) => client.allocations.changes({ site, draft, ...place })),
    footer: (shown, first, next) =>
      [...draftLines(state), pageFooter('changes')(shown, first, next)].join('\n'),
    empty: 'It has no changes.',
  });
  return state;
}

export async function settled(cli: Cli, change: AllocationChange): Promise<Exit> {
  await cli.out.document(change, () => [
    ...tableLines(changeColumns, [change], process.stdout.columns ?? Infinity),
    ...(change.evidence === null ? [] : ['', change.evidence.verdict]),
  ]);
  return change.outcome === 'applied' ? exit.done : exit.found;
}
