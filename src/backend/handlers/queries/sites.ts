import { implement } from '@orpc/server';
import { contract, type Site } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { readSites, type SiteFile } from '../../sites/site-file.ts';
import { partState } from '../../store/sync/sync-unit.ts';

const on = implement(contract).sites;

export function siteQueries(context: ReaderContext) {
  const { home, stores } = context;
  return {
    list: on.list.handler(() => Promise.all(readSites(home).map((file) => describeSite(context, file)))),
    get: on.get.handler(({ input }) =>
      describeSite(
        context,
        stores.read(input.site, ({ file }) => file),
      ),
    ),
  };
}

/** Returns a site in the format of the contract, even if its cache or the keychain cannot be read. */
async function describeSite({ stores, shell }: ReaderContext, file: SiteFile): Promise<Site> {
  const { site } = file;
  const key_hint = await shell.keychain.hint({ site }).then(
    (answer) => answer.key_hint,
    () => null,
  );
  return { ...file, has_key: key_hint !== null, key_hint, last_synced_at: findLastSync(stores, site) };
}

function findLastSync(stores: ReaderContext['stores'], site: string): string | null {
  try {
    return stores.read(site, ({ cache }) => formatTimestamp(partState(cache, 'webhooks')?.synced_at ?? null));
  } catch {
    return null;
  }
}
