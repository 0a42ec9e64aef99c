import { halfImports } from '../store/bank/bank-import.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';
import { finishImportRemoval, removeNextImportBatch } from './remove-import-lines.ts';

/** Removes the partial imports of a crashed process. The caller must own the site's lock. */
export function recoverImports(books: WritableDb, now: number): void {
  for (const id of halfImports(books)) {
    const removal = { at: now, by: 'Tieout', reason: 'Its end was never reached.' };
    commit(books, () => {
      const undone: number[] = [];
      let lines = 0;
      for (let more = true; more; ) {
        const step = removeNextImportBatch(books, id, removal);
        undone.push(...step.groups);
        lines += step.lines;
        more = step.groups.length + step.lines > 0;
      }
      finishImportRemoval(books, id, removal, undone, lines);
    });
  }
}
