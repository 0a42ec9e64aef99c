import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { compareCopy } from '../../backups/compare.ts';
import { listCopies } from '../../backups/list.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).backups;

/** They look at files, and so work where the books cannot be opened. */
export function backupQueries({ stores }: ReaderContext) {
  const folderOf = (site: string): string => stores.read(site, ({ folder }) => folder);
  return {
    list: on.list.handler(({ input }) => listCopies(folderOf(input.site))),
    compare: on.compare.handler(({ input: { site, from } }) => compareCopy(folderOf(site), site, from)),
  };
}
