import type { ScheduleLine, Workpaper } from '../../contract/index.ts';
import {
  addFluxParts,
  type FluxParts,
  type FluxRow,
  FluxRowList,
  type FluxRowNature,
  NO_FLUX,
  type SubscriptionFlux,
  splitFlux,
} from '../../domain/flux/index.ts';
import { addCents, type Cents } from '../../domain/ledger/index.ts';
import { sortInSteps } from '../../domain/work-steps/sort-in-steps.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import type { FluxMonths } from '../periods/compared-figures.ts';
import { readFigureContributions } from '../periods/signed-off-contributions.ts';
import { type FluxSubscription, readFluxSubscriptions } from '../store/workpaper/flux-facts.ts';
import { FluxRowSorter, type SortableFluxRow } from '../store/workpaper/flux-row-sorter.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import { findContributionSource } from '../workpaper/figure-rows.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import { collectFluxRows, getFigureKey } from './collect-flux-rows.ts';

/** Flux of one subscription in a figure. `subscription` is null for rows that belong to none. */
export interface SubscriptionFluxResult {
  readonly subscription: number | null;
  readonly customer: string | null;
  readonly previous_in_cents: Cents;
  readonly current_in_cents: Cents;
  readonly parts: FluxParts;
}

/** A figure with rows. */
export type Figure = Pick<RowContribution, 'figure' | 'currency'>;

/** Figure that a sum contains, and its sign in the sum. */
export interface SignedFigure extends Figure {
  readonly sign: 1 | -1;
}

/**
 * Returns the figures with rows from which a figure is calculated, in either month. Returns the figure itself if it is
 * not a sum.
 */
export function listSummedFigures(
  workpapers: readonly Workpaper[],
  { figure, currency }: Figure,
): SignedFigure[] {
  const lines = workpapers.map(({ sections }) => indexLines(sections, currency));
  const found = new Map<string, SignedFigure>();
  const add = (id: string, sign: 1 | -1): void => {
    const sums = lines.flatMap((byId) => byId.get(id)?.sum ?? []);
    if (sums.length === 0) found.set(`${sign} ${id}`, { figure: id, currency, sign });
    const plus = new Set(sums.flatMap((sum) => sum.plus));
    const minus = new Set(sums.flatMap((sum) => sum.minus));
    for (const each of plus) add(each, sign);
    for (const each of minus) add(each, sign === 1 ? -1 : 1);
  };
  add(figure, 1);
  return [...found.values()];
}

const indexLines = (sections: Workpaper['sections'], currency: string): ReadonlyMap<string, ScheduleLine> =>
  new Map(
    sections
      .filter((section) => section.currency === currency)
      .flatMap(({ schedules }) => schedules.flatMap(({ lines }) => lines.map((line) => [line.id, line]))),
  );

/** Receives the fluxes of some subscriptions in a figure. */
export type OnFlux<Each = Figure> = (figure: Each, results: readonly SubscriptionFluxResult[]) => WorkSteps;

/**
 * Computes the fluxes of figures with rows by subscription, and passes them to `onFlux` in batches. The amounts of all
 * subscriptions add up to the figure. Figures of the same source share a pass over its records.
 */
export function* computeFluxes<Each extends Figure>(
  snapshot: SiteSnapshot,
  months: FluxMonths,
  figures: readonly Each[],
  onFlux: OnFlux<Each>,
): WorkSteps {
  for (const pass of Map.groupBy(figures, ({ figure }) => findContributionSource(figure)).values()) {
    const sorter = new FluxRowSorter();
    try {
      const numbers = new Map(pass.map((figure, at) => [getFigureKey(figure), at]));
      for (const month of ['previous', 'current'] as const) {
        const contributions = readFigureContributions(snapshot, months[month].period, pass);
        for (const rows of collectFluxRows(snapshot, contributions, numbers)) {
          sorter.add(rows, month);
          yield;
        }
      }
      for (const figure of pass) {
        const rows = sorter.read(numbers.get(getFigureKey(figure))!);
        yield* splitRows(snapshot, months, rows, (results) => onFlux(figure, results));
      }
    } finally {
      sorter.close();
    }
  }
}

/** Splits the flux of a figure from its rows, sorted by subscription. */
function* splitRows(
  snapshot: SiteSnapshot,
  months: FluxMonths,
  rows: Iterable<SortableFluxRow>,
  onResults: (results: readonly SubscriptionFluxResult[]) => WorkSteps,
): WorkSteps {
  for (const subscriptions of groupBySubscription(rows)) {
    yield;
    if (subscriptions !== null) yield* onResults(splitSubscriptions(snapshot, months, subscriptions));
  }
}

/** Rows of a subscription in both months. */
interface SubscriptionRows {
  readonly subscription: number | null;
  readonly previous: FluxRowList;
  readonly current: FluxRowList;
}

/** Number of subscriptions whose facts are read at once. */
const SUBSCRIPTIONS_PER_BATCH = 200;

/** Yields the rows of a figure by subscription, in batches of subscriptions. Yields null at the end of a step. */
function* groupBySubscription(rows: Iterable<SortableFluxRow>): Generator<SubscriptionRows[] | null> {
  let batch: SubscriptionRows[] = [];
  for (const { figure: _, subscription, month, nature, ...row } of rows) {
    yield null;
    if (batch.at(-1)?.subscription !== subscription) {
      if (batch.length === SUBSCRIPTIONS_PER_BATCH) {
        yield batch;
        batch = [];
      }
      batch.push({ subscription, previous: new FluxRowList(), current: new FluxRowList() });
    }
    batch.at(-1)![month].add({ ...row, nature: nature as FluxRowNature });
  }
  if (batch.length > 0) yield batch;
}

function splitSubscriptions(
  { cache }: SiteSnapshot,
  months: FluxMonths,
  subscriptions: readonly SubscriptionRows[],
): SubscriptionFluxResult[] {
  const before = findStatementTimeRange(cache, months.previous);
  const now = findStatementTimeRange(cache, months.current);
  const ids = subscriptions.flatMap(({ subscription }) => subscription ?? []);
  const times = { before, now, first: months.current.first };
  const facts = new Map(readFluxSubscriptions(cache, ids, times).map((fact) => [fact.subscription_id, fact]));
  return subscriptions.map((rows) => toResult(rows, facts.get(rows.subscription ?? -1), now.from));
}

/** `start`: start of the current month in UTC milliseconds. */
function toResult(
  { subscription, previous: { rows: previous }, current: { rows: current } }: SubscriptionRows,
  fact: FluxSubscription | undefined,
  start: number,
): SubscriptionFluxResult {
  const sum = (rows: readonly FluxRow[]) => rows.reduce((all, { cents }) => addCents(all, cents), 0);
  return {
    subscription,
    customer: fact?.customer ?? null,
    previous_in_cents: sum(previous),
    current_in_cents: sum(current),
    parts: splitFlux({
      ...{ previous, current },
      lifetime: findLifetime(fact, start),
      isBilledInOneMonth: fact?.billed_before !== fact?.billed_now,
      failed: { previous: fact?.failed_before ?? 0, current: fact?.failed_now ?? 0 },
    }),
  };
}

/** Returns how long a subscription has been billed. `start`: start of the current month in UTC milliseconds. */
function findLifetime(fact: FluxSubscription | undefined, start: number): SubscriptionFlux['lifetime'] {
  if (fact === undefined) return 'unknown';
  if (fact.first_at === null || fact.first_at >= start) return 'new';
  return fact.served === 0 ? 'lost' : 'continuing';
}

/** Adds up the fluxes of several figures by subscription. */
export class SubscriptionFluxSums {
  readonly #sums = new Map<number | null, SubscriptionFluxResult>();

  *add(results: readonly SubscriptionFluxResult[], sign: 1 | -1): WorkSteps {
    for (const each of results) {
      yield;
      const known = this.#sums.get(each.subscription);
      const add = (field: 'previous_in_cents' | 'current_in_cents') =>
        addCents(known?.[field] ?? 0, sign === 1 ? each[field] : 0 - each[field]);
      this.#sums.set(each.subscription, {
        subscription: each.subscription,
        customer: each.customer,
        previous_in_cents: add('previous_in_cents'),
        current_in_cents: add('current_in_cents'),
        parts: addFluxParts(known?.parts ?? NO_FLUX, each.parts, sign),
      });
    }
  }

  /** Returns the sums, largest difference first. */
  sort(): WorkSteps<SubscriptionFluxResult[]> {
    const size = ({ previous_in_cents, current_in_cents }: SubscriptionFluxResult) =>
      Math.abs(current_in_cents - previous_in_cents);
    return sortInSteps(
      [...this.#sums.values()],
      (a, b) => size(b) - size(a) || (a.subscription ?? -1) - (b.subscription ?? -1),
    );
  }
}
