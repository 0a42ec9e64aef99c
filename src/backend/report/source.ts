import { join } from 'node:path';
import type { DriftRow, ReportAudit, Workpaper } from '../../contract/index.ts';
import { asSigned, listsShown, withDamage } from '../periods/asSigned.ts';
import { damageSteps } from '../periods/damage.ts';
import type { SiteFile } from '../sites/siteFile.ts';
import { inTurns } from '../steps.ts';
import { beginReading } from '../store/database.ts';
import { closeStore, openStore } from '../store/open.ts';
import { reportAudit } from '../store/periods/reportRows.ts';
import { type MadeAt, type WorkpaperSite, workpaperWithBilling } from '../workpaper/workpaper.ts';
import type { Lists, ReportLists } from './lists.ts';

/** A report: its figures, and its lists. Every format and every table of a pack is made of one, so that they say the same. */
export interface ReportSource extends ReportLists {
  readonly workpaper: Workpaper;
  /** Of a closed period: what is otherwise by now than it was signed. */
  changes(): Iterable<DriftRow>;
  /** Of the audit log: from the first day of the period on. */
  audit(): Iterable<ReportAudit>;
}

/** A site as it is at one moment, on connections of its own: what others write meanwhile is not seen. To be closed. */
export interface SiteSnapshot extends WorkpaperSite {
  readonly folder: string;
  readonly file: SiteFile;
  close(): void;
}

/** Of each store that is held in memory: a snapshot is read from end to end, and the system keeps what is read twice. */
const CACHE_KB = 8192;

/** Opens a site's stores for reading at this moment. @throws as `openStore` does. */
export function snapshotOf({ folder, file }: { folder: string; file: SiteFile }): SiteSnapshot {
  const books = openStore(join(folder, 'books.db'), 'books', { readonly: true });
  try {
    const cache = openStore(join(folder, 'cache.db'), 'cache', { readonly: true });
    for (const db of [books, cache]) {
      db.pragma(`cache_size = ${-CACHE_KB}`);
      beginReading(db);
    }
    return {
      folder,
      file,
      books,
      cache,
      close() {
        closeStore(cache);
        closeStore(books);
      },
    };
  } catch (error) {
    closeStore(books);
    throw error;
  }
}

/**
 * Of a closed period: as it was signed, with what changed since, and what of it is damaged, beside it. Of another: as the records stand. Made in turns with
 * whatever else the thread has to do.
 */
export async function reportOf(
  site: SiteSnapshot,
  period: string,
  made: MadeAt,
): Promise<ReportSource & Lists> {
  const signed = asSigned(site.books, period, made.now);
  const workpaper =
    signed === null
      ? (await inTurns(workpaperWithBilling(site, period, made))).workpaper
      : withDamage(signed.workpaper, await inTurns(damageSteps(site.books, period, signed.seal)));
  return {
    workpaper,
    ...listsShown(site, period),
    changes: signed?.changes ?? (() => []),
    audit: () => reportAudit(site.books, Date.parse(`${workpaper.head.period.first}T00:00:00Z`)),
  };
}
