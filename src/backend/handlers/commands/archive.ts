import { backupProcedures } from '../../../contract/app/backups.ts';
import { archiveProcedures } from '../../../contract/archive/archive.ts';
import { startArchiveCheck, startArchiveRepair } from '../../archive/check-and-repair-archive.ts';
import { deletePdfs } from '../../archive/delete-pdfs.ts';
import { startPdfDownload } from '../../archive/download-missing-pdfs.ts';
import { discardExportPlan, planExport } from '../../archive/plan-pdf-export.ts';
import { placeLegalHolds, releaseLegalHolds, setRetentionYears } from '../../archive/retention-and-holds.ts';
import { startExport } from '../../archive/run-pdf-export.ts';
import { createBooksBackup } from '../../backups/create-backup.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export function archiveCommands(context: WriterContext) {
  const { stores, changes, now, user, indexing } = context;
  const decision = () => ({ now: now(), user });
  const emitChange = (site: string) => changes.emit(site, 'archive', 'audit');
  return implementProcedures(archiveProcedures, {
    plan: async ({ input, signal }) => {
      const { site, selection } = input;
      if ('filter' in selection && selection.filter.search !== undefined)
        await indexing.indexAll(site, 'statements', signal);
      const planned = await planExport(stores.open(site), input, { home: context.home, ...decision() });
      emitChange(site);
      return planned;
    },
    discard: ({ input: { site, export: id } }) => {
      discardExportPlan(stores.open(site), id, decision());
      emitChange(site);
      return {};
    },
    export: ({ input }) => ({ job: startExport(context, input.site, input.export).id }),
    fetch: ({ input }) => ({ job: startPdfDownload(context, input.site, input.filter).id }),
    check: ({ input }) => ({ job: startArchiveCheck(context, input.site, input.all).id }),
    retain: ({ input: { site, ...decided } }) => {
      setRetentionYears(stores.open(site), decided, decision());
      emitChange(site);
      return { years: decided.years };
    },
    hold: ({ input: { site, ...stored } }) => {
      const placed = placeLegalHolds(stores.open(site), stored, decision());
      emitChange(site);
      return { placed };
    },
    release: ({ input: { site, ...released } }) => {
      const count = releaseLegalHolds(stores.open(site), released, decision());
      emitChange(site);
      return { released: count };
    },
    delete: ({ input: { site, ...list } }) => {
      const at = now();
      const today = formatTimestamp(at).slice(0, 10);
      const deleted = deletePdfs(stores.open(site), list, { now: at, today, user });
      emitChange(site);
      return deleted;
    },
    repair: ({ input }) => ({ job: startArchiveRepair(context, input.site).id }),
  });
}

const loadRestore = () => import('../../backups/restore-books.ts');

export const backupCommands = (context: WriterContext) =>
  implementProcedures(backupProcedures, {
    make: ({ input }) => createBooksBackup(context, input),
    restore: async ({ input }) => (await loadRestore()).restoreBooks(context, input),
  });
