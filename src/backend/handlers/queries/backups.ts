import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { compareBackup } from '../../backups/compare-backup.ts';
import { listBackups } from '../../backups/list-backups.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

const on = implement(contract).backups;

/** Queries about backups. They read files and work even if the books cannot be opened. */
export function backupQueries({ stores }: ReaderContext) {
  const folderOf = (site: string): string => stores.read(site, ({ folder }) => folder);
  return {
    list: on.list.handler(({ input }) => listBackups(folderOf(input.site))),
    compare: on.compare.handler(({ input: { site, from } }) => compareBackup(folderOf(site), site, from)),
  };
}
