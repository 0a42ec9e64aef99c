import { toStatementJson } from '../render/json-records.ts';
import { renderStatementPdf } from '../render/statement-pdf.ts';
import type { BillingService } from '../service/billing-service.ts';
import type { Statement } from '../simulation/subscription-ledger.ts';
import { findSubscriptionIndex } from './allocation-routes.ts';
import { type ParsedRequest, readRequestedRowRange } from './parsed-request.ts';
import { notFoundReply, type ServiceReply } from './reply.ts';

/** Lists the statement ids of the site (interface 4.7). */
export function listSiteStatementIds({ service, query }: ParsedRequest): ServiceReply {
  const { idsPerPage } = service.settings;
  const [from, to] = readRequestedRowRange(query, idsPerPage, idsPerPage);
  const rows = service.statementRows(from, to - from);
  return { kind: 'ids', ids: rows.map((row) => service.simulation.ids.statement.id(row)) };
}

/** Lists the statement ids of a subscription (interface 4.6). */
export function listStatementIds({ service, query, numbers }: ParsedRequest): ServiceReply {
  const subscription = findSubscriptionIndex(service, numbers[0]);
  if (subscription < 0) return notFoundReply;
  const { idsPerPage } = service.settings;
  const ids = sortStatements(service, subscription, query, 'asc')
    .slice(...readRequestedRowRange(query, idsPerPage, idsPerPage))
    .map(({ index }) => service.simulation.statementId(subscription, index));
  return { kind: 'ids', ids };
}

/** Lists the statements of a subscription (interface 4.8). */
export function listStatements({ service, query, numbers }: ParsedRequest): ServiceReply {
  const subscription = findSubscriptionIndex(service, numbers[0]);
  if (subscription < 0) return notFoundReply;
  const { statementsPerPage, maxPerPage, statementsDirection, wrapStatements: wrapped } = service.settings;
  const account = service.simulation.account(subscription);
  const values = sortStatements(service, subscription, query, statementsDirection)
    .slice(...readRequestedRowRange(query, statementsPerPage, maxPerPage))
    .map((statement) => toStatementJson(service.site, account, statement));
  return { kind: 'list', status: 200, name: 'statements', item: 'statement', values, wrapped };
}

/** Reads a statement (interface 4.9). */
export async function readStatement({ service, numbers, format }: ParsedRequest): Promise<ServiceReply> {
  const row = service.statementRow(numbers[0] ?? -1);
  if (row < 0) return notFoundReply;
  const account = service.simulation.account(service.simulation.statements.subscription(row));
  const statement = service.simulation.statement(row);
  if (format !== 'pdf') {
    const value = toStatementJson(service.site, account, statement);
    return { kind: 'entity', status: 200, name: 'statement', value };
  }
  const body = await renderStatementPdf({ site: service.site, account, statement });
  return { kind: 'bytes', status: 200, type: 'application/pdf', body };
}

/** Returns a subscription's statements, sorted by the requested date and then by id. */
function sortStatements(
  service: BillingService,
  subscription: number,
  query: URLSearchParams,
  defaultDirection: 'asc' | 'desc',
): Statement[] {
  const open =
    service.settings.openStatements === 'first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const keys = new Map<string | null, (statement: Statement) => number>([
    ['closed_at', ({ closedAt }) => closedAt || open],
    ['settled_at', ({ settledAt }) => settledAt || open],
  ]);
  const key = keys.get(query.get('sort')) ?? (({ openedAt }: Statement) => openedAt);
  const direction = query.get('direction');
  const sign =
    (direction === 'asc' || direction === 'desc' ? direction : defaultDirection) === 'asc' ? 1 : -1;
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  const { simulation } = service;
  const visible = simulation
    .account(subscription)
    .ledger.statements.filter(({ index }) => !service.isHidden(simulation.statementRow(subscription, index)));
  return visible.sort((a, b) => sign * (compare(key(a), key(b)) || a.index - b.index));
}
