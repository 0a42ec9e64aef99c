import { reconcileRegister } from './archive/archive-register.ts';
import { finishPdfDeletions } from './archive/delete-pdfs.ts';
import { clearAbandonedUploads } from './bank/bank-file-uploads.ts';
import { recoverImports } from './bank/remove-imported-lines.ts';
import { recoverClosings } from './periods/recover-closings.ts';
import { interruptCrashedWork, type RecoverySteps } from './sites/crash-recovery.ts';
import { cancelMatchRuns } from './store/matching/match-run.ts';

/** Recovery steps that run when a site's databases are opened. */
export const siteRecoverySteps: RecoverySteps = {
  always: [reconcileRegister],
  exclusive: [
    interruptCrashedWork,
    ({ books }, now) => cancelMatchRuns(books, now),
    ({ books }, now) => recoverImports(books, now),
    ({ books }) => recoverClosings(books),
    ({ folder }) => clearAbandonedUploads(folder),
    finishPdfDeletions,
  ],
};
