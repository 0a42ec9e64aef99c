import { toStatementJson } from '../render/json-records.ts';
import { renderStatementPdf } from '../render/statement-pdf.ts';
import type { BillingService } from '../service/billing-service.ts';
import type { Statement } from '../simulation/ledger.ts';
import { findSubscriptionIndex } from './allocations.ts';
import { type ParsedRequest, readPositiveInteger } from './parsed-request.ts';
import { notFoundReply, type Reply } from './reply.ts';

/** Lists the statement ids of the site (interface 4.7). */
export function listSiteStatementIds({ service, query }: ParsedRequest): Reply {
  const perPage = readPositiveInteger(
    query,
    'per_page',
    service.settings.idsPerPage,
    service.settings.idsPerPage,
  );
  const from = (readPositiveInteger(query, 'page', 1) - 1) * perPage;
  return {
    kind: 'ids',
    ids: service.statementRows(from, perPage).map((row) => service.simulation.ids.statement.id(row)),
  };
}

/** Lists the statement ids of a subscription (interface 4.6). */
export function listStatementIds(ask: ParsedRequest): Reply {
  const { service, query } = ask;
  const subscription = findSubscriptionIndex(service, ask.numbers[0]);
  if (subscription < 0) return notFoundReply;
  const perPage = readPositiveInteger(
    query,
    'per_page',
    service.settings.idsPerPage,
    service.settings.idsPerPage,
  );
  const page = readPositiveInteger(query, 'page', 1);
  const ids = sorted(service, subscription, query, 'asc')
    .slice((page - 1) * perPage, page * perPage)
    .map((statement) =>
      service.simulation.ids.statement.id(service.simulation.statementRow(subscription, statement.index)),
    );
  return { kind: 'ids', ids };
}

/** Lists the statements of a subscription (interface 4.8). */
export function listStatements(ask: ParsedRequest): Reply {
  const { service, query } = ask;
  const subscription = findSubscriptionIndex(service, ask.numbers[0]);
  if (subscription < 0) return notFoundReply;
  const perPage = readPositiveInteger(
    query,
    'per_page',
    service.settings.statementsPerPage,
    service.settings.maxPerPage,
  );
  const page = readPositiveInteger(query, 'page', 1);
  const account = service.simulation.account(subscription);
  const values = sorted(service, subscription, query, service.settings.statementsDirection)
    .slice((page - 1) * perPage, page * perPage)
    .map((statement) => toStatementJson(service.site, account, statement));
  return {
    kind: 'list',
    status: 200,
    name: 'statements',
    item: 'statement',
    values,
    wrapped: service.settings.wrapStatements,
  };
}

/** Reads a statement (interface 4.9). */
export async function readStatement({ service, numbers, format }: ParsedRequest): Promise<Reply> {
  const row = service.statementRow(numbers[0] ?? -1);
  if (row < 0) return notFoundReply;
  const account = service.simulation.account(service.simulation.statements.subscription(row));
  const statement = service.simulation.statement(row);
  if (format !== 'pdf')
    return {
      kind: 'entity',
      status: 200,
      name: 'statement',
      value: toStatementJson(service.site, account, statement),
    };
  const body = await renderStatementPdf({ site: service.site, account, statement });
  return { kind: 'bytes', status: 200, type: 'application/pdf', body };
}

/** Returns a subscription's statements, sorted by the requested date and then by id. */
function sorted(
  service: BillingService,
  subscription: number,
  query: URLSearchParams,
  otherwise: 'asc' | 'desc',
): Statement[] {
  const open =
    service.settings.openStatements === 'first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const keys = new Map<string | null, (statement: Statement) => number>([
    ['closed_at', ({ closedAt }) => closedAt || open],
    ['settled_at', ({ settledAt }) => settledAt || open],
  ]);
  const key = keys.get(query.get('sort')) ?? (({ openedAt }: Statement) => openedAt);
  const direction = query.get('direction');
  const sign = (direction === 'asc' || direction === 'desc' ? direction : otherwise) === 'asc' ? 1 : -1;
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  const shown = service.simulation
    .account(subscription)
    .ledger.statements.filter(
      ({ index }) => !service.hidden(service.simulation.statementRow(subscription, index)),
    );
  return shown.sort((a, b) => sign * (compare(key(a), key(b)) || a.index - b.index));
}
