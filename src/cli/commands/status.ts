import type { Client, Outputs } from '../../contract/contract.ts';
import type { PartStatus } from '../../contract/sync.ts';
import type { Site } from '../act.ts';
import { exit } from '../exit.ts';
import { ago, count, minute } from '../figures.ts';
import { type Column, tableLines } from '../table.ts';
import { printable } from '../text.ts';
import type { Define } from '../verbs.ts';

type SyncStatus = Outputs['sync']['status'];

export const define: Define = (command, act) => {
  command.action(
    act(async (cli) => {
      const client = cli.session.client();
      const sites =
        cli.flags.site === undefined ? await client.sites.list({}) : [(await cli.session.local()).about];
      const statuses = await Promise.all(sites.map((site) => statusOf(client, site)));
      await cli.out.document({ sites: statuses }, () => {
        if (statuses.length === 0) return noSite;
        return statuses.flatMap((status, at) => [...(at > 0 ? [''] : []), ...lines(status)]);
      });
      return exit.done;
    }),
  );
};

const noSite = [
  'No site is connected yet.',
  'Connect one with: tieout site add --name "My company" --url https://… , or look around with: tieout demo',
];

async function statusOf(client: Client, { site, title, base_url, demo, has_key }: Site) {
  return { title, base_url, demo, has_key, ...(await client.sync.status({ site })) };
}

const columns = (now: number): Column<PartStatus>[] => [
  { header: 'part', cell: ({ part }) => part },
  { header: 'held', cell: ({ held }) => count(held), align: 'right' },
  { header: 'of', cell: ({ expected }) => (expected === null ? '' : count(expected)), align: 'right' },
  { header: 'synced', cell: ({ synced_at }) => ago(synced_at, now) },
  { header: 'newest', cell: ({ newest_at }) => minute(newest_at) },
  { header: 'complete', cell: completeness },
  { header: 'problems', cell: ({ problems }) => (problems === 0 ? '' : count(problems)), align: 'right' },
];

/** PDFs are fetched when they are asked for, so not holding them all is nothing wrong. */
function completeness({ part, complete }: PartStatus): string {
  if (complete) return 'yes';
  return part === 'pdf' ? 'on demand' : 'no';
}

function lines(status: Awaited<ReturnType<typeof statusOf>>): string[] {
  const { site, title, base_url, demo } = status;
  return [
    printable(`${title} (${site}${demo ? ', demo' : ''})  ${base_url}`),
    ...tableLines(columns(Date.now()), status.parts),
    printable(summary(status)),
  ];
}

function summary({ running, last, complete, site }: SyncStatus): string {
  if (running !== null) return 'A sync is running.';
  if (last === null) return `Not synced yet. Fetch it with: tieout sync --site ${site}`;
  if (!last.ok) {
    const why = last.error === null ? 'it was interrupted' : last.error.message;
    return `The last sync did not succeed: ${why} Try again with: tieout sync --site ${site}`;
  }
  return complete ? 'Complete.' : `Not complete. Go on with: tieout sync --site ${site}`;
}
