import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).workpapers;

const workpapers = () => import('../../workpaper/workpaper.ts');
const items = () => import('../../workpaper/items.ts');
const rows = () => import('../../workpaper/rows.ts');
const settings = () => import('../../workpaper/settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  return {
    get: on.get.handler(async ({ input }) => {
      const { workpaperOf } = await workpapers();
      return stores.read(input.site, (site) => workpaperOf(site, input.period, { now: Date.now(), version }));
    }),
    items: on.items.handler(async ({ input }) => {
      const { listItems } = await items();
      return stores.read(input.site, (site) => listItems(site, input));
    }),
    rows: on.rows.handler(async ({ input }) => {
      const { listRows } = await rows();
      return stores.read(input.site, (site) => listRows(site, input));
    }),
    settings: on.settings.handler(async ({ input }) => {
      const { settingsOf } = await settings();
      return stores.read(input.site, ({ books }) => settingsOf(books));
    }),
  };
}
