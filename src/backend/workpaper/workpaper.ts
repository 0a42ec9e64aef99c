import { createHash } from 'node:crypto';
import type { Workpaper, WorkpaperSettings } from '../../contract/index.ts';
import { checkRules } from '../../domain/checks/index.ts';
import { addCents, type DateRange, monthOf } from '../../domain/ledger/index.ts';
import { type CanonicalJson, canonicalJson } from '../../domain/periods/index.ts';
import { runToCompletion, type WorkSteps } from '../../domain/work-steps/work-steps.ts';
import {
  buildSchedules,
  createAgingBuckets,
  FigureSums,
  findAgingBucket,
  type UnexplainedAmount,
} from '../../domain/workpaper/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { auditEnd } from '../store/audit-log/audit-list.ts';
import { exceptionFigures } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { adjustmentSums, countMatches } from '../store/workpaper/claimed-groups.ts';
import { type ItemSum, type ItemsOf, itemSums } from '../store/workpaper/workpaper-items.ts';
import { figureSums, openBefore } from '../store/workpaper/workpaper-money.ts';
import { type BillingSums, billingSteps, billingSums } from './billing-sums.ts';
import { listOf } from './lists.ts';
import { BEFORE, matchContributions, reconciledFrom } from './money.ts';
import { qualificationsOf } from './qualifications.ts';
import { settingsOf } from './settings.ts';
import { standingOf } from './standing.ts';

/** A site opened for reading: its file and a snapshot of both databases. */
export interface WorkpaperSite {
  readonly file: Pick<SiteFile, 'site' | 'title' | 'base_url' | 'currency'>;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** Inputs of a workpaper, also used for its items and rows. */
export interface WorkpaperGround {
  readonly days: DateRange;
  readonly settings: WorkpaperSettings;
  readonly items: ItemsOf;
}

/** Computes the figures of the period by currency. */
function* figuresOf(
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
  for (const { figure, part, currency, cents, count } of figureSums(site.books, days))
    sumsOf(currency).add(figure, part, cents, count);
  yield;
  for (const { figure, part, currency, cents } of matchContributions(site.books, days)) {
    sumsOf(currency).add(figure, part, cents);
    yield;
  }
  return byCurrency;
}

function groundOf(site: WorkpaperSite, days: DateRange, { breaks }: BillingSums): WorkpaperGround {
  const settings = settingsOf(site.books);
  const since = reconciledFrom(site.books, days);
  const { transit_days } = settings;
  return {
    days,
    settings,
    items: { ...days, since, transit_days, breaks, currency: site.file.currency },
  };
}

/** Returns the inputs of a period's workpaper. `billing` is passed if it was already computed. */
export function workpaperGround(
  site: WorkpaperSite,
  period: string,
  billing: BillingSums | null = null,
): WorkpaperGround {
  const days = monthOf(`${period}-01`);
  return groundOf(site, days, billing ?? billingSums(site.cache, site.file.currency, days));
}

/** Local clock (UTC milliseconds) and app version, recorded in the workpaper. */
export interface MadeAt {
  readonly now: number;
  readonly version: string;
}

/**
 * Returns the workpaper of a month from the current records. Every figure is whole cents and the sum of the rows it opens
 * to.
 */
export function workpaperOf(site: WorkpaperSite, period: string, made: MadeAt): Workpaper {
  const billing = billingSums(site.cache, site.file.currency, monthOf(`${period}-01`));
  return runToCompletion(workpaperSteps(site, period, made, billing));
}

/** Computes the workpaper in steps and returns it with its billing sums. */
export function* workpaperWithBilling(
  site: WorkpaperSite,
  period: string,
  made: MadeAt,
): WorkSteps<{ readonly workpaper: Workpaper; readonly billing: BillingSums }> {
  const billing = yield* billingSteps(site.cache, site.file.currency, monthOf(`${period}-01`));
  return { billing, workpaper: yield* workpaperSteps(site, period, made, billing) };
}

/** Computes the workpaper in steps from the month's billing sums. */
function* workpaperSteps(
  site: WorkpaperSite,
  period: string,
  { now, version }: MadeAt,
  billing: BillingSums,
): WorkSteps<Workpaper> {
  const { cache, books, file } = site;
  const days = monthOf(`${period}-01`);
  const byCurrency = yield* figuresOf(site, days, billing);
  const ground = groundOf(site, days, billing);
  const { since } = ground.items;
  const items = itemSums(books, ground.items);
  for (const { currency, count, cents } of openBefore(books, since))
    byCurrency.get(currency)?.add(BEFORE, '', cents, count);
  const adjustments = adjustmentSums(books, days);
  const currencies = [...byCurrency.keys()].sort((a, b) =>
    a === file.currency ? -1 : b === file.currency ? 1 : a < b ? -1 : 1,
  );
  const sections = currencies.map((currency) => {
    const own = items.filter((each) => each.currency === currency);
    const sums = byCurrency.get(currency) as FigureSums;
    return {
      currency,
      schedules: buildSchedules(sums, unexplainedOf(own), currency === file.currency).map((schedule) => ({
        ...schedule,
        lines: schedule.lines.map((line) => ({
          ...line,
          ticks: [...line.ticks],
          parts: [...line.parts],
          sum: line.sum === null ? null : { plus: [...line.sum.plus], minus: [...line.sum.minus] },
          list: listOf(books, line.id, currency, days, since),
        })),
      })),
      aging: agingOf(own, ground.settings.buckets),
      outstanding: totalOf(own),
      adjustments: adjustments
        .filter((each) => each.currency === currency)
        .map(({ category, count, amount_in_cents }) => ({ category, count, amount_in_cents })),
    };
  });
  const exceptions = exceptionsOf(books, days);
  const figures = {
    site: file.site,
    title: file.title,
    base_url: file.base_url,
    period: { period, ...days },
    as_at: days.last,
    since,
    sections,
    exceptions,
    matches: { count: countMatches(books, days) },
    legend: ground.settings.legend,
  };
  const explained = sections.every(({ schedules, outstanding }) =>
    [
      outstanding.unexplained,
      ...schedules.map((each) => each.difference_in_cents + each.unexplained.count),
    ].every((each) => each === 0),
  );
  const end = auditEnd(books);
  const { site: name, title, base_url, period: dates, as_at } = figures;
  return {
    head: {
      ...{ site: name, title, base_url, period: dates, as_at, since },
      ...standingOf(books, period),
      app_version: version,
      audit: { entries: end?.seq ?? 0, head: end?.hash ?? null },
      made_at: formatTimestamp(now),
    },
    sections,
    exceptions,
    matches: figures.matches,
    qualifications: qualificationsOf({ cache, books, site: file.site, days, sections, exceptions }),
    explained,
    legend: figures.legend,
    digest: digestOf(figures),
  };
}

/** The fields covered by the digest. */
type Figures = Pick<Workpaper, 'sections' | 'exceptions' | 'matches' | 'legend'> &
  Pick<Workpaper['head'], 'site' | 'title' | 'base_url' | 'period' | 'as_at' | 'since'>;

const digestOf = (figures: Figures): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(figures)) as CanonicalJson))
    .digest('hex');

/** Returns the digest of a workpaper's figures, ignoring the digest stored in it. */
export function figuresDigest({ head, sections, exceptions, matches, legend }: Workpaper): string {
  const { site, title, base_url, period, as_at, since } = head;
  return digestOf({ site, title, base_url, period, as_at, since, sections, exceptions, matches, legend });
}

/** Figures with the opposite sign of the schedule that subtracts them. */
const TAKEN = new Set(['S2.open', 'S3.not-found']);

function unexplainedOf(items: readonly ItemSum[]): Map<string, UnexplainedAmount> {
  const sums = new Map<string, UnexplainedAmount>();
  for (const { figure, inside, explained, count, now_cents } of items) {
    if (inside === 0 || explained === 1) continue;
    const known = sums.get(figure) ?? { count: 0, amount_in_cents: 0 };
    const amount = TAKEN.has(figure) ? 0 - now_cents : now_cents;
    sums.set(figure, {
      count: known.count + count,
      amount_in_cents: addCents(known.amount_in_cents, amount),
    });
  }
  return sums;
}

function agingOf(items: readonly ItemSum[], firsts: readonly number[]) {
  return createAgingBuckets(firsts).map((bucket, at) => ({
    ...bucket,
    ...totalOf(items.filter(({ age_days }) => findAgingBucket(firsts, age_days) === at)),
  }));
}

function totalOf(items: readonly ItemSum[]) {
  const total = { count: 0, amount_in_cents: 0, unexplained: 0 };
  for (const { count, cents, explained } of items) {
    total.count += count;
    total.amount_in_cents = addCents(total.amount_in_cents, cents);
    if (explained === 0) total.unexplained += count;
  }
  return total;
}

function exceptionsOf(books: ReadableDb, days: DateRange): Workpaper['exceptions'] {
  const figures = exceptionFigures(books, days);
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
