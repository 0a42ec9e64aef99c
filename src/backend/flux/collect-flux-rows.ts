import { type FluxRow, toFluxItem } from '../../domain/flux/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import {
  readFluxPayments,
  readFluxTransactions,
  readSubscriptionsOfStatements,
} from '../store/workpaper/flux-facts.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';

/** Row of a figure with the subscription that it belongs to; null if it belongs to none, for example a bank line. */
export type SubscriptionRow = FluxRow & {
  /** Number of the figure. */
  readonly figure: number;
  readonly subscription: number | null;
};

/** Number of rows whose records are read at once. */
const ROWS_PER_BATCH = 500;

/**
 * Yields the rows of figures in batches, with their subscriptions and natures. An empty batch ends a step. `figures`
 * contains the numbers of the figures by key.
 */
export function* collectFluxRows(
  site: Pick<WorkpaperSite, 'cache' | 'books'>,
  contributions: Iterable<RowContribution | null>,
  figures: ReadonlyMap<string, number>,
): Generator<SubscriptionRow[], void, undefined> {
  let batch: RowContribution[] = [];
  for (const each of contributions) {
    yield [];
    if (each === null || !figures.has(getFigureKey(each))) continue;
    batch.push(each);
    if (batch.length < ROWS_PER_BATCH) continue;
    yield [...toSubscriptionRows(site, batch, figures)];
    batch = [];
  }
  yield [...toSubscriptionRows(site, batch, figures)];
}

/** Returns the key of a figure in a currency. */
export const getFigureKey = ({ figure, currency }: Pick<RowContribution, 'figure' | 'currency'>): string =>
  `${currency} ${figure}`;

function* toSubscriptionRows(
  { cache, books }: Pick<WorkpaperSite, 'cache' | 'books'>,
  rows: readonly RowContribution[],
  figures: ReadonlyMap<string, number>,
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
    const unknown = {
      figure: figures.get(getFigureKey(row))!,
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
