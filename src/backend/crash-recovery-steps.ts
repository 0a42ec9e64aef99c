import { reconcileRegister } from './archive/archive-register.ts';
import { finishDeletions } from './archive/delete-pdfs.ts';
import { recoverImports } from './bank/recover-imports.ts';
import { clearAbandonedUploads } from './bank/uploads.ts';
import { recoverClosings } from './periods/recover-closings.ts';
import { interruptCrashedWork, type RecoverySteps } from './sites/crash-recovery.ts';
import { cancelRuns } from './store/matching/match-run.ts';

/** What each subject recovers when a site's databases are opened. */
export const recoverySteps: RecoverySteps = {
  always: [reconcileRegister],
  exclusive: [
    interruptCrashedWork,
    ({ books }, now) => cancelRuns(books, now),
    ({ books }, now) => recoverImports(books, now),
    ({ books }) => recoverClosings(books),
    ({ folder }) => clearAbandonedUploads(folder),
    finishDeletions,
  ],
};
