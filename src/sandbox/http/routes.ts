import type { IncomingHttpHeaders } from 'node:http';
import type { BillingService } from '../service/billing-service.ts';
import { createAllocation, createAllocations, listAllocations } from './allocation-routes.ts';
import { listEvents } from './event-routes.ts';
import type { ParsedRequest } from './parsed-request.ts';
import { notFoundReply, type ServiceReply, type WireFormat } from './reply.ts';
import type { RequestKind } from './request-log.ts';
import { listEndpoints, readSite } from './site-routes.ts';
import { listSiteStatementIds, listStatementIds, listStatements, readStatement } from './statement-routes.ts';
import { listWebhooks, replayWebhooks } from './webhook-routes.ts';

export interface Route {
  readonly kind: RequestKind;
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly formats: readonly WireFormat[];
  readonly answer: (request: ParsedRequest) => ServiceReply | Promise<ServiceReply>;
}

const PLAIN_FORMATS: readonly WireFormat[] = ['json', 'xml'];

const get = (kind: RequestKind, path: RegExp, answer: Route['answer'], formats = PLAIN_FORMATS): Route => ({
  kind,
  method: 'GET',
  path,
  formats,
  answer,
});

const post = (...route: Parameters<typeof get>): Route => ({ ...get(...route), method: 'POST' });

const COMPONENT_ALLOCATIONS = /^\/subscriptions\/(\d+)\/components\/(\d+)\/allocations$/;

/** Answers 404 for a site that bills by invoices, because such a site has no statements. */
function ifStatementsExist(answer: Route['answer']): Route['answer'] {
  return (request) => (request.service.settings.relationshipInvoicing ? notFoundReply : answer(request));
}

/** Routes of the service's operations (interface 4), and three addresses of later versions. Paths have no suffix. */
const routes: readonly Route[] = [
  get('webhooks', /^\/webhooks$/, listWebhooks),
  post('replay', /^\/webhooks\/replay$/, replayWebhooks),
  get('allocations', COMPONENT_ALLOCATIONS, listAllocations),
  post('allocate', COMPONENT_ALLOCATIONS, createAllocation),
  post('allocate_many', /^\/subscriptions\/(\d+)\/allocations$/, createAllocations, ['json']),
  get(
    'subscription_statement_ids',
    /^\/subscriptions\/(\d+)\/statements\/ids$/,
    ifStatementsExist(listStatementIds),
  ),
  get('statement_ids', /^\/statements\/ids$/, ifStatementsExist(listSiteStatementIds)),
  get('statements', /^\/subscriptions\/(\d+)\/statements$/, ifStatementsExist(listStatements)),
  get('statement', /^\/statements\/(\d+)$/, ifStatementsExist(readStatement), ['json', 'xml', 'pdf']),
  get('site', /^\/site$/, readSite, ['json']),
  get('endpoints', /^\/endpoints$/, listEndpoints, ['json']),
  get('events', /^\/events$/, listEvents, ['json']),
];

export interface MatchedRoute {
  readonly route: Route;
  readonly numbers: readonly number[];
  readonly kind: RequestKind;
}

/** Returns the route of a request; null if the interface does not define one. */
export function findRoute(method: string, path: string, format: WireFormat): MatchedRoute | null {
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  for (const route of routes) {
    const match = route.method === effectiveMethod ? route.path.exec(path) : null;
    if (!match || !route.formats.includes(format)) continue;
    const kind = format === 'pdf' ? 'pdf' : route.kind;
    return { route, numbers: match.slice(1).map(Number), kind };
  }
  return null;
}

/** Splits a path into resource and format. The suffix takes precedence over Accept, and Accept over Content-Type. */
export function splitPathAndFormat(
  service: BillingService,
  path: string,
  { accept = '', 'content-type': contentType = '' }: IncomingHttpHeaders,
): { path: string; format: WireFormat } {
  const suffix = /^(.*)\.(json|xml|pdf)$/.exec(path);
  if (suffix) return { path: suffix[1] as string, format: suffix[2] as WireFormat };
  for (const header of [accept, contentType]) {
    if (header.includes('application/pdf')) return { path, format: 'pdf' };
    if (/\bjson\b/.test(header)) return { path, format: 'json' };
    if (/\bxml\b/.test(header) && !/\bhtml\b/.test(header)) return { path, format: 'xml' };
  }
  return { path, format: service.settings.plainFormat };
}
