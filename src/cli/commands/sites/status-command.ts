import type { SyncPartStatus } from '../../../contract/app/sync.ts';
import type { BackendClient } from '../../../contract/contract.ts';
import { describeServiceDetails } from '../../../domain/labels/service-details.ts';
import type { StatusSnapshot } from '../../../host/read-only-home.ts';
import { formatConnectSiteHint } from '../../errors/cli-error.ts';
import {
  formatMissingData,
  formatOtherTieoutProcesses,
  formatStoredDataNotes,
  formatSyncStatus,
} from '../../formatters/sync.ts';
import { formatAge, formatCount, formatMinute, formatNumber } from '../../output/format-values.ts';
import { createCountColumn, formatTableLines, type TableColumn } from '../../output/table.ts';
import { sanitizeLine, type TextLines } from '../../output/terminal-text.ts';
import type { StoredSite } from '../../runtime/app-session.ts';
import type { CommandContext, DefineCommand } from '../../runtime/cli-command.ts';

/** Maximum number of unreadable records to list. The window lists all of them. Chosen by judgment. */
const MAX_LISTED_PROBLEMS = 5;

export const defineStatusCommand: DefineCommand = (command) => {
  command.run(async (cli) => {
    const { output, session } = cli;
    // Only the JSON output includes `has_key`, because reading the keychain takes longer than everything else.
    const read = await session.readSnapshots(MAX_LISTED_PROBLEMS);
    const snapshots = output.format === 'table' ? read : null;
    const sites =
      snapshots?.map(({ site, ...snapshot }) => toStatus(site, snapshot)) ?? (await fetchStatuses(cli));
    await output.document({ sites }, () => {
      if (sites.length === 0) return ['No site is connected yet.', formatConnectSiteHint];
      return sites.map((site, index) => [index > 0 && '', formatStatus(site)]);
    });
  });
};

async function fetchStatuses(cli: CommandContext) {
  const client = await cli.session.client();
  const sites =
    cli.flags.site === undefined
      ? await client.sites.list({})
      : [await client.sites.get({ site: (await cli.session.openSite()).site })];
  const toEntry = async (site: (typeof sites)[number]) => ({
    has_key: site.has_key,
    ...toStatus(site, await fetchSnapshot(client, site)),
  });
  return await Promise.all(sites.map(toEntry));
}

async function fetchSnapshot(client: BackendClient, { site }: StoredSite): Promise<StatusSnapshot> {
  const [status, runs, problems] = await Promise.all([
    client.sync.status({ site }),
    client.sync.runs({ site, limit: 1 }),
    client.sync.problems({ site, limit: MAX_LISTED_PROBLEMS }),
  ]);
  const job = status.running === null ? null : await client.jobs.get({ site, job: status.running });
  return { status, last_run: runs[0] ?? null, job, problems: problems.rows };
}

function toStatus(
  { title, base_url, demo, service_details }: StoredSite,
  { status, last_run, job, problems }: StatusSnapshot,
) {
  return { title, base_url, demo, service_details, ...status, last_run, job, problems };
}

/** Labels of the sync parts. Allocations are counted as histories, one per subscription component. */
const partLabels: Readonly<Record<SyncPartStatus['part'], string>> = {
  webhooks: 'webhooks',
  statements: 'statements',
  allocations: 'allocation histories',
  pdf: 'PDFs',
};

const columns = (now: number): TableColumn<SyncPartStatus>[] => [
  { header: 'part', cell: ({ part }) => partLabels[part] },
  createCountColumn('stored', ({ stored }) => stored),
  createCountColumn('expected', ({ expected }) => expected),
  { header: 'newest (UTC)', cell: ({ newest_at }) => formatMinute(toUtc(newest_at)) },
  { header: 'last synced', cell: ({ synced_at }) => formatAge(synced_at, now) },
  { header: 'complete', cell: formatCompleteness },
  createCountColumn('problems', ({ problems }) => problems || null),
];

/** Converts a timestamp to UTC, so that timestamps with different offsets line up in one column. */
function toUtc(timestamp: string | null): string | null {
  const ms = Date.parse(timestamp ?? '');
  return Number.isNaN(ms) ? timestamp : new Date(ms).toISOString();
}

/** Returns whether a sync part is complete, as text. PDFs are downloaded on demand, so they may be missing. */
function formatCompleteness({ part, complete }: SyncPartStatus): string {
  if (complete) return 'yes';
  return part === 'pdf' ? 'on demand' : 'no';
}

type SiteStatus = ReturnType<typeof toStatus>;

function formatStatus(status: SiteStatus): TextLines {
  const { site, title, base_url, demo, service_details } = status;
  return [
    sanitizeLine(`${title} (${site}${demo ? ', demo' : ''})  ${base_url}`),
    formatTableLines(columns(Date.now()), status.parts),
    service_details !== null && describeServiceDetails(service_details),
    formatUnreadable(status).map(sanitizeLine),
    formatLastSync(status),
    formatStoredDataNotes(status),
    status.running === null && status.last !== null && formatMissingData(status),
    formatOtherTieoutProcesses(status).map(sanitizeLine),
    sanitizeLine(formatSyncStatus(status, status.job)),
  ];
}

function formatUnreadable({ parts, problems }: SiteStatus): string[] {
  const total = parts.reduce((sum, part) => sum + part.problems, 0);
  const listed = problems.map(({ part, location, reason }) => `Unreadable: ${part}, ${location}: ${reason}`);
  return total > listed.length ? [...listed, `… and ${formatNumber(total - listed.length)} more.`] : listed;
}

function formatLastSync({ last_run: run, running }: SiteStatus): string | null {
  if (run === null || run.ended_at === null || run.state !== 'done' || running !== null) return null;
  const { total, minimum } = run.requests;
  return `Last sync ${formatAge(run.ended_at, Date.now())}: ${formatCount(total, 'request')} (minimum: ${formatNumber(minimum)}).`;
}
