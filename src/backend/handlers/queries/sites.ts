import { appProcedures } from '../../../contract/app/app.ts';
import { searchProcedures } from '../../../contract/app/search.ts';
import { settingsProcedures } from '../../../contract/app/settings.ts';
import { siteProcedures } from '../../../contract/app/sites.ts';
import { syncProcedures } from '../../../contract/app/sync.ts';
import type { Site } from '../../../contract/index.ts';
import { runDoctor } from '../../doctor/doctor.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { compareSignatures } from '../../site-setup/shared-key.ts';
import { getActualWorkState, isSiteLocked } from '../../sites/actual-job-state.ts';
import { readAppSettings } from '../../sites/app-settings.ts';
import { findOtherProcesses } from '../../sites/other-processes.ts';
import { readSites, type SiteFile } from '../../sites/site-file.ts';
import { countUnindexedRecords } from '../../store/search/search-index.ts';
import { getSqliteVersion } from '../../store/sqlite/integrity-check.ts';
import { findOldestSyncTime } from '../../store/sync/oldest-sync-time.ts';
import { findServiceTimeZone } from '../../store/sync/service-time-zone.ts';
import { getSyncRun, listSyncProblems, listSyncRuns, readSyncStatus } from '../../store/sync/sync-status.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

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

export const syncQueries = ({ query }: QueryContext) =>
  implementProcedures(syncProcedures, {
    status: query(({ cache, books, folder, file }) => ({
      ...readSyncStatus(cache, books, file, () => isSiteLocked(folder)),
      ...findOtherProcesses(folder),
    })),
    runs: query(({ cache, folder }, { limit }) =>
      listSyncRuns(cache, limit).map((run) => getActualWorkState(run, folder)),
    ),
    run: query(({ cache, folder }, { job }) => {
      const run = requireRecord(getSyncRun(cache, job), `sync ${job}`, 'See the list of sync runs.');
      return getActualWorkState(run, folder);
    }),
    problems: query(({ cache }, input) => listSyncProblems(cache, input)),
  });

const loadSearch = () => import('../../store/search/find-records.ts');

export const searchQueries = ({ query, queryWith }: QueryContext) =>
  implementProcedures(searchProcedures, {
    find: queryWith(loadSearch, ({ findRecords }, site, input) => findRecords(site, input)),
    unsearched: query(({ cache }) => countUnindexedRecords(cache)),
  });

export const settingsQueries = ({ home }: QueryContext) =>
  implementProcedures(settingsProcedures, { all: () => readAppSettings(home) });

export function appQueries(context: QueryContext) {
  const { home, version, user } = context;
  return implementProcedures(appProcedures, {
    about: () => ({ version, home, node: process.versions.node, sqlite: getSqliteVersion(), user }),
    doctor: ({ input }) => runDoctor(context, input.quick),
  });
}
