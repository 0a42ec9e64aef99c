import { deleteUnfinishedClosedFigures } from '../store/periods/closed-figures.ts';
import { findClosingPeriods, savePeriod } from '../store/periods/period.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';

/** Rolls back closings that a crashed process left. Nothing else may be working on the site. */
export function recoverClosings(books: WritableDb): void {
  commit(books, () => {
    for (const period of findClosingPeriods(books)) savePeriod(books, { ...period, closing_job: null });
    deleteUnfinishedClosedFigures(books);
  });
}
