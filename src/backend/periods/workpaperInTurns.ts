import type { Workpaper } from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
import type { ReadStores } from '../handlers/readStores.ts';
import { snapshotOf } from '../report/source.ts';
import type { SiteFile } from '../sites/siteFile.ts';
import { inTurns, type Steps } from '../steps.ts';
import { stampOf } from '../store/changed.ts';
import { isoMoment } from '../store/moment.ts';
import { type BillingSums, billingSteps } from '../workpaper/billingSums.ts';
import { type WorkpaperSite, workpaperSteps } from '../workpaper/workpaper.ts';
import { asSigned } from './asSigned.ts';

interface Made {
  readonly workpaper: Workpaper;
  /** What it rests on: the items outstanding are read by it as well. */
  readonly billing: BillingSums;
}

interface Kept {
  readonly stamp: string;
  readonly made: Promise<Made>;
}

const keptBy = new WeakMap<ReadStores, Map<string, Kept>>();

type Asked = { site: string; period: string; now: boolean };
type At = { now: number; version: string };

/**
 * The workpaper of a period: as it was signed where it is closed (unless it is asked for as of `now`), else as the records stand. The reader has other
 * things to do: it is made in turns, from a state of its own, once until something changes.
 */
export async function workpaperInTurns(stores: ReadStores, asked: Asked, at: At): Promise<Workpaper> {
  const signed = asked.now
    ? null
    : stores.read(asked.site, ({ books }) => asSigned(books, asked.period, at.now));
  if (signed !== null) return signed.workpaper;
  const { workpaper } = await madeInTurns(stores, asked, at);
  return { ...workpaper, head: { ...workpaper.head, app_version: at.version, made_at: isoMoment(at.now) } };
}

/** What the items of a period rest on, as the records stand, made with its workpaper. */
export async function billingInTurns(stores: ReadStores, asked: Asked, at: At): Promise<BillingSums> {
  return (await madeInTurns(stores, asked, at)).billing;
}

function madeInTurns(stores: ReadStores, { site, period }: Asked, at: At): Promise<Made> {
  const kept = keptBy.get(stores) ?? new Map<string, Kept>();
  keptBy.set(stores, kept);
  const name = `${site} ${period}`;
  const { file, folder, stamp } = stores.read(site, ({ file: of, folder: at_, cache, books }) => ({
    file: of,
    folder: at_,
    stamp: [stampOf(cache), stampOf(books), JSON.stringify(of)].join(),
  }));
  const known = kept.get(name);
  if (known?.stamp === stamp) return known.made;
  const made = make(folder, file, period, at);
  kept.set(name, { stamp, made });
  made.catch(() => {
    if (kept.get(name)?.made === made) kept.delete(name);
  });
  return made;
}

async function make(folder: string, file: SiteFile, period: string, at: At): Promise<Made> {
  const site = snapshotOf({ folder, file });
  try {
    return await inTurns(madeSteps(site, period, at));
  } finally {
    site.close();
  }
}

function* madeSteps(site: WorkpaperSite, period: string, at: At): Steps<Made> {
  const billing = yield* billingSteps(site.cache, site.file.currency, monthOf(`${period}-01`));
  return { billing, workpaper: yield* workpaperSteps(site, period, at, billing) };
}
