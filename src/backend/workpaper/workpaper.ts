import { createHash } from 'node:crypto';
import type { ScheduleLine, Workpaper, WorkpaperSettings } from '../../contract/index.ts';
import { checkRules } from '../../domain/checks/index.ts';
import { addCents, type DateRange, toMonthRange } from '../../domain/ledger/index.ts';
import { type CanonicalJson, canonicalJson } from '../../domain/periods/index.ts';
import { runAllSteps, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import {
  buildSchedule,
  createAgingBuckets,
  FigureSums,
  findAgingBucket,
  findMaterialityThreshold,
  testMateriality,
  type UnexplainedAmount,
  type UnexplainedTotal,
  type WorkpaperScheduleLine,
} from '../../domain/workpaper/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { readAuditReceipt } from '../store/audit-log/audit-log.ts';
import { countExceptions } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { countClearedMatches, sumMatchAdjustments } from '../store/workpaper/confirmed-matches.ts';
import {
  type OutstandingItemSum,
  type OutstandingItemsQuery,
  sumOutstandingItemsByFigure,
} from '../store/workpaper/workpaper-items.ts';
import { type BillingSums, computeBillingSums, computeBillingSumsInSteps } from './billing-sums.ts';
import { billingContributionSource, contributionSources, sumContributions } from './contribution-sources.ts';
import { findListForFigure } from './list-for-figure.ts';
import { findFirstReconciledDay } from './match-contributions.ts';
import { readPeriodSignatures } from './period-signatures.ts';
import { findQualifications, hasScheduleRows } from './workpaper-qualifications.ts';
import { listScheduleDefinitions } from './workpaper-schedules.ts';
import { readWorkpaperSettings } from './workpaper-settings.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Inputs shared by the workpaper, its items and its rows. */
export interface WorkpaperInputs {
  readonly days: DateRange;
  readonly settings: WorkpaperSettings;
  readonly items: OutstandingItemsQuery;
}

/** Computes the figures of the period for each currency. */
function* computeFigures(
  site: WorkpaperSite,
  days: DateRange,
  billing: BillingSums,
): WorkSteps<Map<string, FigureSums>> {
  const byCurrency = new Map<string, FigureSums>();
  const sumsOf = (currency: string) => {
    const sums = byCurrency.get(currency) ?? new FigureSums();
    byCurrency.set(currency, sums);
    return sums;
  };
  const own = sumsOf(site.file.currency);
  for (const [figure, { cents, count }] of billing.figures) own.add(figure, '', cents, count);
  for (const source of contributionSources) {
    if (source === billingContributionSource) continue;
    if (source.addTotals !== undefined) {
      yield* source.addTotals(site, days, sumsOf);
      continue;
    }
    for (const total of sumContributions(source, site, days)) {
      yield;
      if (total === null || (source.isMemo && !byCurrency.has(total.currency))) continue;
      sumsOf(total.currency).add(total.figure, total.part, total.cents, total.count);
    }
  }
  return byCurrency;
}

function toWorkpaperInputs(site: WorkpaperSite, days: DateRange, { breaks }: BillingSums): WorkpaperInputs {
  const settings = readWorkpaperSettings(site.books);
  const since = findFirstReconciledDay(site.books, days);
  const { transit_days } = settings;
  const items = { ...days, since, transit_days, breaks, currency: site.file.currency };
  return { days, settings, items };
}

/** Returns the inputs of a period's workpaper. Computes the billing totals unless they are given. */
export function readWorkpaperInputs(
  site: WorkpaperSite,
  period: string,
  billing: BillingSums | null = null,
): WorkpaperInputs {
  const days = toMonthRange(`${period}-01`);
  return toWorkpaperInputs(site, days, billing ?? computeBillingSums(site.cache, site.file.currency, days));
}

/** Time (UTC milliseconds, local clock) and app version, recorded in the workpaper. */
export interface WorkpaperCreationInfo {
  readonly now: number;
  readonly version: string;
}

/** Returns the current workpaper of a month. Every figure equals the total of the rows behind it. */
export function computeWorkpaper(
  site: WorkpaperSite,
  period: string,
  stamp: WorkpaperCreationInfo,
): Workpaper {
  const billing = computeBillingSums(site.cache, site.file.currency, toMonthRange(`${period}-01`));
  return runAllSteps(computeWorkpaperInSteps(site, period, stamp, billing));
}

/** Computes the workpaper in steps. Returns it with its billing totals. */
export function* computeWorkpaperWithBilling(
  site: WorkpaperSite,
  period: string,
  stamp: WorkpaperCreationInfo,
): WorkSteps<{ readonly workpaper: Workpaper; readonly billing: BillingSums }> {
  const days = toMonthRange(`${period}-01`);
  const billing = yield* computeBillingSumsInSteps(site.cache, site.file.currency, days);
  return { billing, workpaper: yield* computeWorkpaperInSteps(site, period, stamp, billing) };
}

/** Computes the workpaper in steps from the month's billing totals. */
function* computeWorkpaperInSteps(
  site: WorkpaperSite,
  period: string,
  { now, version }: WorkpaperCreationInfo,
  billing: BillingSums,
): WorkSteps<Workpaper> {
  const { cache, books, file } = site;
  const days = toMonthRange(`${period}-01`);
  const byCurrency = yield* computeFigures(site, days, billing);
  const inputs = toWorkpaperInputs(site, days, billing);
  const { since } = inputs.items;
  const items = sumOutstandingItemsByFigure(books, inputs.items);
  const adjustments = sumMatchAdjustments(books, days);
  const currencies = [...byCurrency.keys()].sort((a, b) =>
    a === file.currency ? -1 : b === file.currency ? 1 : a < b ? -1 : 1,
  );
  const toScheduleLine = (line: WorkpaperScheduleLine, currency: string): ScheduleLine => ({
    ...line,
    ticks: [...line.ticks],
    parts: [...line.parts],
    sum: line.sum === null ? null : { plus: [...line.sum.plus], minus: [...line.sum.minus] },
    list: findListForFigure(books, line.id, { currency, first: days.first, since }),
  });
  const sections = currencies.map((currency) => {
    const own = items.filter((each) => each.currency === currency);
    const sums = byCurrency.get(currency) as FigureSums;
    const unexplained = sumUnexplained(own);
    return {
      currency,
      schedules: listScheduleDefinitions(site, days, { currency, sums }).map((definition) => {
        const schedule = testMateriality(
          buildSchedule(definition, sums, unexplained),
          findMaterialityThreshold(inputs.settings.thresholds, definition.id, currency),
          sumUnexplainedOfSchedule(own, definition.id),
        );
        return { ...schedule, lines: schedule.lines.map((line) => toScheduleLine(line, currency)) };
      }),
      aging: sumByAge(own, inputs.settings.buckets),
      outstanding: sumItems(own),
      adjustments: adjustments
        .filter((each) => each.currency === currency)
        .map(({ category, count, amount_in_cents }) => ({ category, count, amount_in_cents })),
    };
  });
  const { site: name, title, base_url } = file;
  const head = { site: name, title, base_url, period: { period, ...days }, as_at: days.last, since };
  const exceptions = summarizeExceptions(books, days);
  const matches = { count: countClearedMatches(books, days) };
  const { legend } = inputs.settings;
  const isWithoutDifference = currencies.every((currency, at) =>
    isExplained(
      sections[at]!.schedules,
      items.filter((item) => item.currency === currency),
    ),
  );
  const receipt = readAuditReceipt(books);
  return {
    head: {
      ...head,
      ...readPeriodSignatures(books, period),
      app_version: version,
      audit: { entries: receipt.entries, head: receipt.hash },
      made_at: formatTimestamp(now),
    },
    sections,
    exceptions,
    matches,
    qualifications: findQualifications({ cache, books, days, sections, exceptions }),
    explained: isWithoutDifference && hasScheduleRows(sections),
    legend,
    digest: hashFigures({ ...head, sections, exceptions, matches, legend }),
  };
}

/** Fields of a workpaper that its digest covers. */
type DigestedFigures = Pick<Workpaper, 'sections' | 'exceptions' | 'matches' | 'legend'> &
  Pick<Workpaper['head'], 'site' | 'title' | 'base_url' | 'period' | 'as_at' | 'since'>;

const hashFigures = (figures: DigestedFigures): string =>
  createHash('sha256').update(formatDigestedFigures(figures)).digest('hex');

const formatDigestedFigures = (figures: DigestedFigures): string =>
  canonicalJson(JSON.parse(JSON.stringify(figures)) as CanonicalJson);

function pickDigestedFigures({ head, sections, exceptions, matches, legend }: Workpaper): DigestedFigures {
  const { site, title, base_url, period, as_at, since } = head;
  return { site, title, base_url, period, as_at, since, sections, exceptions, matches, legend };
}

/** Recomputes the digest of a workpaper's figures. Ignores the digest stored in the workpaper. */
export const computeFiguresDigest = (workpaper: Workpaper): string =>
  hashFigures(pickDigestedFigures(workpaper));

/** Returns the canonical JSON (RFC 8785) of a workpaper's figures. Its SHA-256 is their digest. */
export const formatFiguresJson = (workpaper: Workpaper): string =>
  formatDigestedFigures(pickDigestedFigures(workpaper));

/** Figures that a schedule subtracts, so that their sign is reversed in the schedule. */
const SUBTRACTED_FIGURES = new Set(['S2.open', 'S3.not-found']);

function sumUnexplained(items: readonly OutstandingItemSum[]): Map<string, UnexplainedAmount> {
  const sums = new Map<string, UnexplainedAmount>();
  for (const { figure, inside, explained, count, now_cents } of items) {
    if (inside === 0 || explained === 1) continue;
    const known = sums.get(figure) ?? { count: 0, amount_in_cents: 0 };
    const amount = SUBTRACTED_FIGURES.has(figure) ? 0 - now_cents : now_cents;
    const amount_in_cents = addCents(known.amount_in_cents, amount);
    sums.set(figure, { count: known.count + count, amount_in_cents });
  }
  return sums;
}

/** Returns the unexplained items of a schedule in total. Those brought forward are included. */
function sumUnexplainedOfSchedule(items: readonly OutstandingItemSum[], schedule: string): UnexplainedTotal {
  const unexplained = items.filter(
    ({ explained, figure }) => explained === 0 && getScheduleOfFigure(figure) === schedule,
  );
  return {
    count: unexplained.reduce((all, { count }) => all + count, 0),
    absolute_in_cents: unexplained.reduce((all, { absolute_cents }) => addCents(all, absolute_cents), 0),
    figures: new Set(unexplained.map(({ figure }) => figure)),
  };
}

const getScheduleOfFigure = (figure: string): string => figure.slice(0, figure.indexOf('.'));

/** Returns true if the schedules have no difference, and no item is unexplained, except in schedules that passed. */
function isExplained(
  schedules: Workpaper['sections'][number]['schedules'],
  items: readonly OutstandingItemSum[],
): boolean {
  const passed = new Set(schedules.filter(({ materiality }) => materiality?.passed).map(({ id }) => id));
  return (
    items.every(({ explained, figure }) => explained === 1 || passed.has(getScheduleOfFigure(figure))) &&
    schedules.every(
      ({ id, difference_in_cents, unexplained }) =>
        passed.has(id) || (difference_in_cents === 0 && unexplained.count === 0),
    )
  );
}

function sumByAge(items: readonly OutstandingItemSum[], bucketStarts: readonly number[]) {
  return createAgingBuckets(bucketStarts).map((bucket, at) => ({
    ...bucket,
    ...sumItems(items.filter(({ age_days }) => findAgingBucket(bucketStarts, age_days) === at)),
  }));
}

function sumItems(items: readonly OutstandingItemSum[]) {
  const total = { count: 0, amount_in_cents: 0, unexplained: 0 };
  for (const { count, cents, explained } of items) {
    total.count += count;
    total.amount_in_cents = addCents(total.amount_in_cents, cents);
    if (explained === 0) total.unexplained += count;
  }
  return total;
}

function summarizeExceptions(books: ReadableDb, days: DateRange): Workpaper['exceptions'] {
  const figures = countExceptions(books, days);
  const sum = (status: string, of = figures) =>
    of.reduce((all, each) => (each.status === status ? all + each.count : all), 0);
  const stake = (of = figures) =>
    of.reduce((all, each) => (each.status === 'open' ? addCents(all, each.at_stake_in_cents) : all), 0);
  const by_rule = checkRules.flatMap(({ id, title, severity }) => {
    const of = figures.filter(({ rule }) => rule === id);
    const [open, accepted] = [sum('open', of), sum('accepted', of)];
    return open + accepted === 0
      ? []
      : [{ rule: id, title, severity, open, accepted, at_stake_in_cents: stake(of) }];
  });
  return { open: sum('open'), accepted: sum('accepted'), at_stake_in_cents: stake(), by_rule };
}
