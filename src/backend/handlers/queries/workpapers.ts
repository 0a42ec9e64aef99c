import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).workpapers;

const inTurns = () => import('../../periods/cached-workpaper.ts');
const items = () => import('../../workpaper/items.ts');
const signed = () => import('../../periods/signed-items.ts');
const parts = () => import('../../periods/signed-parts.ts');
const rows = () => import('../../workpaper/rows.ts');
const settings = () => import('../../workpaper/settings.ts');

export function workpaperQueries({ stores, version }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    get: on.get.handler(async ({ input: { site, period, now } }) => {
      const { cachedWorkpaper, currentWorkpaper } = await inTurns();
      const made = now ? currentWorkpaper : cachedWorkpaper;
      return stores.read(site, (stored) => made(stored, period, { now: Date.now(), version }));
    }),
    items: on.items.handler(async ({ input }) => {
      const { site, period, now } = input;
      const [{ listSignedItems }, { currentBillingSums }, { listItems }] = await Promise.all([
        signed(),
        inTurns(),
        items(),
      ]);
      const kept = now ? null : stores.read(site, ({ books }) => listSignedItems(books, input));
      if (kept !== null) return kept;
      const at = { now: Date.now(), version };
      const billing = await stores.read(site, (stored) => currentBillingSums(stored, period, at));
      return stores.read(site, (stored) => listItems(stored, input, billing));
    }),
    rows: on.rows.handler(async ({ input }) => {
      const [{ cachedContributions }, { pageOfParts }] = await Promise.all([parts(), rows()]);
      const of = await stores.read(input.site, (stored) => cachedContributions(stored, input));
      return stores.read(input.site, (stored) => pageOfParts(stored, of, input));
    }),
    settings: on.settings.handler(queryWith(settings, ({ settingsOf }, { books }) => settingsOf(books))),
  };
}
