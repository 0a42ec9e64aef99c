import { implement } from '@orpc/server';
import { contract, type Site } from '../../../contract/index.ts';
import { readSites, type SiteFile } from '../../sites/site-file.ts';
import { isoMoment } from '../../store/moment.ts';
import { partState } from '../../store/sync/sync-unit.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).sites;

export function siteQueries(context: ReaderContext) {
  const { home, stores } = context;
  return {
    list: on.list.handler(() => Promise.all(readSites(home).map((file) => shownSite(context, file)))),
    get: on.get.handler(({ input }) =>
      shownSite(
        context,
        stores.read(input.site, ({ file }) => file),
      ),
    ),
  };
}

/** A site as the contract shows it. One whose cache or keychain cannot be read is shown all the same. */
async function shownSite({ stores, shell }: ReaderContext, file: SiteFile): Promise<Site> {
  const { site } = file;
  const key_hint = await shell.keychain.hint({ site }).then(
    (answer) => answer.key_hint,
    () => null,
  );
  return { ...file, has_key: key_hint !== null, key_hint, last_synced_at: lastSynced(stores, site) };
}

function lastSynced(stores: ReaderContext['stores'], site: string): string | null {
  try {
    return stores.read(site, ({ cache }) => isoMoment(partState(cache, 'webhooks')?.synced_at ?? null));
  } catch {
    return null;
  }
}
