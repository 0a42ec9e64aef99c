import { type FluxRow, toFluxItem } from '../../domain/flux/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import {
  readFluxPayments,
  readFluxTransactions,
  readSubscriptionsOfStatements,
} from '../store/workpaper/flux-facts.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';

/** Row of a figure with the subscription that it belongs to; null if it belongs to none, for example a bank line. */
export type SubscriptionRow = FluxRow & {
  /** Key of the figure. */
  readonly key: string;
  readonly subscription: number | null;
};

/** Number of rows whose records are read at once. */
const ROWS_PER_BATCH = 500;

/** Yields the rows of figures with their subscriptions and natures, and null at the end of a step. */
export function* collectFluxRows(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  contributions: Iterable<RowContribution | null>,
  figures: ReadonlySet<string>,
): Generator<SubscriptionRow | null, void, undefined> {
  let batch: RowContribution[] = [];
  for (const each of contributions) {
    if (each === null) yield null;
    if (each === null || !figures.has(getFigureKey(each))) continue;
    batch.push(each);
    if (batch.length < ROWS_PER_BATCH) continue;
    yield* toSubscriptionRows(site, batch);
    yield null;
    batch = [];
  }
  yield* toSubscriptionRows(site, batch);
}

/** Returns the key of a figure in a currency. */
export const getFigureKey = ({ figure, currency }: Pick<RowContribution, 'figure' | 'currency'>): string =>
  `${currency} ${figure}`;

function* toSubscriptionRows(
  { cache, books }: Pick<WorkpaperSite, 'cache' | 'books'>,
  rows: readonly RowContribution[],
): Generator<SubscriptionRow> {
  const idsOf = (kind: RowContribution['kind']) =>
    rows.filter((row) => row.kind === kind).map(({ id }) => id);
  const payments = readFluxPayments(books, idsOf('payment'));
  const statements = [
    ...idsOf('statement'),
    ...[...payments.values()].map(({ statement_id }) => statement_id),
  ];
  const subscriptions = readSubscriptionsOfStatements(cache, statements);
  const keys = rows.flatMap(({ kind, id, statement }) =>
    kind === 'transaction' && statement !== undefined ? [{ id, statement }] : [],
  );
  const transactions = new Map(
    readFluxTransactions(cache, keys).map((row) => [`${row.statement_id} ${row.id}`, row]),
  );
  for (const row of rows) {
    const { kind, id, day, cents, statement } = row;
    const key = getFigureKey(row);
    const unknown = {
      key,
      subscription: null,
      cents,
      day,
      nature: 'other',
      item: kind,
      quantity: null,
    } as const;
    const transaction = transactions.get(`${statement} ${id}`);
    const payment = payments.get(id);
    if (kind === 'transaction' && transaction !== undefined)
      yield { ...unknown, ...toFluxItem(transaction), subscription: transaction.subscription_id };
    else if (kind === 'payment' && payment !== undefined)
      yield {
        ...{ ...unknown, nature: payment.kind, item: payment.kind },
        subscription: subscriptions.get(payment.statement_id) ?? null,
      };
    else yield kind === 'statement' ? { ...unknown, subscription: subscriptions.get(id) ?? null } : unknown;
  }
}

/** Rows of each figure by subscription. */
export type FigureGroups = ReadonlyMap<string, Map<number | null, SubscriptionRows>>;

/** Adds the rows of a month to the groups of their figures and subscriptions. */
export function* groupBySubscription(
  rows: Iterable<SubscriptionRow | null>,
  figures: FigureGroups,
  month: keyof SubscriptionRows,
): WorkSteps<void> {
  for (const row of rows) {
    yield;
    const groups = row === null ? undefined : figures.get(row.key);
    if (row === null || groups === undefined) continue;
    const { subscription, key: _, ...fluxRow } = row;
    const group = groups.get(subscription) ?? { previous: [], current: [] };
    groups.set(subscription, group);
    group[month].push(fluxRow);
  }
}

/** Rows of a subscription in each month. */
export interface SubscriptionRows {
  readonly previous: FluxRow[];
  readonly current: FluxRow[];
}
