import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).workpapers;

const inTurns = () => import('../../periods/workpaper-in-turns.ts');
const items = () => import('../../workpaper/items.ts');
const signed = () => import('../../periods/signed-items.ts');
const parts = () => import('../../periods/signed-parts.ts');
const rows = () => import('../../workpaper/rows.ts');
const settings = () => import('../../workpaper/settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  return {
    get: on.get.handler(async ({ input: { site, period, now } }) => {
      const { workpaperInTurns, workpaperNow } = await inTurns();
      const made = now ? workpaperNow : workpaperInTurns;
      return stores.read(site, (held) => made(held, period, { now: Date.now(), version }));
    }),
    items: on.items.handler(async ({ input }) => {
      const { site, period, now } = input;
      const [{ signedItems }, { billingNow }, { listItems }] = await Promise.all([
        signed(),
        inTurns(),
        items(),
      ]);
      const kept = now ? null : stores.read(site, ({ books }) => signedItems(books, input));
      if (kept !== null) return kept;
      const at = { now: Date.now(), version };
      const billing = await stores.read(site, (held) => billingNow(held, period, at));
      return stores.read(site, (held) => listItems(held, input, billing));
    }),
    rows: on.rows.handler(async ({ input }) => {
      const [{ partsInTurns }, { pageOfParts }] = await Promise.all([parts(), rows()]);
      const of = await stores.read(input.site, (held) => partsInTurns(held, input));
      return stores.read(input.site, (held) => pageOfParts(held, of, input));
    }),
    settings: on.settings.handler(async ({ input }) => {
      const { settingsOf } = await settings();
      return stores.read(input.site, ({ books }) => settingsOf(books));
    }),
  };
}
