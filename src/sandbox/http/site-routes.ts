import type { ParsedRequest } from './parsed-request.ts';
import { notFoundReply, type ServiceReply } from './reply.ts';

/** Describes the site. Earlier versions of the service do not have this address. */
export function readSite({ service }: ParsedRequest): ServiceReply {
  const { site, settings } = service;
  if (!settings.describesSite) return notFoundReply;
  const value = {
    id: site.id,
    name: site.subdomain,
    subdomain: site.subdomain,
    currency: 'USD',
    non_primary_currencies: [],
    relationship_invoicing_enabled: settings.relationshipInvoicing,
    test: true,
  };
  return { kind: 'entity', status: 200, name: 'site', value };
}

/** Lists the merchant's endpoint with its status. Earlier versions of the service do not have this address. */
export function listEndpoints({ service }: ParsedRequest): ServiceReply {
  if (!service.settings.describesSite) return notFoundReply;
  const { paused } = service.queue.health;
  const value = { id: 1, url: service.endpointUrl, status: paused ? 'paused' : 'enabled' };
  return { kind: 'list', status: 200, name: 'endpoints', item: 'endpoint', values: [value], wrapped: false };
}
