import {
  type ComparedLedgerArea,
  comparedLedgerAreas,
  LedgerComparison,
  ledgerAreaFigures,
  type UnmatchedRows,
} from '../../domain/general-ledger/index.ts';
import type { DateRange } from '../../domain/ledger/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { FigureSums, RowContribution } from '../../domain/workpaper/index.ts';
import type { ContributionSource } from './contribution-source.ts';
import { type LedgerRow, listUnpostedRows, readLedgerRows } from './ledger-rows.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

const SCHEDULE = 'S4.';
const toFigure = (area: ComparedLedgerArea, name: string) => `${SCHEDULE}${area}-${name}`;

/** Areas to which a figure of S1 to S3 belongs, with its sign in each area. */
const areasByFigure = new Map<string, [ComparedLedgerArea, sign: 1 | -1][]>();
for (const area of comparedLedgerAreas)
  for (const [figures, sign] of [
    [ledgerAreaFigures[area].plus, 1] as const,
    [ledgerAreaFigures[area].minus, -1] as const,
  ])
    for (const figure of figures)
      areasByFigure.set(figure, [...(areasByFigure.get(figure) ?? []), [area, sign]]);

/** Returns the areas that the workpaper compares in a currency: areas with ledger rows in the period. */
export const listComparedAreas = (sums: FigureSums): ComparedLedgerArea[] =>
  comparedLedgerAreas.filter((area) => sums.get(toFigure(area, 'ledger')).count > 0);

/** An area in one currency, as a map key. */
type AreaKey = `${ComparedLedgerArea} ${string}`;
const toKey = ({ area, currency }: Pick<LedgerRow, 'area' | 'currency'>): AreaKey => `${area} ${currency}`;

/** Creates the source of schedule S4, which compares the rows of `sources` with the ledger. */
export function createLedgerSource(sources: readonly ContributionSource[]): ContributionSource {
  return {
    covers: (figure) => figure.startsWith(SCHEDULE),
    *read(site, period, of) {
      const [, area, name] = /^S4\.([a-z]+)-([a-z]+)$/.exec(of?.figure ?? '') ?? [];
      const areas = comparedLedgerAreas.filter((each) => area === undefined || each === area);
      const keys = yield* readLedgerContributions(site, period, areas);
      if (name === undefined || name === 'missing' || name === 'extra')
        yield* readUnmatchedRows(sources, site, period, keys);
    },
    *addTotals(site, period, sumsOf) {
      const compared = yield* addLedgerTotals(site, period, sumsOf);
      const unmatched = yield* runSteps(findUnmatchedRows(sources, site, period, compared));
      for (const [key, rows] of unmatched) {
        const [area, currency] = key.split(' ') as [ComparedLedgerArea, string];
        const { records, ledger } = rows.sum();
        const add = (name: string, cents: number, count: number) => {
          if (count > 0) sumsOf(currency).add(toFigure(area, name), '', cents, count);
        };
        add('missing', 0 - records.cents, records.count);
        add('extra', ledger.cents, ledger.count);
      }
    },
  };
}

/** Yields the ledger rows and the unposted entries. Returns the areas that have rows to compare. */
function* readLedgerContributions(
  { books }: WorkpaperSite,
  period: DateRange,
  areas: readonly ComparedLedgerArea[],
): Generator<RowContribution, Set<AreaKey>> {
  const isTotalOnly = new Map<AreaKey, boolean>();
  for (const row of readLedgerRows(books, period, areas)) {
    addKind(isTotalOnly, row);
    yield toContribution(row, 'ledger');
  }
  for (const row of listUnpostedRows(books, period))
    if (isTotalOnly.has(toKey(row))) yield toContribution(row, 'entries');
  return new Set([...isTotalOnly].flatMap(([key, isTotal]) => (isTotal ? [] : [key])));
}

/** Records whether an area has a balance. Only the total of such an area is compared, because a balance has no rows. */
function addKind(isTotalOnly: Map<AreaKey, boolean>, row: LedgerRow): void {
  const key = toKey(row);
  isTotalOnly.set(key, row.kind === 'balance' || isTotalOnly.get(key) === true);
}

/** Adds the totals of the ledger and of the unposted entries. Returns the areas in which rows explain a difference. */
function* addLedgerTotals(
  { books }: WorkpaperSite,
  period: DateRange,
  sumsOf: (currency: string) => FigureSums,
): WorkSteps<Set<AreaKey>> {
  const isTotalOnly = new Map<AreaKey, boolean>();
  let at = 0;
  for (const row of readLedgerRows(books, period)) {
    sumsOf(row.currency).add(toFigure(row.area, 'ledger'), '', row.cents);
    addKind(isTotalOnly, row);
    if (isLastRowOfStep(at++)) yield;
  }
  for (const row of listUnpostedRows(books, period))
    if (isTotalOnly.has(toKey(row))) sumsOf(row.currency).add(toFigure(row.area, 'entries'), '', row.cents);
  const differing = [...isTotalOnly].filter(([key, isTotal]) => {
    const [area, currency] = key.split(' ') as [ComparedLedgerArea, string];
    const sums = sumsOf(currency);
    const add = (figures: readonly string[]) =>
      figures.reduce((total, figure) => total + sums.get(figure).cents, 0);
    const { plus, minus } = ledgerAreaFigures[area];
    return !isTotal && add(plus) - add(minus) !== sums.get(toFigure(area, 'ledger')).cents;
  });
  return new Set(differing.map(([key]) => key));
}

const toContribution = (
  { area, kind, id, day, cents, currency }: LedgerRow,
  name: string,
): RowContribution => ({
  figure: toFigure(area, name),
  part: '',
  ...{ currency, kind, id, day, cents },
});

interface AreaRecord {
  readonly key: AreaKey;
  readonly row: RowContribution;
  /** Cents by which the row changes the area. */
  readonly cents: number;
}

/** Yields the rows of S1 to S3 that belong to the areas. Yields null after each step. */
function* readRecords(
  sources: readonly ContributionSource[],
  site: WorkpaperSite,
  period: DateRange,
  keys: ReadonlySet<AreaKey>,
): Generator<AreaRecord | null> {
  const areas = new Set([...keys].map((key) => key.split(' ')[0]));
  const figures = [...areasByFigure].flatMap(([figure, of]) =>
    of.some(([area]) => areas.has(area)) ? [figure] : [],
  );
  let at = 0;
  for (const source of sources.filter(({ covers }) => figures.some(covers))) {
    for (const row of source.read(site, period)) {
      if (isLastRowOfStep(at++)) yield null;
      if (row !== null) yield* toAreaRecords(row, keys);
    }
  }
}

function* toAreaRecords(row: RowContribution, keys: ReadonlySet<AreaKey>): Generator<AreaRecord> {
  for (const [area, sign] of areasByFigure.get(row.figure) ?? []) {
    const key = toKey({ area, currency: row.currency });
    if (keys.has(key)) yield { key, row, cents: sign * row.cents + 0 };
  }
}

/** Compares the rows of the areas and yields null after each step. Returns the unmatched rows of each area. */
function* findUnmatchedRows(
  sources: readonly ContributionSource[],
  site: WorkpaperSite,
  period: DateRange,
  keys: ReadonlySet<AreaKey>,
): Generator<null, Map<AreaKey, UnmatchedRows>> {
  const comparisons = new Map([...keys].map((key) => [key, new LedgerComparison()]));
  if (keys.size === 0) return new Map();
  for (const record of readRecords(sources, site, period, keys)) {
    if (record === null) yield null;
    else comparisons.get(record.key)?.addRecord({ day: record.row.day ?? '', cents: record.cents });
  }
  let at = 0;
  for (const row of readLedgerRows(site.books, period)) {
    comparisons.get(toKey(row))?.addLedgerRow(row);
    if (isLastRowOfStep(at++)) yield null;
  }
  return new Map([...comparisons].map(([key, comparison]) => [key, comparison.findUnmatchedRows()]));
}

/** Yields the records missing from the ledger and the ledger rows missing from the records. */
function* readUnmatchedRows(
  sources: readonly ContributionSource[],
  site: WorkpaperSite,
  period: DateRange,
  keys: ReadonlySet<AreaKey>,
): Generator<RowContribution | null> {
  const unmatched = yield* findUnmatchedRows(sources, site, period, keys);
  const differing = new Set([...unmatched].flatMap(([key, rows]) => (rows.isEmpty ? [] : [key])));
  if (differing.size === 0) return;
  for (const record of readRecords(sources, site, period, differing)) {
    if (record === null) yield null;
    else if (unmatched.get(record.key)?.takeRecord({ day: record.row.day ?? '', cents: record.cents })) {
      const area = record.key.split(' ')[0] as ComparedLedgerArea;
      yield { ...record.row, figure: toFigure(area, 'missing'), part: '', cents: 0 - record.cents };
    }
  }
  for (const row of readLedgerRows(site.books, period))
    if (unmatched.get(toKey(row))?.takeLedgerRow(row)) yield toContribution(row, 'extra');
}

/** Runs a generator as steps of another computation. */
function* runSteps<Result>(steps: Generator<null, Result>): WorkSteps<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
}
