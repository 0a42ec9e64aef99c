import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).workpapers;

const workpapers = () => import('../../workpaper/workpaper.ts');
const shown = () => import('../../periods/asSigned.ts');
const items = () => import('../../periods/signedItems.ts');
const rows = () => import('../../periods/signedParts.ts');
const settings = () => import('../../workpaper/settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  return {
    get: on.get.handler(async ({ input }) => {
      const { period, now } = input;
      const made = { now: Date.now(), version };
      const make = now ? (await workpapers()).workpaperOf : (await shown()).workpaperShown;
      return stores.read(input.site, (site) => make(site, period, made));
    }),
    items: on.items.handler(async ({ input }) => {
      const { itemsShown } = await items();
      return stores.read(input.site, (site) => itemsShown(site, input));
    }),
    rows: on.rows.handler(async ({ input }) => {
      const { partsShown } = await rows();
      return stores.read(input.site, (site) => partsShown(site, input));
    }),
    settings: on.settings.handler(async ({ input }) => {
      const { settingsOf } = await settings();
      return stores.read(input.site, ({ books }) => settingsOf(books));
    }),
  };
}
