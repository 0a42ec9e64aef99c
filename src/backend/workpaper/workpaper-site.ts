import type { SiteFile } from '../sites/site-file.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Site opened for reading: its site file and a snapshot of both databases. */
export interface WorkpaperSite {
  readonly file: Pick<SiteFile, 'site' | 'title' | 'base_url' | 'currency'>;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}
