import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { toMonthRange } from '../../../domain/ledger/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).periods;

const loadPeriods = () => import('../../periods/period-detail.ts');
const loadWorkpaper = () => import('../../periods/cached-workpaper.ts');
const loadClosedFigures = () => import('../../periods/closed-figures.ts');
const loadBroughtForward = () => import('../../store/periods/brought-forward.ts');
const loadSignOffChanges = () => import('../../store/periods/sign-off-change.ts');

export function periodQueries({ stores, version }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    list: on.list.handler(queryWith(loadPeriods, ({ listPeriods }, open) => listPeriods(open, Date.now()))),
    get: on.get.handler(async ({ input: { site, period } }) => {
      const [{ readPeriodDetail, requirePeriod }, { readWorkpaper }] = await Promise.all([
        loadPeriods(),
        loadWorkpaper(),
      ]);
      const at = { now: Date.now(), version };
      const workpaper = await stores.read(site, (stored) => {
        requirePeriod(stored.books, period);
        return readWorkpaper(stored, period, at);
      });
      return stores.read(site, (open) => readPeriodDetail(open, period, at, workpaper));
    }),
    closedFigures: on.closedFigures.handler(
      queryWith(loadClosedFigures, ({ readClosedFigures }, { books }, { period, version: number }) =>
        readClosedFigures(books, period, number),
      ),
    ),
    signed: on.signed.handler(
      queryWith(loadClosedFigures, ({ readSignedFigures }, { books }, { period, version: number }) =>
        readSignedFigures(books, period, number),
      ),
    ),
    broughtForward: on.broughtForward.handler(
      queryWith(loadBroughtForward, ({ listBroughtForward }, { books }, { site, period, ...query }) =>
        listBroughtForward(books, { ...query, ...toMonthRange(`${period}-01`) }),
      ),
    ),
    explained: on.explained.handler(
      queryWith(loadBroughtForward, ({ explainedItem }, { books }, { items }) =>
        items.map((item) => explainedItem(books, item)),
      ),
    ),
    signOffChanges: on.signOffChanges.handler(
      queryWith(loadSignOffChanges, ({ listSignOffChanges }, { books }, input) =>
        listSignOffChanges(books, input),
      ),
    ),
  };
}
