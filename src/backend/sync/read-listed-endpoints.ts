import type { WebhookEndpointRecord } from '../../billing/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SyncTotals } from './shared/sync-totals.ts';

/** Reads the status of the site's endpoints with one request. Null if the service does not list them or fails. */
export async function readListedEndpoints(
  context: CommandContext,
  site: OpenSite,
  { signal }: Pick<JobHandle, 'signal'>,
  tally: SyncTotals,
): Promise<WebhookEndpointRecord[] | null> {
  const client = createSiteConnection(context, site, {
    signal,
    onRequest: (event) => tally.recordRequest(event),
  });
  try {
    return (await client.listWebhookEndpoints({ maxAttempts: 1 })).items;
  } catch {
    // The records are synced. The alerts then follow from the webhook log alone.
    return null;
  } finally {
    await client.close();
  }
}
