import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).workpapers;

const loadWorkpaper = () => import('../../periods/cached-workpaper.ts');
const loadItems = () => import('../../workpaper/workpaper-items.ts');
const loadSignedItems = () => import('../../periods/signed-items.ts');
const loadContributions = () => import('../../periods/signed-contributions.ts');
const loadRows = () => import('../../workpaper/figure-rows.ts');
const loadSettings = () => import('../../workpaper/workpaper-settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    get: on.get.handler(async ({ input: { site, period, now } }) => {
      const { readWorkpaper, readCurrentWorkpaper } = await loadWorkpaper();
      const read = now ? readCurrentWorkpaper : readWorkpaper;
      return stores.read(site, (stored) => read(stored, period, { now: Date.now(), version }));
    }),
    items: on.items.handler(async ({ input }) => {
      const { site, period, now } = input;
      const [{ listSignedItems }, { readCurrentBillingSums }, { listWorkpaperItems }] = await Promise.all([
        loadSignedItems(),
        loadWorkpaper(),
        loadItems(),
      ]);
      const signedItems = now ? null : stores.read(site, ({ books }) => listSignedItems(books, input));
      if (signedItems !== null) return signedItems;
      const at = { now: Date.now(), version };
      const billing = await stores.read(site, (stored) => readCurrentBillingSums(stored, period, at));
      return stores.read(site, (stored) => listWorkpaperItems(stored, input, billing));
    }),
    rows: on.rows.handler(async ({ input }) => {
      const [{ readContributions }, { listFigureRows }] = await Promise.all([
        loadContributions(),
        loadRows(),
      ]);
      const contributions = await stores.read(input.site, (stored) => readContributions(stored, input));
      return stores.read(input.site, (stored) => listFigureRows(stored, contributions, input));
    }),
    settings: on.settings.handler(
      queryWith(loadSettings, ({ readWorkpaperSettings }, { books }) => readWorkpaperSettings(books)),
    ),
  };
}
