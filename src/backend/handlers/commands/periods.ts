import { evidencePackProcedures } from '../../../contract/evidence-packs/evidence-packs.ts';
import { periodProcedures } from '../../../contract/periods/periods.ts';
import { reportProcedures } from '../../../contract/periods/reports.ts';
import { workpaperProcedures } from '../../../contract/periods/workpapers.ts';
import { addAuditEntry } from '../../store/audit-log/audit-log.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

// Loads the sign-off code on first use, because people rarely sign periods.
const loadSign = () => import('../../periods/period-sign-off-steps.ts');
const loadReview = () => import('../../periods/review-period.ts');
const loadReviewFile = () => import('../../periods/import-review.ts');
const loadComments = () => import('../../periods/figure-comments.ts');
const loadReviewPack = () => import('../../evidence-pack/review-pack.ts');
const loadClosing = () => import('../../periods/close-period.ts');
const loadFlux = () => import('../../flux/period-flux.ts');
const loadComparison = () => import('../../periods/period-comparison-job.ts');
const loadItems = () => import('../../periods/explain-outstanding-items.ts');
const loadChecklist = () => import('../../periods/change-checklist.ts');
const loadSettings = () => import('../../workpaper/workpaper-settings.ts');
const loadRestorePack = () => import('../../evidence-pack/restore-decisions.ts');
const loadWritePack = () => import('../../evidence-pack/write-pack.ts');
const loadWriteReport = () => import('../../period-report/write-report.ts');
const loadOutputFile = () => import('../../shared/output-file.ts');

export const periodCommands = (context: WriterContext) =>
  implementProcedures(periodProcedures, {
    open: async ({ input }) => (await loadSign()).openPeriod(context, input),
    submit: async ({ input }) => (await loadSign()).submitPeriod(context, input),
    review: async ({ input }) => (await loadReview()).reviewPeriod(context, input),
    importReview: async ({ input }) => (await loadReviewFile()).importReview(context, input),
    close: async ({ input }) => {
      const [{ startClosingJob }, { computeReportFlux: computeFlux }] = await Promise.all([
        loadClosing(),
        loadFlux(),
      ]);
      return { job: (await startClosingJob({ ...context, computeFlux }, input)).id };
    },
    reopen: async ({ input }) => (await loadSign()).reopenPeriod(context, input),
    comment: async ({ input }) => (await loadComments()).commentOnFigure(context, input),
    answerComment: async ({ input }) => (await loadComments()).answerComment(context, input),
    explainFlux: async ({ input }) => (await loadComments()).explainFlux(context, input),
    clearComment: async ({ input }) => (await loadComments()).clearComment(context, input),
    explain: async ({ input }) => (await loadItems()).explainOutstandingItems(context, input),
    addChecklistStep: async ({ input }) => (await loadChecklist()).addChecklistStep(context, input),
    changeChecklistStep: async ({ input }) => (await loadChecklist()).changeChecklistStep(context, input),
    removeChecklistStep: async ({ input }) => (await loadChecklist()).removeChecklistStep(context, input),
    compare: async ({ input }) => ({
      job: (await loadComparison()).startPeriodComparisonJob(context, input).id,
    }),
  });

export const workpaperCommands = ({ stores, changes, now, user }: WriterContext) =>
  implementProcedures(workpaperProcedures, {
    saveSettings: async ({ input: { site, settings } }) => {
      const { saveWorkpaperSettings } = await loadSettings();
      const saved = saveWorkpaperSettings(stores.open(site), settings, { now: now(), user });
      changes.emit(site, 'periods', 'audit');
      return saved;
    },
  });

export const evidencePackCommands = (context: WriterContext) =>
  implementProcedures(evidencePackProcedures, {
    write: async ({ input }) => {
      const { startEvidencePackJob } = await loadWritePack();
      return { job: (await startEvidencePackJob(context, input)).id };
    },
    review: async ({ input, signal = new AbortController().signal }) =>
      (await loadReviewPack()).reviewEvidencePack(context, input, signal),
    compareDecisions: async ({ input, signal = new AbortController().signal }) =>
      (await loadRestorePack()).compareDecisions(context, input, signal),
    restoreDecisions: async ({ input, signal = new AbortController().signal }) =>
      (await loadRestorePack()).restoreDecisions(context, input, signal),
  });

export const reportCommands = ({ home, stores, changes, now, user, version }: WriterContext) =>
  implementProcedures(reportProcedures, {
    write: async ({ input: { site, period, format, path, replace } }) => {
      const [{ writeReport, getReportFileOptions }, { resolveOutputFile }] = await Promise.all([
        loadWriteReport(),
        loadOutputFile(),
      ]);
      const open = stores.open(site);
      const output = resolveOutputFile(path, { home, replace, ...getReportFileOptions(format) });
      const stamp = { now: now(), version };
      const written = await writeReport(open, { period, format, output }, stamp);
      const { bytes, sha256, digest } = written;
      const detail = { path: output.path, format, bytes, sha256, digest };
      runInTransaction(open.books, () =>
        addAuditEntry(open.books, { at: now(), user, action: 'report.write', subject: period, detail }),
      );
      changes.emit(site, 'audit');
      return written;
    },
  });
