import type { IpeRequest, IpeSource, Workpaper } from '../../../contract/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import {
  areStatementsComplete,
  describeIdListCompleteness,
  describeIdListContinuity,
  describePaymentCompleteness,
  describeStatementAccuracy,
  describeStatementCompleteness,
  describeTableAccuracy,
  isIdListComplete,
  type StatementFacts,
} from '../../../domain/workpaper/ipe-sentences.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { countKnownStatements, listMissingStatementIds } from '../../store/statements/statements-to-fetch.ts';
import {
  listIdRequests,
  listStatementRequestsAt,
  type ServiceRequest,
} from '../../store/sync/service-request.ts';
import { hasUnreadRecords } from '../../store/sync/sync-problem.ts';
import { readStatementOrigins } from '../../store/workpaper/ipe-rows.ts';
import { findStatementTimeRange } from '../../store/workpaper/workpaper-billing.ts';
import type { WorkpaperSite } from '../workpaper-site.ts';
import type { RecordTableName } from './record-tables.ts';
import type { TableTotals } from './table-totals.ts';

/** Keys of the sources that the billing service delivers. */
export const ID_LIST_SOURCE = 'statement-ids';
export const STATEMENT_SOURCE = 'statements';
export const TRANSACTION_SOURCE = 'transactions';
export const PAYMENT_SOURCE = 'payments';

/** Returns the amount and the number of rows of a figure; zero if the workpaper does not contain it. */
export function findFigure({ sections }: Workpaper, currency: string, figure: string) {
  const schedules = sections.find((section) => section.currency === currency)?.schedules ?? [];
  const line = schedules.flatMap(({ lines }) => lines).find(({ id }) => id === figure);
  return { count: line?.count ?? 0, amount: line?.amount_in_cents ?? 0 };
}

/** Statements closed in a period and the requests that returned them. */
interface StatementReads {
  readonly closed: number;
  readonly vanished: number;
  readonly unrecorded: number;
  readonly requests: readonly ServiceRequest[];
}

function* findStatementReads(site: WorkpaperSite, workpaper: Workpaper): WorkSteps<StatementReads> {
  const { cache } = site;
  const byTime = new Map<number, number>();
  let [closed, vanished, at] = [0, 0, 0];
  for (const origin of readStatementOrigins(cache, findStatementTimeRange(cache, workpaper.head.period))) {
    if (origin.vanished === 1) vanished++;
    else closed++;
    byTime.set(origin.read_at, (byTime.get(origin.read_at) ?? 0) + 1);
    if (isLastRowOfStep(at++)) yield;
  }
  const requests: ServiceRequest[] = [];
  let unrecorded = 0;
  for (const time of [...byTime.keys()].sort((a, b) => a - b)) {
    const sent = listStatementRequestsAt(cache, time);
    requests.push(...sent);
    if (sent.length === 0) unrecorded += byTime.get(time) ?? 0;
    yield;
  }
  return { closed, vanished, unrecorded, requests };
}

/** Returns the number of a requested page. A request without one is for the first page. */
const getPage = ({ path }: ServiceRequest): number =>
  Number(new URLSearchParams(path.split('?')[1] ?? '').get('page') ?? 1);

const toDayOrEmpty = (time: number | null): string => formatTimestamp(time)?.slice(0, 10) ?? '';

/** Computes the sources of the billing records in steps, with the requests that delivered them. */
export function* computeBillingSources(
  site: WorkpaperSite,
  workpaper: Workpaper,
  tables: Readonly<Record<RecordTableName, TableTotals>>,
): WorkSteps<{ sources: IpeSource[]; requests: IpeRequest[] }> {
  const { cache, file } = site;
  const idRequests = listIdRequests(cache);
  const reads = yield* findStatementReads(site, workpaper);
  const { last } = workpaper.head.period;
  const rowsOf = (figure: string) => findFigure(workpaper, file.currency, figure).count;
  const facts: StatementFacts = {
    list: {
      pages: idRequests.map((request) => ({ page: getPage(request), rows: request.rows })),
      known: countKnownStatements(cache),
    },
    missing: listMissingStatementIds(cache).length,
    hasUnread: hasUnreadRecords(cache, 'statements'),
    isReadAfterPeriod: idRequests.some(({ server_at }) => toDayOrEmpty(server_at) > last),
    lastDay: last,
    closed: reads.closed,
    vanished: reads.vanished,
    unrecorded: reads.unrecorded,
    notFooting: rowsOf('S1.footing') + rowsOf('S1.carried'),
  };
  const complete = areStatementsComplete(facts);
  const proof = {
    complete,
    continuity: describeIdListContinuity(facts.list),
    completeness: describeStatementCompleteness(facts),
    accuracy: describeStatementAccuracy(facts),
  };
  const read = summarizeRequests(reads.requests);
  const cutOff = findFigure(workpaper, file.currency, 'S1.cut-off').amount;
  const list: IpeSource = {
    ...{ source: ID_LIST_SOURCE, title: 'List of statement IDs', origin: 'Billing service' },
    ...summarizeRequests(idRequests),
    rows: idRequests.reduce((sum, { rows }) => sum + rows, 0),
    ...{ currency: null, amount_in_cents: null, sha256: null, complete: isIdListComplete(facts.list) },
    continuity: proof.continuity,
    completeness: describeIdListCompleteness(facts.list),
    accuracy: '',
  };
  const sources: IpeSource[] = [
    list,
    ...toTableSources(STATEMENT_SOURCE, 'Statements of the period', tables.statements, { ...read, ...proof }),
    ...toTableSources(TRANSACTION_SOURCE, 'Transactions of the statements', tables.transactions, {
      ...read,
      ...proof,
    }),
    ...toTableSources(PAYMENT_SOURCE, 'Payments and refunds', tables.payments, {
      ...{ from: null, to: null, requests: null, complete: complete && cutOff === 0, continuity: '' },
      completeness: describePaymentCompleteness(complete, cutOff),
      accuracy: '',
    }),
  ];
  const requests = [
    ...idRequests.map((request) => toIpeRequest(request, ID_LIST_SOURCE)),
    ...reads.requests.map((request) => toIpeRequest(request, STATEMENT_SOURCE)),
  ];
  return { sources, requests };
}

function summarizeRequests(requests: readonly ServiceRequest[]): Pick<IpeSource, 'from' | 'to' | 'requests'> {
  let [from, to]: [number | null, number | null] = [null, null];
  for (const { server_at } of requests) {
    if (server_at === null) continue;
    from = from === null ? server_at : Math.min(from, server_at);
    to = to === null ? server_at : Math.max(to, server_at);
  }
  return { from: formatTimestamp(from), to: formatTimestamp(to), requests: requests.length };
}

const toIpeRequest = (
  { path, server_at, rows, bytes, sha256 }: ServiceRequest,
  source: string,
): IpeRequest => ({
  source,
  request: `GET ${path}`,
  server_date: formatTimestamp(server_at),
  rows,
  bytes,
  sha256,
});

type SourceProof = Pick<
  IpeSource,
  'from' | 'to' | 'requests' | 'complete' | 'continuity' | 'completeness' | 'accuracy'
>;

/**
 * Returns a source for each currency of an evidence pack table. An empty table has one source without a currency. The control
 * total is null if the amount of a row is unknown.
 */
export function toTableSources(
  table: RecordTableName,
  title: string,
  { sha256, sums }: TableTotals,
  proof: SourceProof,
): IpeSource[] {
  const source = { source: table, title, origin: `tables/${table}.csv`, sha256, ...proof };
  if (sums.size === 0) return [{ ...source, rows: 0, currency: null, amount_in_cents: null }];
  return [...sums].map(([currency, { rows, unknown, cents }]) => ({
    ...source,
    rows,
    currency,
    amount_in_cents: unknown === 0 ? cents : null,
    accuracy: describeTableAccuracy(proof.accuracy, unknown),
  }));
}
