import { deleteUnfinishedClosedFigures } from '../store/periods/closed-figures.ts';
import { listPeriodsBeingClosed, savePeriod } from '../store/periods/period.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Rolls back unfinished closings of a crashed process. The caller must hold the site's lock. */
export function recoverClosings(books: WritableDb): void {
  runInTransaction(books, () => {
    for (const period of listPeriodsBeingClosed(books)) savePeriod(books, { ...period, closing_job: null });
    deleteUnfinishedClosedFigures(books);
  });
}
