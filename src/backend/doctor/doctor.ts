import { accessSync, constants, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemCheck } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { runAllSteps } from '../../domain/work-steps/work-steps.ts';
import { hashFile } from '../bagit/hash-files.ts';
import { getSourceFilePath } from '../bank/bank-file-uploads.ts';
import { findDecisionDamage } from '../books-verification/decision-damage.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import { findFoldersWithoutSiteFile } from '../sites/folders-without-site-file.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { getSiteFolder, readSites } from '../sites/site-file.ts';
import { readAuditAnchor } from '../store/audit-log/audit-anchor.ts';
import { verifyAuditLog } from '../store/audit-log/verify-audit-log.ts';
import { isBackupDue, listBackupFiles } from '../store/backups/backup-files.ts';
import { listSourceFiles } from '../store/bank/bank-import.ts';
import { listAttachedFiles } from '../store/comments/comment.ts';
import { adviseRestore, requestIntegrityCheck } from '../store/database/open-store.ts';
import { getLatestSchemaVersion, type StoreKind } from '../store/migrations/migrate.ts';
import { findDatabaseDamage, getSqliteVersion } from '../store/sqlite/integrity-check.ts';

/** Free disk space in bytes below which the doctor warns. */
const MIN_FREE_BYTES = 1_000_000_000;
/** Age of the latest backup in milliseconds above which the doctor warns if the books have changed since. */
const MAX_BACKUP_AGE_MS = 2 * 86_400_000;

/** Checks the app's environment. Returns one result per check, with advice for each problem. */
export async function runDoctor(context: ReaderContext, quick: boolean): Promise<SystemCheck[]> {
  const sites = readSites(context.home);
  return [
    checkVersions(context),
    await checkKeychain(context),
    checkHome(context),
    checkDiskSpace(context),
    ...(await Promise.all(sites.map(({ site }) => checkSite(context, site, quick)))).flat(),
    ...findFoldersWithoutSiteFile(context.home).map(toUnreadableSiteCheck),
  ];
}

/** Checks a site's databases and files. A quick check skips indexes and imported files. */
async function checkSite(context: ReaderContext, site: string, quick: boolean): Promise<SystemCheck[]> {
  const books = checkDatabase(context, site, 'books', quick);
  return [
    checkDatabase(context, site, 'cache', quick),
    books,
    ...(books.ok ? [checkAuditLog(context, site)] : []),
    ...(books.ok && !quick ? [await checkSourceFiles(context, site)] : []),
    checkBackups(context, site),
  ];
}

function checkVersions({ version }: ReaderContext): SystemCheck {
  const stores = `cache ${getLatestSchemaVersion('cache')}, books ${getLatestSchemaVersion('books')}`;
  const message = `Tieout ${version}, Node ${process.versions.node}, SQLite ${getSqliteVersion()}; stores: ${stores}.`;
  return { name: 'Versions', ok: true, message, advice: null };
}

async function checkKeychain({ shell }: ReaderContext): Promise<SystemCheck> {
  try {
    return { name: 'Keychain', ...(await shell.keychain.check({})) };
  } catch (error) {
    return failedCheck('Keychain', error, 'Unlock or start this computer’s keychain.');
  }
}

function checkHome({ home: path }: ReaderContext): SystemCheck {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: 'Data folder', ok: true, message: `${path} is readable and writable.`, advice: null };
  } catch {
    const advice = 'Make the folder writable, or set another folder with TIEOUT_HOME.';
    return { name: 'Data folder', ok: false, message: `${path} is not readable and writable.`, advice };
  }
}

function checkDiskSpace({ home: path }: ReaderContext): SystemCheck {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    const ok = free >= MIN_FREE_BYTES;
    return {
      name: 'Disk',
      ok,
      message: `${(free / 1e9).toFixed(1)} GB free.`,
      advice: ok ? null : 'Free up disk space. A sync without enough space stops and can be resumed.',
    };
  } catch {
    const advice = 'Check the free space manually.';
    return { name: 'Disk', ok: false, message: 'The free space cannot be determined.', advice };
  }
}

function toUnreadableSiteCheck(site: string): SystemCheck {
  const advice = `Open the app, which restores the file from the audit log. If that fails, move sites/${site} away, connect the site again, and copy its books.db back.`;
  return {
    name: `site.json of ${site}`,
    ok: false,
    message: 'The file cannot be read, so the site is not shown. Its data is not lost.',
    advice,
  };
}

function checkDatabase(
  { stores }: ReaderContext,
  site: string,
  kind: StoreKind,
  quick: boolean,
): SystemCheck {
  const name = `${kind}.db of ${site}`;
  try {
    return stores.read(site, (opened) => {
      const damage = findDatabaseDamage(opened[kind], !quick);
      const path = join(opened.folder, `${kind}.db`);
      if (damage !== null) {
        requestIntegrityCheck(path);
        return { name, ok: false, message: `Damaged: ${damage}.`, advice: adviseOnDamage(kind, path) };
      }
      return { name, ok: true, message: quick ? 'Intact.' : 'Intact, including indexes.', advice: null };
    });
  } catch (error) {
    return failedCheck(name, error, 'See the log.');
  }
}

function adviseOnDamage(kind: StoreKind, path: string): string {
  if (kind === 'cache')
    return 'Restart the app and sync. The damaged file is renamed and its data downloaded again.';
  return adviseRestore(path);
}

const RESTORE_ADVICE =
  'Ask who changed the files. Restore an intact backup under “Backups” or with tieout restore, and compare it with a stored receipt.';

/** Checks the audit log, and compares the decisions in the books with the log. */
function checkAuditLog({ stores }: ReaderContext, site: string): SystemCheck {
  const name = `Audit log of ${site}`;
  try {
    return stores.read(site, ({ books, folder }) => {
      const { reason, entries } = verifyAuditLog(books, { anchor: readAuditAnchor(folder) });
      const problems = [...(reason === null ? [] : [reason]), ...runAllSteps(findDecisionDamage(books))];
      return problems.length === 0
        ? { name, ok: true, message: `Intact: ${formatCount(entries, 'entry', 'entries')}.`, advice: null }
        : { name, ok: false, message: problems.join(' '), advice: RESTORE_ADVICE };
    });
  } catch (error) {
    return failedCheck(name, error, 'See the log.');
  }
}

/** Checks that the imported and attached files still have their checksums. */
async function checkSourceFiles({ stores }: ReaderContext, site: string): Promise<SystemCheck> {
  const name = `Imported and attached files of ${site}`;
  try {
    const { folder, files } = stores.read(site, (open) => {
      return {
        folder: open.folder,
        files: [...listSourceFiles(open.books), ...listAttachedFiles(open.books)],
      };
    });
    const damaged: string[] = [];
    for (const { sha256, file } of files) {
      const stored = await hashFile(getSourceFilePath(folder, sha256)).catch(() => null);
      if (stored?.sha256 !== sha256)
        damaged.push(`${file} ${stored === null ? 'is missing' : 'was changed'}`);
    }
    return damaged.length === 0
      ? { name, ok: true, message: `Intact: ${formatCount(files.length, 'file')}.`, advice: null }
      : {
          name,
          ok: false,
          message: `${damaged.join('; ')}.`,
          advice: 'Restore the files from a backup of this computer.',
        };
  } catch (error) {
    return failedCheck(name, error, 'See the log.');
  }
}

/** Checks that a recent backup of the books exists. */
function checkBackups({ home }: ReaderContext, site: string): SystemCheck {
  const name = `Backups of ${site}`;
  const path = join(getSiteFolder(home, site), 'books.db');
  try {
    const all = listBackupFiles(path);
    const [newest] = all;
    if (newest === undefined) {
      const message = 'No backup yet. A backup is made when the books are opened after a change.';
      return { name, ok: true, message, advice: null };
    }
    const isOutdated = Date.now() - newest.at > MAX_BACKUP_AGE_MS && isBackupDue(path);
    const time = new Date(newest.at).toISOString().slice(0, 16).replace('T', ' ');
    const message = `${all.length}, the newest from ${time} UTC.`;
    const advice =
      'The books have changed since the last backup. Make a backup with tieout backup, or start the app.';
    return { name, ok: !isOutdated, message, advice: isOutdated ? advice : null };
  } catch (error) {
    return failedCheck(name, error, 'See the log.');
  }
}

/** Returns the failed check for an error, with the error's hint or the given advice. */
function failedCheck(name: string, error: unknown, advice: string): SystemCheck {
  const { message, hint = advice } = toErrorValue(error);
  return { name, ok: false, message, advice: hint };
}
