import { useEffect } from 'react';
import type { Site } from '../../contract/index.ts';
import { describeEndpoint, isEndpointStopped } from '../../domain/labels/service-details.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { useUnavailableReason } from '../backend-client/service-availability.ts';
import { texts } from '../texts/texts.ts';

const text = texts.outages;

/** Shows whether the service sends webhooks to each of the site's endpoints. Renders nothing if that is unknown. */
export function EndpointStatus({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const isAvailable = useUnavailableReason(site) === null;
  const { run, done, error } = useAction(() => client.sites.endpoints({ site: site.site }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is a new function at each render
  useEffect(() => {
    if (isAvailable) void run();
  }, [isAvailable, site.site]);
  // Reserves the line for the status, so that the timeline does not move when the service answers.
  if (!done && !error && isAvailable)
    return <p className="fineprint outages-endpoints">{text.endpointsLoading}</p>;
  const endpoints = done?.endpoints ?? [];
  if (endpoints.length === 0) return null;
  const stopped = endpoints.filter(({ status }) => isEndpointStopped(status));
  if (stopped.length === 0)
    return <p className="fineprint outages-endpoints">{endpoints.map(describeEndpoint).join(', ')}</p>;
  return (
    <p className="callout callout-bad outages-endpoints">
      {text.endpointStopped(stopped.map(describeEndpoint).join(', '))}
    </p>
  );
}
