import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).workpapers;

const inTurns = () => import('../../periods/workpaperInTurns.ts');
const items = () => import('../../workpaper/items.ts');
const signed = () => import('../../periods/signedItems.ts');
const rows = () => import('../../periods/signedParts.ts');
const settings = () => import('../../workpaper/settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  return {
    get: on.get.handler(async ({ input }) => {
      const { workpaperInTurns } = await inTurns();
      return workpaperInTurns(stores, input, { now: Date.now(), version });
    }),
    items: on.items.handler(async ({ input }) => {
      const [{ signedItems }, { billingInTurns }, { listItems }] = await Promise.all([
        signed(),
        inTurns(),
        items(),
      ]);
      const kept = input.now ? null : stores.read(input.site, ({ books }) => signedItems(books, input));
      if (kept !== null) return kept;
      const billing = await billingInTurns(stores, input, { now: Date.now(), version });
      return stores.read(input.site, (site) => listItems(site, input, billing));
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
