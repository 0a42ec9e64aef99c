import { statementPdf } from '../render/pdf.ts';
import { statementEntity } from '../render/statement.ts';
import type { Service } from '../service.ts';
import type { Statement } from '../world/ledger.ts';
import { subscriptionOf } from './allocations.ts';
import { type Ask, count } from './ask.ts';
import { missing, type Reply } from './reply.ts';

/** Section 4.7. */
export function listSiteStatementIds({ service, query }: Ask): Reply {
  const perPage = count(query, 'per_page', service.choices.idsPerPage, service.choices.idsPerPage);
  const from = (count(query, 'page', 1) - 1) * perPage;
  return {
    kind: 'ids',
    ids: service.statementRows(from, perPage).map((row) => service.world.ids.statement.id(row)),
  };
}

/** Section 4.6. */
export function listStatementIds(ask: Ask): Reply {
  const { service, query } = ask;
  const subscription = subscriptionOf(service, ask.numbers[0]);
  if (subscription < 0) return missing;
  const perPage = count(query, 'per_page', service.choices.idsPerPage, service.choices.idsPerPage);
  const page = count(query, 'page', 1);
  const ids = sorted(service, subscription, query, 'asc')
    .slice((page - 1) * perPage, page * perPage)
    .map((statement) =>
      service.world.ids.statement.id(service.world.statementRow(subscription, statement.index)),
    );
  return { kind: 'ids', ids };
}

/** Section 4.8. */
export function listStatements(ask: Ask): Reply {
  const { service, query } = ask;
  const subscription = subscriptionOf(service, ask.numbers[0]);
  if (subscription < 0) return missing;
  const perPage = count(query, 'per_page', service.choices.statementsPerPage, service.choices.maxPerPage);
  const page = count(query, 'page', 1);
  const account = service.world.account(subscription);
  const values = sorted(service, subscription, query, service.choices.statementsDirection)
    .slice((page - 1) * perPage, page * perPage)
    .map((statement) => statementEntity(service.site, account, statement));
  return {
    kind: 'list',
    status: 200,
    name: 'statements',
    item: 'statement',
    values,
    wrapped: service.choices.wrapStatements,
  };
}

/** Section 4.9. */
export async function readStatement({ service, numbers, format }: Ask): Promise<Reply> {
  const row = service.statementRow(numbers[0] ?? -1);
  if (row < 0) return missing;
  const account = service.world.account(service.world.statements.subscription(row));
  const statement = service.world.statement(row);
  if (format !== 'pdf')
    return {
      kind: 'entity',
      status: 200,
      name: 'statement',
      value: statementEntity(service.site, account, statement),
    };
  const body = await statementPdf({ site: service.site, account, statement });
  return { kind: 'bytes', status: 200, type: 'application/pdf', body };
}

/** A subscription's statements in the order asked for: by a date, and of equal dates by id. */
function sorted(
  service: Service,
  subscription: number,
  query: URLSearchParams,
  otherwise: 'asc' | 'desc',
): Statement[] {
  const open =
    service.choices.openStatements === 'first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const keys = new Map<string | null, (statement: Statement) => number>([
    ['closed_at', ({ closedAt }) => closedAt || open],
    ['settled_at', ({ settledAt }) => settledAt || open],
  ]);
  const key = keys.get(query.get('sort')) ?? (({ openedAt }: Statement) => openedAt);
  const direction = query.get('direction');
  const sign = (direction === 'asc' || direction === 'desc' ? direction : otherwise) === 'asc' ? 1 : -1;
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
  const shown = service.world
    .account(subscription)
    .ledger.statements.filter(
      ({ index }) => !service.hidden(service.world.statementRow(subscription, index)),
    );
  return shown.sort((a, b) => sign * (compare(key(a), key(b)) || a.index - b.index));
}
