import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { monthOf } from '../../../domain/ledger/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).periods;

const show = () => import('../../periods/show.ts');
const inTurns = () => import('../../periods/cached-workpaper.ts');
const allClosedFigures = () => import('../../periods/seals.ts');
const carried = () => import('../../store/periods/brought-forward.ts');
const signOffChanges = () => import('../../store/periods/sign-off-change.ts');

export function periodQueries({ stores, version }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    list: on.list.handler(queryWith(show, ({ listPeriods }, open) => listPeriods(open, Date.now()))),
    get: on.get.handler(async ({ input: { site, period } }) => {
      const [{ periodDetail, requirePeriod }, { cachedWorkpaper }] = await Promise.all([show(), inTurns()]);
      const at = { now: Date.now(), version };
      const workpaper = await stores.read(site, (stored) => {
        requirePeriod(stored.books, period);
        return cachedWorkpaper(stored, period, at);
      });
      return stores.read(site, (open) => periodDetail(open, period, at, workpaper));
    }),
    closedFigures: on.closedFigures.handler(
      queryWith(allClosedFigures, ({ shownClosedFigures }, { books }, { period, version: number }) =>
        shownClosedFigures(books, period, number),
      ),
    ),
    signed: on.signed.handler(
      queryWith(allClosedFigures, ({ signedShown }, { books }, { period, version: number }) =>
        signedShown(books, period, number),
      ),
    ),
    broughtForward: on.broughtForward.handler(
      queryWith(carried, ({ listBroughtForward }, { books }, { site, period, ...query }) =>
        listBroughtForward(books, { ...query, ...monthOf(`${period}-01`) }),
      ),
    ),
    explained: on.explained.handler(
      queryWith(carried, ({ explainedItem }, { books }, { items }) =>
        items.map((item) => explainedItem(books, item)),
      ),
    ),
    signOffChanges: on.signOffChanges.handler(
      queryWith(signOffChanges, ({ listSignOffChanges }, { books }, input) =>
        listSignOffChanges(books, input),
      ),
    ),
  };
}
