import { commit, type WritableDb } from '../store/database.ts';
import { savePeriod, sealingPeriods } from '../store/periods/period.ts';
import { dropHalfSeals } from '../store/periods/period-seal.ts';

/** Takes back what processes that are gone began. Nothing else may work on the site. */
export function settleClosings(books: WritableDb): void {
  commit(books, () => {
    for (const period of sealingPeriods(books)) savePeriod(books, { ...period, sealing: null });
    dropHalfSeals(books);
  });
}
