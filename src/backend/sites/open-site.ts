import type { WritableDb } from '../store/sqlite/connection.ts';
import type { SiteFile } from './site-file.ts';

/** Site with its databases opened for writing. */
export interface OpenSite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: WritableDb;
  readonly books: WritableDb;
}
