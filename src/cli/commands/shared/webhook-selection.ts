import type { WebhookFilter } from '../../../contract/webhooks/webhooks.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { readIdsFile } from '../../input/ids-file.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';
import { addWebhookFilterOptions, toWebhookFilter, type WebhookFilterOptions } from './webhook-filter.ts';

/** Options that select webhooks by a filter, a file with ids or an outage. */
export type WebhookSelectionOptions = WebhookFilterOptions & {
  readonly idsFile?: string;
  readonly outage?: string;
};

export function addWebhookSelectionOptions(command: CliCommand): void {
  command
    .with(addWebhookFilterOptions)
    .option('--ids-file <file>', 'plain or CSV file with webhook IDs, used instead of a filter (- for stdin)')
    .option('--outage <id>', 'only webhooks of this outage, as listed by `tieout webhooks outages`');
}

/** Returns the selection of webhooks. Throws a usage error for contradictory options. */
export async function toWebhookSelection({
  outage,
  idsFile,
  ...options
}: WebhookSelectionOptions): Promise<{ filter: WebhookFilter } | { ids: number[] } | { outage: string }> {
  const filter = toWebhookFilter(options);
  if (idsFile === undefined && outage === undefined) return { filter };
  if (Object.keys(filter).length > 0 || (idsFile !== undefined && outage !== undefined)) {
    throw createUsageError(
      '--ids-file, --outage and filters cannot be combined.',
      'Use only one of these options.',
    );
  }
  return idsFile === undefined ? { outage: outage ?? '' } : { ids: await readIdsFile(idsFile) };
}
