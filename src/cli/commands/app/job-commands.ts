import type { Job } from '../../../contract/app/jobs.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute } from '../../output/format-values.ts';
import { formatProgress } from '../../output/progress-display.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineJobCommands: DefineCommand = (command, handle) => {
  command
    .command('list')
    .description('List syncs, replays and other jobs, running ones first, then newest first')
    .option('--limit <n>', 'maximum number of jobs', createIntegerParser(1, 200), 50)
    .action(
      handle.list(async (cli, { limit }: { limit: number }) => {
        const client = await cli.session.client();
        const site = cli.flags.site === undefined ? {} : { site: (await cli.session.openSite()).site };
        const rows = await client.jobs.list({ ...site, limit });
        const { jobSchema } = await import('../../../contract/app/jobs.ts');
        await cli.output.list<Job>({
          columns,
          fields: Object.keys(jobSchema.shape),
          pages: [{ rows, next: null }],
          empty: 'There are no jobs yet.',
        });
      }),
    );
};

const columns: TableColumn<Job>[] = [
  { header: 'job', cell: ({ id }) => id, isOptional: true },
  { header: 'site', cell: ({ site }) => site },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'result', cell: (job) => job.error?.message ?? job.summary ?? formatProgress(job), minWidth: 20 },
];
