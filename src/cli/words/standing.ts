import type { Outputs } from '../../contract/contract.ts';

/** How a site's copy stands, and what to do next. */
export function standing({ running, last, complete, parts, site }: Outputs['sync']['status']): string {
  const again = `tieout sync --site ${site}`;
  if (running !== null) return 'A sync is running.';
  if (last === null) return `Not synced yet. Fetch it with: ${again}`;
  if (last.state === 'cancelled' || last.state === 'interrupted') {
    const how = last.state === 'cancelled' ? 'was cancelled' : 'was cut off';
    if (complete) return `Complete. The last sync ${how}; look for what is new with: ${again}`;
    return `Not complete: the last sync ${how} before its end. Go on where it stopped with: ${again}`;
  }
  if (!last.ok) {
    const why = last.error?.message ?? 'it was interrupted.';
    const kept = complete ? ' What was held before it is here as it was.' : '';
    return `The last sync did not succeed: ${why}${kept} Try again with: ${again}`;
  }
  if (complete) return whole(parts, again);
  return parts.some(({ part, problems }) => part !== 'pdf' && problems > 0)
    ? `Not complete: the service failed on what is named above. Ask for just that again with: ${again}`
    : `Not complete: not all parts were asked for yet. Go on with: ${again}`;
}

/** All that was asked for is held: what of it could not be read, and what was left out by choice. */
function whole(parts: Outputs['sync']['status']['parts'], again: string): string {
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf')) {
    return `Complete: everything the service has is held here; what could not be read of it is named above. Look for what is new with: ${again}`;
  }
  if (failed.length > 0) {
    return `Complete, but for the PDFs named above. Ask for them again with: ${again} --only pdf`;
  }
  const since = parts.find((part) => part.since)?.since;
  if (since) {
    return `Complete, but for webhooks from before ${since}: they were left out. Fetch those too with: ${again} --full`;
  }
  return `Complete: everything the service has is held here. Look for what is new with: ${again}`;
}
