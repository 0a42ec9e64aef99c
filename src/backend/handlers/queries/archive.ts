import { backupProcedures } from '../../../contract/app/backups.ts';
import { archiveProcedures } from '../../../contract/archive/archive.ts';
import { previewPdfDeletion } from '../../archive/delete-pdfs.ts';
import { listFolderEntries } from '../../archive/list-folder.ts';
import { previewExportFileNames } from '../../archive/plan-pdf-export.ts';
import { compareBackup } from '../../backups/compare-backup.ts';
import { listBackups } from '../../backups/list-backups.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { getArchiveExport, listArchiveExports } from '../../store/archive/archive-export.ts';
import { listArchiveFiles } from '../../store/archive/archive-files.ts';
import { listLegalHolds } from '../../store/archive/archive-hold.ts';
import { readArchiveSummary } from '../../store/archive/archive-summary.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const archiveQueries = ({ query }: QueryContext) =>
  implementProcedures(archiveProcedures, {
    summary: query(({ cache, books }) => readArchiveSummary(cache, books, getToday())),
    names: query(({ cache }, input) => previewExportFileNames(cache, input)),
    exports: query(({ books }, { site, limit }) => listArchiveExports(books, site, limit)),
    get: query(({ books }, { site, export: id }) =>
      requireRecord(getArchiveExport(books, site, id), `export ${id}`, 'See the list of archived files.'),
    ),
    files: query(({ cache, books }, { site, ...filter }) =>
      listArchiveFiles(cache, books, { ...filter, today: getToday() }),
    ),
    holds: query(({ books }, { site, ...filter }) => listLegalHolds(books, filter)),
    deletable: query(({ cache, books }, { statements }) =>
      previewPdfDeletion(cache, books, statements, getToday()),
    ),
    browse: ({ input: { path } }) => listFolderEntries(path),
  });

const getToday = (): string => formatTimestamp(Date.now()).slice(0, 10);

/** Queries about backups. They read files, and therefore work even if the books cannot be opened. */
export const backupQueries = ({ query }: QueryContext) =>
  implementProcedures(backupProcedures, {
    list: query(({ folder }) => listBackups(folder)),
    compare: query(({ folder }, { site, from }) => compareBackup(folder, site, from)),
  });
