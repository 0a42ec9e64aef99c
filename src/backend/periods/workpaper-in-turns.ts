import type { Workpaper } from '../../contract/index.ts';
import type { Steps } from '../steps.ts';
import { isoMoment } from '../store/moment.ts';
import type { BillingSums } from '../workpaper/billing-sums.ts';
import { type MadeAt, workpaperWithBilling } from '../workpaper/workpaper.ts';
import { asSigned, withDamage } from './as-signed.ts';
import { damageSteps } from './damage.ts';
import { type HeldSite, keeperInTurns } from './kept-in-turns.ts';

type Made = ReturnType<typeof workpaperWithBilling> extends Steps<infer Result> ? Result : never;

/** So many are kept of a site: of the months that are looked at. */
const MOST = 8;
const keptNow = keeperInTurns<Made>(MOST);
const keptDamage = keeperInTurns<readonly string[]>(MOST);

/**
 * The workpaper of a period: as it was signed where it is closed, else as the records stand. The thread has other things to do: it is made in
 * turns, from a state of its own, once until something changes.
 */
export async function workpaperInTurns(site: HeldSite, period: string, at: MadeAt): Promise<Workpaper> {
  const signed = asSigned(site.books, period, at.now);
  if (signed === null) return workpaperNow(site, period, at);
  const { seal, workpaper } = signed;
  const damage = await keptDamage(site, `${period} ${seal.version}`, ({ books }) =>
    damageSteps(books, period, seal),
  );
  return withDamage(workpaper, damage);
}

/** The workpaper as the records stand, also of a closed period. */
export async function workpaperNow(site: HeldSite, period: string, at: MadeAt): Promise<Workpaper> {
  const { workpaper } = await madeNow(site, period, at);
  return { ...workpaper, head: { ...workpaper.head, app_version: at.version, made_at: isoMoment(at.now) } };
}

/** What the items of a period rest on, as the records stand, made with its workpaper. */
export async function billingNow(site: HeldSite, period: string, at: MadeAt): Promise<BillingSums> {
  return (await madeNow(site, period, at)).billing;
}

const madeNow = (site: HeldSite, period: string, at: MadeAt): Promise<Made> =>
  keptNow(site, period, (snapshot) => workpaperWithBilling(snapshot, period, at));
