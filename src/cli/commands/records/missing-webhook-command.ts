import type {
  MissingWebhookList,
  MissingWebhookRange,
  MissingWebhookRow,
} from '../../../contract/webhooks/missing-webhooks.ts';
import {
  describeUnknownEvents,
  missingWebhookSourceLabels,
  uncertaintyLabels,
} from '../../../domain/labels/missing-webhooks.ts';
import { CliError, createUsageError } from '../../errors/cli-error.ts';
import { type ExitCode, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute, formatNumber } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { prepareOutputFile } from '../shared/write-verified-file.ts';

interface MissingOptions {
  readonly outage?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly readEvents?: true;
  readonly format: 'json' | 'csv';
  readonly output?: string;
  readonly replace?: true;
}

export const defineMissingWebhookCommand: DefineCommand = (command) => {
  command
    .subcommand(
      'missing',
      'List webhooks that the service must have generated but that are not in the log; exits with 1 if there are any',
    )
    .option('--outage <id>', 'time range of an outage or gap, as listed by `tieout webhooks outages`')
    .option('--from <time>', 'start of the time range, for example 2026-10-01T10:00:00Z')
    .option('--to <time>', 'end of the time range')
    .option('--read-events', "read the service's events of the time range first")
    .option('--limit <n>', 'maximum number of webhooks to list', createIntegerParser(1, 5000), 500)
    .option('-o, --output <file>', 'file for all reconstructed webhooks with their bodies')
    .choiceOption('--format <format>', 'format of the file', ['json', 'csv'], 'json')
    .option('--replace', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nThe webhooks are reconstructed from stored records and marked as such. The service has not signed them.',
    )
    .listOnSite(async (context, options: MissingOptions) => {
      const { client, site, output } = context;
      const range = toRange(options);
      if (options.readEvents) await client.missingWebhooks.readEvents({ site, range });
      if (options.output !== undefined) return await exportWebhooks(context, range, options);
      const found = await client.missingWebhooks.list({ site, range, limit: options.limit });
      await output.list({
        columns,
        fields: async () =>
          (await import('../../../contract/webhooks/missing-webhooks.ts')).missingWebhookSchema,
        pages: [{ rows: found.rows, next: null }],
        footer: () => describeList(found).join('\n'),
        empty: ['No missing webhook is known.', ...describeUnknownEvents(found.unknown)].join('\n'),
      });
      return getSuccessExitCode(found.missing + found.unconfirmed === 0);
    });
};

function toRange({ outage, from, to }: MissingOptions): MissingWebhookRange {
  if (outage !== undefined && from === undefined && to === undefined) return { outage };
  if (outage === undefined && from !== undefined && to !== undefined) return { from, to };
  throw createUsageError('No time range is selected.', 'Use either --outage, or both --from and --to.');
}

function describeList({ missing, unconfirmed, more, by_event, unknown }: MissingWebhookList): string[] {
  return [
    `${formatNumber(missing)} missing, ${formatNumber(unconfirmed)} unconfirmed${more > 0 ? `; ${formatNumber(more)} are not listed` : ''}.`,
    ...by_event.map((each) => `  ${each.event}: ${each.missing} missing, ${each.unconfirmed} unconfirmed`),
    ...describeUnknownEvents(unknown),
  ];
}

const columns: TableColumn<MissingWebhookRow>[] = [
  { header: 'time (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'event', cell: ({ event }) => event, minWidth: 16 },
  { header: 'subscription', cell: ({ subscription_id }) => subscription_id, align: 'right' },
  { header: 'transaction', cell: ({ transaction_id }) => transaction_id, align: 'right' },
  { header: 'statement', cell: ({ statement_id }) => statement_id, align: 'right' },
  {
    header: 'status',
    cell: ({ uncertainty }) => (uncertainty === null ? 'Missing' : uncertaintyLabels[uncertainty]),
  },
  {
    header: 'shown by',
    cell: ({ sources }) => sources.map((source) => missingWebhookSourceLabels[source]).join(', '),
    isOptional: true,
  },
];

async function exportWebhooks(
  context: SiteContext,
  range: MissingWebhookRange,
  { output: path = '', format, replace }: MissingOptions,
): Promise<ExitCode> {
  const { client, site, session, output } = context;
  const file = await prepareOutputFile(context, { output: path, ...(replace && { replace }) });
  const { blob } = await client.missingWebhooks.export({ site, range, format });
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw new CliError('storage', 'The exported file is missing.');
  const text = Buffer.concat((await offered.stream.toArray()) as Buffer[]).toString();
  const { createHash } = await import('node:crypto');
  await file.writeText(text, createHash('sha256').update(text).digest('hex'));
  await output.document({ format, file: file.path }, () => [`${file.path} saved.`]);
  return getSuccessExitCode(true);
}
