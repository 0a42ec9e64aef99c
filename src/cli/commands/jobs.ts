import type { Job } from '../../contract/jobs.ts';
import { whole } from '../input/options.ts';
import { minute } from '../output/figures.ts';
import type { Column } from '../output/table.ts';
import { lineText } from '../progress.ts';
import type { Define } from '../verbs.ts';

export const define: Define = (command, act) => {
  command
    .command('list')
    .description('Syncs, replays and other long work: running first, then the newest.')
    .option('--limit <n>', 'at most so many', whole(1, 200), 50)
    .action(
      act.list(async (cli, { limit }: { limit: number }) => {
        const client = await cli.session.client();
        const site = cli.flags.site === undefined ? {} : { site: (await cli.session.local()).site };
        const rows = await client.jobs.list({ ...site, limit });
        const { job } = await import('../../contract/jobs.ts');
        await cli.out.list<Job>({
          columns,
          fields: Object.keys(job.shape),
          pages: [{ rows, next: null }],
          empty: 'Nothing has run yet.',
        });
      }),
    );
};

const columns: Column<Job>[] = [
  { header: 'job', cell: ({ id }) => id, spare: true },
  { header: 'site', cell: ({ site }) => site },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => minute(started_at) },
  { header: 'what', cell: (job) => job.error?.message ?? job.summary ?? lineText(job), least: 20 },
];
