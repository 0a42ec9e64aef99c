import type { BillingService } from '../service/billing-service.ts';
import { createAllocation, createAllocations, listAllocations } from './allocations.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { Reply, WireFormat } from './reply.ts';
import type { RequestKind } from './request-log.ts';
import { listSiteStatementIds, listStatementIds, listStatements, readStatement } from './statements.ts';
import { listWebhooks, replayWebhooks } from './webhooks.ts';

export interface Route {
  readonly kind: RequestKind;
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly formats: readonly WireFormat[];
  readonly answer: (ask: ParsedRequest) => Reply | Promise<Reply>;
}

const both: readonly WireFormat[] = ['json', 'xml'];

/** Routes of the service's operations (interface 4). Paths have no suffix. */
const routes: readonly Route[] = [
  { kind: 'webhooks', method: 'GET', path: /^\/webhooks$/, formats: both, answer: listWebhooks },
  { kind: 'replay', method: 'POST', path: /^\/webhooks\/replay$/, formats: both, answer: replayWebhooks },
  {
    kind: 'allocations',
    method: 'GET',
    path: /^\/subscriptions\/(\d+)\/components\/(\d+)\/allocations$/,
    formats: both,
    answer: listAllocations,
  },
  {
    kind: 'allocate',
    method: 'POST',
    path: /^\/subscriptions\/(\d+)\/components\/(\d+)\/allocations$/,
    formats: both,
    answer: createAllocation,
  },
  {
    kind: 'allocate_many',
    method: 'POST',
    path: /^\/subscriptions\/(\d+)\/allocations$/,
    formats: ['json'],
    answer: createAllocations,
  },
  {
    kind: 'subscription_statement_ids',
    method: 'GET',
    path: /^\/subscriptions\/(\d+)\/statements\/ids$/,
    formats: both,
    answer: listStatementIds,
  },
  {
    kind: 'statement_ids',
    method: 'GET',
    path: /^\/statements\/ids$/,
    formats: both,
    answer: listSiteStatementIds,
  },
  {
    kind: 'statements',
    method: 'GET',
    path: /^\/subscriptions\/(\d+)\/statements$/,
    formats: both,
    answer: listStatements,
  },
  {
    kind: 'statement',
    method: 'GET',
    path: /^\/statements\/(\d+)$/,
    formats: ['json', 'xml', 'pdf'],
    answer: readStatement,
  },
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

/**
 * Splits a path into resource and format. The suffix takes precedence over the headers, and Accept takes precedence over
 * Content-Type.
 */
export function splitPathFormat(
  service: BillingService,
  path: string,
  accept: string,
  contentType: string,
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
