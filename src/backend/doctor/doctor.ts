import { accessSync, constants, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../contract/index.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { findFoldersWithoutSiteFile } from '../sites/repair-site-files.ts';
import { readSites, siteFolder } from '../sites/site-file.ts';
import { backupsOf, isCopyDue } from '../store/backups/backup.ts';
import { suspect } from '../store/database/open-store.ts';
import { latestVersion, type StoreKind } from '../store/migrations/migrate.ts';
import { damageOf, sqliteVersion } from '../store/sqlite/integrity-check.ts';

/** Free disk space in bytes below which the doctor warns. */
const MIN_FREE_BYTES = 1_000_000_000;
/** Age of the latest backup in milliseconds above which the doctor warns if the books have changed since. */
const MAX_BACKUP_AGE_MS = 2 * 86_400_000;

/** Checks the app's environment. Returns one result per check, with advice for each problem. */
export async function runDoctor(context: ReaderContext, quick: boolean): Promise<Check[]> {
  const sites = readSites(context.home);
  return [
    checkVersions(context),
    await checkKeychain(context),
    checkHome(context),
    checkDiskSpace(context),
    ...sites.flatMap(({ site }) => [
      checkDatabase(context, site, 'cache', quick),
      checkDatabase(context, site, 'books', quick),
      checkBackups(context, site),
    ]),
    ...findFoldersWithoutSiteFile(context.home).map(toUnreadableSiteCheck),
  ];
}

function checkVersions({ version }: ReaderContext): Check {
  const stores = `cache ${latestVersion('cache')}, books ${latestVersion('books')}`;
  const message = `Tieout ${version}, Node ${process.versions.node}, SQLite ${sqliteVersion()}; stores: ${stores}.`;
  return { name: 'Versions', ok: true, message, advice: null };
}

async function checkKeychain({ shell }: ReaderContext): Promise<Check> {
  try {
    return { name: 'Keychain', ...(await shell.keychain.check({})) };
  } catch (error) {
    const { message, hint } = toErrorValue(error);
    return {
      name: 'Keychain',
      ok: false,
      message,
      advice: hint ?? 'Unlock or start the keychain of this computer.',
    };
  }
}

function checkHome({ home: path }: ReaderContext): Check {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: 'Data folder', ok: true, message: `${path} can be read and written.`, advice: null };
  } catch {
    const advice = 'Give yourself the right to write to it, or name another folder with TIEOUT_HOME.';
    return { name: 'Data folder', ok: false, message: `${path} cannot be read and written.`, advice };
  }
}

function checkDiskSpace({ home: path }: ReaderContext): Check {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    const ok = free >= MIN_FREE_BYTES;
    return {
      name: 'Disk',
      ok,
      message: `${(free / 1e9).toFixed(1)} GB free.`,
      advice: ok ? null : 'Free some space: a sync that runs out of it stops, and goes on later.',
    };
  } catch {
    const advice = 'Look at the free space yourself.';
    return { name: 'Disk', ok: false, message: 'The free space cannot be told.', advice };
  }
}

function toUnreadableSiteCheck(site: string): Check {
  const advice = `Open the app: it is written anew from the audit log. Where that fails, move sites/${site} away, connect the site again, and put its books.db back.`;
  return {
    name: `site.json of ${site}`,
    ok: false,
    message: 'It cannot be read, so the site is not shown; its data is there.',
    advice,
  };
}

function checkDatabase({ stores }: ReaderContext, site: string, kind: StoreKind, quick: boolean): Check {
  const name = `${kind}.db of ${site}`;
  try {
    return stores.read(site, (opened) => {
      const damage = damageOf(opened[kind], !quick);
      const path = join(opened.folder, `${kind}.db`);
      if (damage !== null) {
        suspect(path);
        return { name, ok: false, message: `Damaged: ${damage}.`, advice: adviseOnDamage(kind, path) };
      }
      return { name, ok: true, message: quick ? 'Sound.' : 'Sound, indexes included.', advice: null };
    });
  } catch (error) {
    const { message, hint } = toErrorValue(error);
    return { name, ok: false, message, advice: hint ?? 'See the log.' };
  }
}

function adviseOnDamage(kind: StoreKind, path: string): string {
  if (kind === 'cache') return 'Start again and sync: it is set aside, and its data fetched again.';
  const [copy] = backupsOf(path);
  return copy === undefined
    ? 'There is no copy of it yet; keep the file and ask for help.'
    : `Look at what the last good copy would change and put it back: under “Backups”, or with: tieout restore ${copy.name}`;
}

/** Checks that a recent backup of the books exists. */
function checkBackups({ home }: ReaderContext, site: string): Check {
  const name = `Copies of the books of ${site}`;
  const path = join(siteFolder(home, site), 'books.db');
  try {
    const all = backupsOf(path);
    const [newest] = all;
    if (newest === undefined) {
      return {
        name,
        ok: true,
        message: 'None yet: one is made whenever the books are opened after a change.',
        advice: null,
      };
    }
    const since = Date.now() - newest.at;
    const message = `${all.length}, the newest of ${new Date(newest.at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
    return since > MAX_BACKUP_AGE_MS && isCopyDue(path)
      ? {
          name,
          ok: false,
          message,
          advice: 'The books were changed since: make one with tieout backup, or start the app.',
        }
      : { name, ok: true, message, advice: null };
  } catch (error) {
    const { message, hint } = toErrorValue(error);
    return { name, ok: false, message, advice: hint ?? 'See the log.' };
  }
}
