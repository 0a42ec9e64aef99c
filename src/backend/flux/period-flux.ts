import type { ContractInputs, ContractOutputs, FluxLine, Workpaper } from '../../contract/index.ts';
import { addFluxParts, type FluxParts, NO_FLUX, sumFluxParts } from '../../domain/flux/index.ts';
import { addCents } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { readWorkpaper } from '../periods/cached-workpaper.ts';
import {
  type FluxMonths,
  type FluxWorkpapers,
  listComparedLines,
  readFluxExplanations,
  toFluxMonths,
} from '../periods/compared-figures.ts';
import { readSignedOffLists } from '../periods/signed-off-lists.ts';
import { findClosedFiguresInForce, readSnapshotWorkpaper } from '../periods/signed-off-period.ts';
import { createSnapshotCache, type OpenSiteDatabases } from '../periods/site-snapshot-cache.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { decodeCursor, encodeCursor, type ListOrder } from '../store/lists/keyset-pagination.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import type { WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import { hasScheduleRows } from '../workpaper/workpaper-qualifications.ts';
import { getFigureKey } from './collect-flux-rows.ts';
import {
  computeFluxes,
  type Figure,
  listSummedFigures,
  type SubscriptionFluxResult,
  SubscriptionFluxSums,
} from './compute-flux.ts';

/** Number of fluxes cached per site. Only those being viewed are needed. */
const MAX_CACHED_FLUXES = 4;
const cachedLines = createSnapshotCache<FluxLine[]>(MAX_CACHED_FLUXES);
const cachedRows = createSnapshotCache<SubscriptionFluxResult[]>(MAX_CACHED_FLUXES);

async function readWorkpapers(
  site: OpenSiteDatabases,
  { previous, current }: FluxMonths,
  at: WorkpaperCreationInfo,
): Promise<FluxWorkpapers> {
  return {
    previous: await readWorkpaper(site, previous.period, at),
    current: await readWorkpaper(site, current.period, at),
  };
}

/** Returns the flux of every figure of a period: as signed if the period is closed, or else from the current records. */
export async function readFlux(
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<ContractOutputs['workpapers']['flux']> {
  const months = toFluxMonths(period);
  const closedFigures = findClosedFiguresInForce(site.books, period);
  const signed = closedFigures && readSignedOffLists(site.books, closedFigures).flux;
  if (signed) return { previous: months.previous.period, lines: [...signed()] };
  const workpapers = await readWorkpapers(site, months, at);
  const lines = await cachedLines(site, `${period} ${workpapers.current.digest}`, (snapshot) =>
    computeFluxLines(snapshot, months, workpapers),
  );
  return { previous: months.previous.period, lines };
}

/** Computes the flux of every figure of two workpapers, and adds the explanations. */
export function* computeFluxLines(
  snapshot: SiteSnapshot,
  months: FluxMonths,
  workpapers: FluxWorkpapers,
): WorkSteps<FluxLine[]> {
  const explanations = readFluxExplanations(snapshot.books, months);
  const isComparable = hasScheduleRows(workpapers.previous.sections);
  const compared = listComparedLines(workpapers);
  const summed = new Map<string, Figure>();
  for (const line of isComparable ? compared : [])
    for (const each of listSummedFigures(Object.values(workpapers), line))
      summed.set(getFigureKey(each), each);
  const partsOfFigures = new Map<string, FluxParts>();
  yield* computeFluxes(snapshot, months, [...summed.values()], function* (figure, results) {
    const key = getFigureKey(figure);
    for (const { parts } of results) {
      partsOfFigures.set(key, addFluxParts(partsOfFigures.get(key) ?? NO_FLUX, parts));
      yield;
    }
  });
  const lines: FluxLine[] = [];
  for (const line of compared) {
    const { currency, figure, previous_in_cents: before, current_in_cents } = line;
    const explanation = explanations.get(`${currency} ${figure}`) ?? null;
    if (!isComparable) {
      lines.push({ ...line, previous_in_cents: null, difference_in_cents: null, parts: null, explanation });
      continue;
    }
    let parts = NO_FLUX;
    for (const each of listSummedFigures(Object.values(workpapers), { figure, currency }))
      parts = addFluxParts(parts, partsOfFigures.get(getFigureKey(each)) ?? NO_FLUX, each.sign);
    const difference_in_cents = addCents(current_in_cents, 0 - (before ?? 0));
    // Amounts without rows, for example of a trial balance, are not attributed.
    const rest = addCents(difference_in_cents, 0 - sumFluxParts(parts));
    parts = { ...parts, other: addCents(parts.other, rest) };
    lines.push({ ...line, difference_in_cents, parts, explanation });
  }
  return lines;
}

const rowOrder: ListOrder = {
  name: 'flux-rows',
  columns: [{ name: 'row', type: 'number' }],
  direction: 'asc',
};

/**
 * Returns a page of the flux of a figure by subscription. The amounts of closed months are those signed. The split uses the
 * current facts of the subscriptions up to the end of the period.
 */
export async function readFluxRows(
  site: OpenSiteDatabases,
  {
    period,
    currency,
    figure,
    after,
    limit,
  }: Omit<ContractInputs['workpapers']['fluxRows'], 'site'> & { limit: number },
  at: WorkpaperCreationInfo,
): Promise<ContractOutputs['workpapers']['fluxRows']> {
  const months = toFluxMonths(period);
  const workpapers = await readWorkpapers(site, months, at);
  const name = [period, currency, figure, workpapers.current.digest, workpapers.previous.digest].join(' ');
  const rows = await cachedRows(site, name, function* (snapshot) {
    const sums = new SubscriptionFluxSums();
    const summed = listSummedFigures(Object.values(workpapers), { figure, currency });
    yield* computeFluxes(snapshot, months, summed, ({ sign }, results) => sums.add(results, sign));
    return yield* sums.sort();
  });
  const from = after === undefined ? 0 : Number(decodeCursor(rowOrder, after)[0]);
  const to = from + limit;
  return {
    rows: rows.slice(from, to),
    next: to < rows.length ? encodeCursor(rowOrder, [to]) : null,
    total: after === undefined ? { count: rows.length, exact: true } : null,
  };
}

/** Computes the flux of the figures of a workpaper in time slices, from the same snapshot as the workpaper. */
export async function computeReportFlux(
  snapshot: SiteSnapshot,
  current: Workpaper,
  stamp: WorkpaperCreationInfo,
): Promise<FluxLine[]> {
  const months = toFluxMonths(current.head.period.period);
  const previous = await readSnapshotWorkpaper(snapshot, months.previous.period, stamp);
  return await runInTimeSlices(computeFluxLines(snapshot, months, { previous, current }));
}
