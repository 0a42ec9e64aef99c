import type { PartStatus } from '../../../contract/app/sync.ts';
import type { Client } from '../../../contract/contract.ts';
import type { StatusSnapshot } from '../../../host/glance.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { formatDataNotes, formatMissingData } from '../../formatters/completeness.ts';
import { formatOtherProcesses } from '../../formatters/other-processes.ts';
import { formatSyncStatus } from '../../formatters/sync-status.ts';
import { formatAge, formatCount, formatMinute, formatNumber } from '../../output/format-values.ts';
import { type Column, formatTableLines } from '../../output/table.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';

/** Problems that are told here; the window lists all. */
const TOLD = 5;

export const defineStatusCommand: DefineCommand = (command, handle) => {
  command.action(
    handle(async (cli) => {
      // The document tells of keys too, and a keychain takes longer to answer than all else together.
      const seen = cli.output.format === 'table' ? await cli.session.readSnapshots(TOLD) : null;
      const sites = seen === null ? await asked(cli) : seen.map(({ site, ...stored }) => told(site, stored));
      await cli.output.document({ sites }, () => {
        if (sites.length === 0) return noSite;
        return sites.flatMap((site, at) => [...(at > 0 ? [''] : []), ...lines(site)]);
      });
      return exitCode.success;
    }),
  );
};

const noSite = [
  'No site is connected yet.',
  'Connect one with: tieout site add --name "My company" --url https://… , or look around with: tieout demo',
];

async function asked(cli: CommandContext) {
  const client = await cli.session.client();
  const sites =
    cli.flags.site === undefined
      ? await client.sites.list({})
      : [await client.sites.get({ site: (await cli.session.openSite()).site })];
  return await Promise.all(
    sites.map(async (site) => ({ has_key: site.has_key, ...told(site, await stored(client, site)) })),
  );
}

async function stored(client: Client, { site }: StoredSite): Promise<StatusSnapshot> {
  const [status, runs, problems] = await Promise.all([
    client.sync.status({ site }),
    client.sync.runs({ site, limit: 1 }),
    client.sync.problems({ site, limit: TOLD }),
  ]);
  const job = status.running === null ? null : await client.jobs.get({ site, job: status.running });
  return { status, last_run: runs[0] ?? null, job, problems: problems.rows };
}

function told({ title, base_url, demo }: StoredSite, { status, last_run, job, problems }: StatusSnapshot) {
  return { title, base_url, demo, ...status, last_run, job, problems };
}

/** Allocations are counted by their histories: of one component on one subscription each. */
const names: Readonly<Record<PartStatus['part'], string>> = {
  webhooks: 'webhooks',
  statements: 'statements',
  allocations: 'allocation histories',
  pdf: 'PDFs',
};

const columns = (now: number): Column<PartStatus>[] => [
  { header: 'part', cell: ({ part }) => names[part] },
  { header: 'stored', cell: ({ stored }) => formatNumber(stored), align: 'right' },
  { header: 'of', cell: ({ expected }) => (expected === null ? '' : formatNumber(expected)), align: 'right' },
  { header: 'newest (UTC)', cell: ({ newest_at }) => formatMinute(inUtc(newest_at)) },
  { header: 'last complete', cell: ({ synced_at }) => formatAge(synced_at, now) },
  { header: 'complete', cell: completeness },
  {
    header: 'problems',
    cell: ({ problems }) => (problems === 0 ? '' : formatNumber(problems)),
    align: 'right',
  },
];

/** The parts come with moments of different offsets, which stand in one column here. */
function inUtc(moment: string | null): string | null {
  const ms = Date.parse(moment ?? '');
  return Number.isNaN(ms) ? moment : new Date(ms).toISOString();
}

/** PDFs are fetched when they are asked for, so not holding them all is nothing wrong. */
function completeness({ part, complete }: PartStatus): string {
  if (complete) return 'yes';
  return part === 'pdf' ? 'on demand' : 'no';
}

type SiteStatus = ReturnType<typeof told>;

function lines(status: SiteStatus): string[] {
  const { site, title, base_url, demo } = status;
  return [
    sanitizeLine(`${title} (${site}${demo ? ', demo' : ''})  ${base_url}`),
    ...formatTableLines(columns(Date.now()), status.parts),
    ...unread(status).map(sanitizeLine),
    ...lastRun(status),
    ...formatDataNotes(status),
    ...(status.running === null && status.last !== null ? lineOf(formatMissingData(status)) : []),
    ...formatOtherProcesses(status).map(sanitizeLine),
    sanitizeLine(formatSyncStatus(status, status.job)),
  ];
}

const lineOf = (text: string | null) => (text === null ? [] : [text]);

function unread({ parts, problems }: SiteStatus): string[] {
  const all = parts.reduce((sum, part) => sum + part.problems, 0);
  const told = problems.map(({ part, place, reason }) => `Not read: ${part}, ${place}: ${reason}`);
  return all > told.length ? [...told, `… and ${formatNumber(all - told.length)} more.`] : told;
}

function lastRun({ last_run: run, running }: SiteStatus): string[] {
  if (run === null || run.ended_at === null || run.state !== 'done' || running !== null) return [];
  const { total, minimum } = run.requests;
  return [
    `Last sync ${formatAge(run.ended_at, Date.now())}: ${formatCount(total, 'request')} (at least ${formatNumber(minimum)} were needed).`,
  ];
}
