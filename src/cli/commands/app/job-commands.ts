import type { Job } from '../../../contract/app/jobs.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute } from '../../output/format-values.ts';
import { formatProgress } from '../../output/progress-display.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineJobCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List syncs, replays and other jobs, running ones first, then newest first')
    .option('--limit <n>', 'maximum number of jobs to list', createIntegerParser(1, 200), 50)
    .runList(async ({ session, flags, output }, { limit }: { limit: number }) => {
      const client = await session.client();
      const site = flags.site === undefined ? {} : { site: (await session.openSite()).site };
      await output.list({
        columns,
        fields: async () => (await import('../../../contract/app/jobs.ts')).jobSchema,
        pages: [{ rows: await client.jobs.list({ ...site, limit }), next: null }],
        empty: 'There are no jobs yet.',
      });
    });
};

const columns: TableColumn<Job>[] = [
  { header: 'job', cell: ({ id }) => id, isOptional: true },
  { header: 'site', cell: ({ site }) => site },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'result', cell: (job) => job.error?.message ?? job.summary ?? formatProgress(job), minWidth: 20 },
];
