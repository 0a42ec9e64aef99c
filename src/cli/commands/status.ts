import type { Client } from '../../contract/contract.ts';
import type { PartStatus } from '../../contract/sync.ts';
import type { Glance } from '../../host/glance.ts';
import type { Cli, Site } from '../act.ts';
import { exit } from '../exit.ts';
import { ago, count, counted, minute } from '../output/figures.ts';
import { type Column, tableLines } from '../output/table.ts';
import { printable } from '../output/text.ts';
import type { Define } from '../verbs.ts';
import { missing, remarks } from '../words/missing.ts';
import { others } from '../words/others.ts';
import { standing } from '../words/standing.ts';

/** Problems that are told here; the window lists all. */
const TOLD = 5;

export const define: Define = (command, act) => {
  command.action(
    act(async (cli) => {
      // The document tells of keys too, and a keychain takes longer to answer than all else together.
      const seen = cli.out.format === 'table' ? await cli.session.glance(TOLD) : null;
      const sites = seen === null ? await asked(cli) : seen.map(({ site, ...held }) => told(site, held));
      await cli.out.document({ sites }, () => {
        if (sites.length === 0) return noSite;
        return sites.flatMap((site, at) => [...(at > 0 ? [''] : []), ...lines(site)]);
      });
      return exit.done;
    }),
  );
};

const noSite = [
  'No site is connected yet.',
  'Connect one with: tieout site add --name "My company" --url https://… , or look around with: tieout demo',
];

async function asked(cli: Cli) {
  const client = await cli.session.client();
  const sites =
    cli.flags.site === undefined
      ? await client.sites.list({})
      : [await client.sites.get({ site: (await cli.session.local()).site })];
  return await Promise.all(
    sites.map(async (site) => ({ has_key: site.has_key, ...told(site, await held(client, site)) })),
  );
}

async function held(client: Client, { site }: Site): Promise<Glance> {
  const [status, runs, problems] = await Promise.all([
    client.sync.status({ site }),
    client.sync.runs({ site, limit: 1 }),
    client.sync.problems({ site, limit: TOLD }),
  ]);
  const job = status.running === null ? null : await client.jobs.get({ site, job: status.running });
  return { status, last_run: runs[0] ?? null, job, problems: problems.rows };
}

function told({ title, base_url, demo }: Site, { status, last_run, job, problems }: Glance) {
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
  { header: 'held', cell: ({ held }) => count(held), align: 'right' },
  { header: 'of', cell: ({ expected }) => (expected === null ? '' : count(expected)), align: 'right' },
  { header: 'newest (UTC)', cell: ({ newest_at }) => minute(inUtc(newest_at)) },
  { header: 'last complete', cell: ({ synced_at }) => ago(synced_at, now) },
  { header: 'complete', cell: completeness },
  { header: 'problems', cell: ({ problems }) => (problems === 0 ? '' : count(problems)), align: 'right' },
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
    printable(`${title} (${site}${demo ? ', demo' : ''})  ${base_url}`),
    ...tableLines(columns(Date.now()), status.parts),
    ...unread(status).map(printable),
    ...lastRun(status),
    ...remarks(status),
    ...(status.running === null && status.last !== null ? lineOf(missing(status)) : []),
    ...others(status).map(printable),
    printable(standing(status, status.job)),
  ];
}

const lineOf = (text: string | null) => (text === null ? [] : [text]);

function unread({ parts, problems }: SiteStatus): string[] {
  const all = parts.reduce((sum, part) => sum + part.problems, 0);
  const told = problems.map(({ part, place, reason }) => `Not read: ${part}, ${place}: ${reason}`);
  return all > told.length ? [...told, `… and ${count(all - told.length)} more.`] : told;
}

function lastRun({ last_run: run, running }: SiteStatus): string[] {
  if (run === null || run.ended_at === null || run.state !== 'done' || running !== null) return [];
  const { total, minimum } = run.requests;
  return [
    `Last sync ${ago(run.ended_at, Date.now())}: ${counted(total, 'request')} (at least ${count(minimum)} were needed).`,
  ];
}
