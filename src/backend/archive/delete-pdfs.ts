import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type ContractInputs,
  type ContractOutputs,
  createNonRetryableError,
  type DeletionPreview,
} from '../../contract/index.ts';
import { findLastRetentionDay, isPastRetention } from '../../domain/archive/index.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { type ArchivedStatement, listArchivedStatements } from '../store/archive/archive-files.ts';
import { findLegalHoldReason } from '../store/archive/archive-hold.ts';
import {
  addDeletedPdf,
  listDeletedPdfFiles,
  listPendingPdfDeletions,
  removePendingPdfDeletion,
} from '../store/archive/deleted-pdfs.ts';
import { getRetentionYears } from '../store/archive/retention-policy.ts';
import { isStatementPdf, listPdfVersions, removeStatementPdfs } from '../store/archive/statement-pdf.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { appendToRegister, type SiteArchive } from './archive-register.ts';
import { getDamagedPdfFolder, getPdfPath } from './pdf-files.ts';

/** Returns the PDFs that a deletion for these statements would remove, and the PDFs that must not be deleted. */
export function previewPdfDeletion(
  cache: ReadableDb,
  books: ReadableDb,
  statements: readonly number[],
  today: string,
): DeletionPreview {
  const ids = [...new Set(statements)].sort((a, b) => a - b);
  const stored = new Map(listArchivedStatements(cache, ids).map((each) => [each.statement_id, each]));
  const years = getRetentionYears(books);
  const refused: DeletionPreview['refused'] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let versions = 0;
  for (const id of ids) {
    const statement = stored.get(id);
    const reason =
      statement === undefined
        ? 'The archive has no PDF of this statement.'
        : findReasonToKeep(statement, books, years, today);
    if (reason !== null) refused.push({ statement: id, reason });
    if (statement === undefined) continue;
    for (const version of listPdfVersions(cache, id)) {
      versions++;
      bytes += version.bytes;
      hash.update(`${id} ${version.version} ${version.sha256}\n`);
    }
  }
  const dates = [...stored.values()].flatMap(({ date }) => date ?? []).sort();
  return {
    statements: ids.length,
    versions,
    bytes,
    oldest: dates[0] ?? null,
    newest: dates.at(-1) ?? null,
    list: hash.digest('hex'),
    refused,
  };
}

/** Returns the reason why a statement's PDFs must not be deleted, or null if they may be. */
function findReasonToKeep(
  { statement_id, subscription_id, date }: ArchivedStatement,
  books: ReadableDb,
  years: number | null,
  today: string,
): string | null {
  const hold = findLegalHoldReason(books, statement_id, subscription_id);
  if (hold !== null) return `On hold: ${hold}`;
  if (date === null) return 'The document has no date, so its retention does not end.';
  if (isPastRetention(date, years, today)) return null;
  const until = findLastRetentionDay(date, years);
  return until === null ? 'Retention is unlimited.' : `Retention ends on ${until}.`;
}

/**
 * Deletes the PDFs of a previewed list of statements and adds an audit entry for each statement. Throws `conflict` and
 * deletes nothing if the list has changed since the preview or contains a protected statement.
 */
export function deletePdfs(
  archive: SiteArchive,
  { statements, list, reason }: Pick<ContractInputs['archive']['delete'], 'statements' | 'list' | 'reason'>,
  { now, today, user }: { now: number; today: string; user: string },
): ContractOutputs['archive']['delete'] {
  const { cache, books } = archive;
  const preview = runInTransaction(books, () => {
    const current = previewPdfDeletion(cache, books, statements, today);
    if (current.list !== list) throw listChangedError();
    const [first] = current.refused;
    if (first !== undefined) throw protectedStatementError(first, current.refused.length);
    for (const id of new Set(statements)) {
      const versions = listPdfVersions(cache, id);
      for (const version of versions) addDeletedPdf(books, version, { reason, at: now, user });
      const files = versions.map(({ version, sha256, bytes }) => ({ version, sha256, bytes }));
      const entry = { at: now, user, action: 'archive.delete', subject: `statement ${id}`, reason };
      addAuditEntry(books, { ...entry, detail: { list, versions: files } });
    }
    return current;
  });
  finishPdfDeletions(archive);
  return { statements: preview.statements, versions: preview.versions, bytes: preview.bytes };
}

/** Number of statements whose PDFs are deleted per batch, so that each folder is flushed to disk only once per batch. */
const STATEMENTS_PER_BATCH = 1000;

/** Deletes the files of recorded deletions. Also called at the opening of a site, to finish interrupted deletions. */
export function finishPdfDeletions({ cache, books, folder }: SiteArchive): void {
  const pendingStatements = listPendingPdfDeletions(books);
  for (let from = 0; from < pendingStatements.length; from += STATEMENTS_PER_BATCH) {
    const statements = pendingStatements.slice(from, from + STATEMENTS_PER_BATCH);
    runInTransaction(cache, () => {
      for (const statement of statements) {
        appendToRegister(folder, [{ deleted: statement }]);
        removeStatementPdfs(cache, statement);
      }
    });
    const unreferenced = statements
      .flatMap((statement) => listDeletedPdfFiles(books, statement))
      .filter((sha256) => !isStatementPdf(cache, sha256));
    removeFiles([
      ...unreferenced.map((sha256) => getPdfPath(folder, sha256)),
      ...findDamagedCopies(folder, new Set(unreferenced)),
    ]);
    runInTransaction(books, () => {
      for (const statement of statements) removePendingPdfDeletion(books, statement);
    });
  }
}

/** Returns the copies of these PDFs in the folder of damaged files. */
function findDamagedCopies(folder: string, hashes: ReadonlySet<string>): string[] {
  const aside = getDamagedPdfFolder(folder);
  if (!existsSync(aside)) return [];
  return readdirSync(aside)
    .filter((name) => hashes.has(name.slice(0, 64)))
    .map((name) => join(aside, name));
}

/** Removes files and flushes their folders to disk. Missing files are ignored. */
function removeFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (existsSync(folder)) flushFolderToDisk(folder);
  }
}

function listChangedError(): Error {
  return createNonRetryableError(
    'conflict',
    'The list changed after you reviewed it: PDFs were downloaded, deleted or added.',
    'Nothing was deleted. Review the list again.',
  );
}

function protectedStatementError(
  { statement, reason }: DeletionPreview['refused'][number],
  count: number,
): Error {
  const others = count === 1 ? '' : ` ${count - 1} more in the list cannot be deleted either.`;
  const message = `Statement ${statement} cannot be deleted: ${reason}${others}`;
  return createNonRetryableError('conflict', message, 'Nothing was deleted. Remove it from the list.');
}
