import type { Site, SyncPart } from '../../../contract/index.ts';

/** Returns the parts that a sync of a site includes by default. Sites that bill by invoices have no statements. */
export function getDefaultSyncParts({ service_details }: Pick<Site, 'service_details'>): readonly SyncPart[] {
  return service_details?.bills_by === 'invoices'
    ? ['webhooks', 'allocations']
    : ['webhooks', 'statements', 'allocations'];
}

/** Returns all parts that a site can have, in the order in which they are listed. */
export function getPossibleSyncParts(site: Pick<Site, 'service_details'>): readonly SyncPart[] {
  const parts = getDefaultSyncParts(site);
  return parts.includes('statements') ? [...parts, 'pdf'] : parts;
}
