import type { ScheduleLine, Workpaper } from '../../contract/index.ts';
import {
  addFluxParts,
  type FluxParts,
  NO_FLUX,
  type SubscriptionFlux,
  splitFlux,
} from '../../domain/flux/index.ts';
import { addCents, type Cents, type DateRange } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { readFigureContributions } from '../periods/signed-off-contributions.ts';
import { type FluxSubscription, readFluxSubscriptions } from '../store/workpaper/flux-facts.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import { findContributionSource } from '../workpaper/figure-rows.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import {
  collectFluxRows,
  type FigureGroups,
  getFigureKey,
  groupBySubscription,
  type SubscriptionRows,
} from './collect-flux-rows.ts';

/** The two months of a flux. */
export interface FluxMonths {
  readonly previous: DateRange & { readonly period: string };
  readonly current: DateRange & { readonly period: string };
}

/** Flux of one subscription in a figure. `subscription` is null for rows that belong to none. */
export interface SubscriptionFluxResult {
  readonly subscription: number | null;
  readonly customer: string | null;
  readonly previous_in_cents: Cents;
  readonly current_in_cents: Cents;
  readonly parts: FluxParts;
}

type Figure = Pick<RowContribution, 'figure' | 'currency'>;

/** Figure that a sum contains, and its sign in the sum. */
export interface SignedFigure extends CountedFigure {
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
    if (sums.length === 0) {
      const count = lines.reduce((all, byId) => all + (byId.get(id)?.count ?? 0), 0);
      found.set(`${sign} ${id}`, { figure: id, currency, sign, count });
    }
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

/** Maximum number of rows that are compared at once, which bounds the memory. Chosen by judgment. */
const MAX_ROWS_PER_PASS = 300_000;

/** A figure with rows, and the number of its rows in both months. */
export interface CountedFigure extends Figure {
  readonly count: number;
}

/**
 * Computes the fluxes of figures with rows by subscription, and passes each to `onFlux`. The amounts of all subscriptions
 * add up to the figure. Figures of the same source share a pass over its records if their rows fit into memory.
 */
export function* computeFluxes(
  snapshot: SiteSnapshot,
  months: FluxMonths,
  figures: readonly CountedFigure[],
  onFlux: (figure: CountedFigure, results: readonly SubscriptionFluxResult[]) => void,
): WorkSteps<void> {
  for (const pass of groupIntoPasses(figures)) {
    const groups: FigureGroups = new Map(pass.map((figure) => [getFigureKey(figure), new Map()]));
    for (const month of ['previous', 'current'] as const) {
      const contributions = readFigureContributions(snapshot, months[month].period, pass);
      const rows = collectFluxRows(snapshot, contributions, new Set(groups.keys()));
      yield* groupBySubscription(rows, groups, month);
    }
    for (const figure of pass)
      onFlux(figure, yield* splitFigure(snapshot, months, groups.get(getFigureKey(figure))!));
  }
}

/** Groups figures by their source, with a limited number of rows per group. */
function groupIntoPasses(figures: readonly CountedFigure[]): CountedFigure[][] {
  const passes: CountedFigure[][] = [];
  for (const ofSource of Map.groupBy(figures, ({ figure }) => findContributionSource(figure)).values()) {
    let rows = Number.POSITIVE_INFINITY;
    for (const figure of ofSource) {
      rows += figure.count;
      if (rows > MAX_ROWS_PER_PASS) {
        passes.push([]);
        rows = figure.count;
      }
      passes.at(-1)!.push(figure);
    }
  }
  return passes;
}

/** Splits the flux of a figure by subscription. */
function* splitFigure(
  snapshot: SiteSnapshot,
  months: FluxMonths,
  groups: ReadonlyMap<number | null, SubscriptionRows>,
): WorkSteps<SubscriptionFluxResult[]> {
  const results: SubscriptionFluxResult[] = [];
  const subscriptions = [...groups.keys()].filter((subscription) => subscription !== null);
  const facts = yield* readSubscriptionFacts(snapshot, subscriptions, months);
  const { from: start } = findStatementTimeRange(snapshot.cache, months.current);
  for (const [subscription, rows] of groups) {
    yield;
    results.push(toResult(subscription, rows, { facts, start }));
  }
  return results;
}

/** Number of subscriptions whose facts are read at once. */
const SUBSCRIPTIONS_PER_BATCH = 500;

function* readSubscriptionFacts(
  { cache }: SiteSnapshot,
  ids: readonly number[],
  months: FluxMonths,
): WorkSteps<Map<number, FluxSubscription>> {
  const before = findStatementTimeRange(cache, months.previous);
  const now = findStatementTimeRange(cache, months.current);
  const facts = new Map<number, FluxSubscription>();
  for (let from = 0; from < ids.length; from += SUBSCRIPTIONS_PER_BATCH) {
    const batch = ids.slice(from, from + SUBSCRIPTIONS_PER_BATCH);
    for (const each of readFluxSubscriptions(cache, batch, { before, now, first: months.current.first }))
      facts.set(each.subscription_id, each);
    yield;
  }
  return facts;
}

function toResult(
  subscription: number | null,
  rows: SubscriptionRows,
  { facts, start }: { readonly facts: ReadonlyMap<number, FluxSubscription>; readonly start: number },
): SubscriptionFluxResult {
  const fact = subscription === null ? undefined : facts.get(subscription);
  const sum = (month: keyof SubscriptionRows) =>
    rows[month].reduce((all, { cents }) => addCents(all, cents), 0);
  return {
    subscription,
    customer: fact?.customer ?? null,
    previous_in_cents: sum('previous'),
    current_in_cents: sum('current'),
    parts: splitFlux({
      ...rows,
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

/** Returns the fluxes of figures added with their signs, by subscription, largest difference first. */
export function addFluxes(
  fluxes: readonly (readonly [SignedFigure, readonly SubscriptionFluxResult[]])[],
): SubscriptionFluxResult[] {
  const sums = new Map<number | null, SubscriptionFluxResult>();
  for (const [{ sign }, results] of fluxes)
    for (const each of results) {
      const known = sums.get(each.subscription);
      const add = (field: 'previous_in_cents' | 'current_in_cents') =>
        addCents(known?.[field] ?? 0, sign === 1 ? each[field] : 0 - each[field]);
      sums.set(each.subscription, {
        subscription: each.subscription,
        customer: each.customer,
        previous_in_cents: add('previous_in_cents'),
        current_in_cents: add('current_in_cents'),
        parts: addFluxParts(known?.parts ?? NO_FLUX, each.parts, sign),
      });
    }
  const size = ({ previous_in_cents, current_in_cents }: SubscriptionFluxResult) =>
    Math.abs(current_in_cents - previous_in_cents);
  return [...sums.values()].toSorted(
    (a, b) => size(b) - size(a) || (a.subscription ?? -1) - (b.subscription ?? -1),
  );
}
