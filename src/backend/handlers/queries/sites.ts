import { siteProcedures } from '../../../contract/app/sites.ts';
import type { Site } from '../../../contract/index.ts';
import { readSites, type SiteFile } from '../../sites/site-file.ts';
import { findOldestSyncTime } from '../../store/sync/oldest-sync-time.ts';
import { findServiceTimeZone } from '../../store/sync/service-time-zone.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

// Loads the client for webhook endpoints on first use.
const loadSharedKey = () => import('../../site-setup/shared-key.ts');

export const siteQueries = (context: QueryContext) =>
  implementProcedures(siteProcedures, {
    list: () => Promise.all(readSites(context.home).map((file) => describeSite(context, file))),
    get: ({ input }) =>
      describeSite(
        context,
        context.stores.read(input.site, ({ file }) => file),
      ),
    sharedKey: async ({ input: { site } }) => {
      const { shared_key } = await context.shell.sharedKeys.get({ site });
      const { compareSignatures } = await loadSharedKey();
      const signatures = context.stores.read(site, ({ cache }) => compareSignatures(cache, shared_key));
      return { stored: shared_key !== null, signatures };
    },
  });

/** Returns a site in the format of the contract, even if its cache or the keychain cannot be read. */
async function describeSite({ stores, shell }: QueryContext, file: SiteFile): Promise<Site> {
  const { site } = file;
  const key = await shell.keychain.hint({ site }).catch(() => ({ key_hint: null, is_session_key: false }));
  return { ...file, has_key: key.key_hint !== null, ...key, ...readCachedFacts(stores, file) };
}

function readCachedFacts(
  stores: QueryContext['stores'],
  file: SiteFile,
): Pick<Site, 'last_synced_at' | 'time_zone'> {
  try {
    return stores.read(file.site, ({ cache }) => ({
      last_synced_at: findOldestSyncTime(cache, file),
      time_zone: findServiceTimeZone(cache),
    }));
  } catch {
    return { last_synced_at: null, time_zone: null };
  }
}
