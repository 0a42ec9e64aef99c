import { createHash } from 'node:crypto';
import type { Workpaper, WorkpaperSettings } from '../../contract/index.ts';
import { addCents, monthOf, type Period } from '../../domain/ledger/index.ts';
import { canonicalJson, type Json } from '../../domain/periods/index.ts';
import { rules } from '../../domain/tieout/index.ts';
import { bucketOf, bucketsOf, buildSchedules, Sums, type Unexplained } from '../../domain/workpaper/index.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { atOnce, type Steps } from '../steps.ts';
import { auditEnd } from '../store/books/audit-list.ts';
import { exceptionFigures } from '../store/checks/exception-figures.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { adjustmentSums, countMatches } from '../store/periods/claimed-groups.ts';
import { type ItemSum, type ItemsOf, itemSums } from '../store/periods/workpaper-items.ts';
import { figureSums, openBefore } from '../store/periods/workpaper-money.ts';
import { type BillingSums, billingSteps, billingSums } from './billing-sums.ts';
import { listOf } from './lists.ts';
import { BEFORE, matchContributions, reconciledFrom } from './money.ts';
import { qualificationsOf } from './qualifications.ts';
import { settingsOf } from './settings.ts';
import { standingOf } from './standing.ts';

/** A site as it is read: its file and both stores, each in one state. */
export interface WorkpaperSite {
  readonly file: Pick<SiteFile, 'site' | 'title' | 'base_url' | 'currency'>;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** What a workpaper stands on; the items and rows of it are read by the same. */
export interface WorkpaperGround {
  readonly days: Period;
  readonly settings: WorkpaperSettings;
  readonly items: ItemsOf;
}

/** The figures of the period, by currency. */
function* figuresOf(site: WorkpaperSite, days: Period, billing: BillingSums): Steps<Map<string, Sums>> {
  const byCurrency = new Map<string, Sums>();
  const sumsOf = (currency: string) => {
    const sums = byCurrency.get(currency) ?? new Sums();
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

function groundOf(site: WorkpaperSite, days: Period, { breaks }: BillingSums): WorkpaperGround {
  const settings = settingsOf(site.books);
  const since = reconciledFrom(site.books, days);
  const { transit_days } = settings;
  return {
    days,
    settings,
    items: { ...days, since, transit_days, breaks, currency: site.file.currency },
  };
}

/** What the items and rows of a period’s workpaper are read by; `billing` where it is known already. */
export function workpaperGround(
  site: WorkpaperSite,
  period: string,
  billing: BillingSums | null = null,
): WorkpaperGround {
  const days = monthOf(`${period}-01`);
  return groundOf(site, days, billing ?? billingSums(site.cache, site.file.currency, days));
}

/** With what a workpaper is made: our clock (ms UTC) and the version of the app. */
export interface MadeAt {
  readonly now: number;
  readonly version: string;
}

/**
 * The workpaper of a month as the records stand now. Every figure is whole cents and the sum of the rows it opens to.
 */
export function workpaperOf(site: WorkpaperSite, period: string, made: MadeAt): Workpaper {
  const billing = billingSums(site.cache, site.file.currency, monthOf(`${period}-01`));
  return atOnce(workpaperSteps(site, period, made, billing));
}

/** The same in steps, with what it rests on. */
export function* workpaperWithBilling(
  site: WorkpaperSite,
  period: string,
  made: MadeAt,
): Steps<{ readonly workpaper: Workpaper; readonly billing: BillingSums }> {
  const billing = yield* billingSteps(site.cache, site.file.currency, monthOf(`${period}-01`));
  return { billing, workpaper: yield* workpaperSteps(site, period, made, billing) };
}

/** The same from what the billing of the month comes to. */
function* workpaperSteps(
  site: WorkpaperSite,
  period: string,
  { now, version }: MadeAt,
  billing: BillingSums,
): Steps<Workpaper> {
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
    const sums = byCurrency.get(currency) as Sums;
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
      ageing: ageingOf(own, ground.settings.buckets),
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
      made_at: isoMoment(now),
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

/** What the digest is taken over. */
type Figures = Pick<Workpaper, 'sections' | 'exceptions' | 'matches' | 'legend'> &
  Pick<Workpaper['head'], 'site' | 'title' | 'base_url' | 'period' | 'as_at' | 'since'>;

const digestOf = (figures: Figures): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(figures)) as Json))
    .digest('hex');

/** The digest that the figures of a workpaper have, whatever it says itself. */
export function figuresDigest({ head, sections, exceptions, matches, legend }: Workpaper): string {
  const { site, title, base_url, period, as_at, since } = head;
  return digestOf({ site, title, base_url, period, as_at, since, sections, exceptions, matches, legend });
}

/** Signed as the figure they are of, which takes some of them away. */
const TAKEN = new Set(['S2.open', 'S3.not-found']);

function unexplainedOf(items: readonly ItemSum[]): Map<string, Unexplained> {
  const sums = new Map<string, Unexplained>();
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

function ageingOf(items: readonly ItemSum[], firsts: readonly number[]) {
  return bucketsOf(firsts).map((bucket, at) => ({
    ...bucket,
    ...totalOf(items.filter(({ age_days }) => bucketOf(firsts, age_days) === at)),
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

function exceptionsOf(books: ReadableDb, days: Period): Workpaper['exceptions'] {
  const figures = exceptionFigures(books, days);
  const sum = (status: string, of = figures) =>
    of.reduce((all, each) => (each.status === status ? all + each.count : all), 0);
  const stake = (of = figures) =>
    of.reduce((all, each) => (each.status === 'open' ? addCents(all, each.at_stake_in_cents) : all), 0);
  const by_rule = rules.flatMap(({ id, title, severity }) => {
    const of = figures.filter(({ rule }) => rule === id);
    const [open, accepted] = [sum('open', of), sum('accepted', of)];
    return open + accepted === 0
      ? []
      : [{ rule: id, title, severity, open, accepted, at_stake_in_cents: stake(of) }];
  });
  return { open: sum('open'), accepted: sum('accepted'), at_stake_in_cents: stake(), by_rule };
}
