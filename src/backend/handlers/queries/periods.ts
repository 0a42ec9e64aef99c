import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { monthOf } from '../../../domain/ledger/index.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).periods;

const show = () => import('../../periods/show.ts');
const inTurns = () => import('../../periods/workpaper-in-turns.ts');
const seals = () => import('../../periods/seals.ts');
const carried = () => import('../../store/periods/period-carried.ts');
const drift = () => import('../../store/periods/period-drift.ts');

export function periodQueries({ stores, version }: ReaderContext) {
  return {
    list: on.list.handler(async ({ input: { site } }) => {
      const { periodList } = await show();
      return stores.read(site, (open) => periodList(open, Date.now()));
    }),
    get: on.get.handler(async ({ input: { site, period } }) => {
      const [{ periodDetail, wantedPeriod }, { workpaperInTurns }] = await Promise.all([show(), inTurns()]);
      const at = { now: Date.now(), version };
      const workpaper = await stores.read(site, (held) => {
        wantedPeriod(held.books, period);
        return workpaperInTurns(held, period, at);
      });
      return stores.read(site, (open) => periodDetail(open, period, at, workpaper));
    }),
    seal: on.seal.handler(async ({ input: { site, period, version: number } }) => {
      const { sealShown } = await seals();
      return stores.read(site, ({ books }) => sealShown(books, period, number));
    }),
    signed: on.signed.handler(async ({ input: { site, period, version: number } }) => {
      const { signedShown } = await seals();
      return stores.read(site, ({ books }) => signedShown(books, period, number));
    }),
    carried: on.carried.handler(async ({ input: { site, period, ...query } }) => {
      const { listCarried } = await carried();
      return stores.read(site, ({ books }) => listCarried(books, { ...query, ...monthOf(`${period}-01`) }));
    }),
    explained: on.explained.handler(async ({ input: { site, items } }) => {
      const { explainedItem } = await carried();
      return stores.read(site, ({ books }) => items.map((item) => explainedItem(books, item)));
    }),
    drift: on.drift.handler(async ({ input }) => {
      const { listDrift } = await drift();
      return stores.read(input.site, ({ books }) => listDrift(books, input));
    }),
  };
}
