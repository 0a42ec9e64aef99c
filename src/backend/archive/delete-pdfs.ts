import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractError, type DeletionPreview, type Inputs, type Outputs } from '../../contract/index.ts';
import { findLastRetentionDay, isPastRetention } from '../../domain/archive/index.ts';
import { syncFolder } from '../shared/durable-file.ts';
import { addDeleted, deletedFiles, deletionDone, deletionsDue } from '../store/archive/archive-deleted.ts';
import { type ArchivedStatement, archivedStatements } from '../store/archive/archive-files.ts';
import { holdOn } from '../store/archive/archive-hold.ts';
import { retentionOf } from '../store/archive/archive-policy.ts';
import { isOfAStatement, removePdfs, versionsOf } from '../store/archive/pdf.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit, type ReadableDb } from '../store/sqlite/connection.ts';
import { registerDeletion, type SiteArchive } from './archive-register.ts';
import { damagedFolder, pdfPath } from './pdf-files.ts';

/**
 * Previews the deletion of the PDFs of these statements: what would be deleted, and which PDFs must not be deleted.
 * @param today the current date
 */
export function previewDeletion(
  cache: ReadableDb,
  books: ReadableDb,
  statements: readonly number[],
  today: string,
): DeletionPreview {
  const ids = [...new Set(statements)].sort((a, b) => a - b);
  const stored = new Map(archivedStatements(cache, ids).map((each) => [each.statement_id, each]));
  const years = retentionOf(books);
  const refused: DeletionPreview['refused'] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let versions = 0;
  const dates: string[] = [];
  for (const id of ids) {
    const found = stored.get(id);
    const why =
      found === undefined ? 'The archive has no PDF of it.' : reasonToKeep(found, books, years, today);
    if (why !== null) refused.push({ statement: id, reason: why });
    if (found === undefined) continue;
    const own = versionsOf(cache, id);
    versions += own.length;
    for (const version of own) {
      bytes += version.bytes;
      hash.update(`${id} ${version.version} ${version.sha256}\n`);
    }
    if (found.date !== null) dates.push(found.date);
  }
  dates.sort();
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
function reasonToKeep(
  { statement_id, subscription_id, date }: ArchivedStatement,
  books: ReadableDb,
  years: number | null,
  today: string,
): string | null {
  const hold = holdOn(books, statement_id, subscription_id);
  if (hold !== null) return `On hold: ${hold}`;
  if (date === null) return 'It has no date, so its retention does not end.';
  if (isPastRetention(date, years, today)) return null;
  const until = findLastRetentionDay(date, years);
  return until === null ? 'The archive is kept without end.' : `Kept until ${until}.`;
}

/**
 * Deletes the PDFs of a previewed list of statements and adds an audit entry for each statement. Throws `conflict` and
 * deletes nothing if the list has changed since the preview or contains a protected statement.
 */
export function deletePdfs(
  archive: SiteArchive,
  { statements, list, reason }: Pick<Inputs['archive']['delete'], 'statements' | 'list' | 'reason'>,
  { now, today, user }: { now: number; today: string; user: string },
): Outputs['archive']['delete'] {
  const { cache, books } = archive;
  const deleted = commit(books, () => {
    const preview = previewDeletion(cache, books, statements, today);
    if (preview.list !== list) throw contractError(listChangedError());
    const [first] = preview.refused;
    if (first !== undefined) throw contractError(protectedStatementError(first, preview.refused.length));
    for (const id of new Set(statements)) {
      const versions = versionsOf(cache, id);
      for (const version of versions) addDeleted(books, version, { reason, at: now, user });
      const detail = {
        list,
        versions: versions.map(({ version, sha256, bytes }) => ({ version, sha256, bytes })),
      };
      addAudit(books, {
        at: now,
        user,
        action: 'archive.delete',
        subject: `statement ${id}`,
        reason: reason,
        detail,
      });
    }
    return preview;
  });
  finishDeletions(archive);
  const { versions, bytes } = deleted;
  return { statements: deleted.statements, versions, bytes };
}

/** Number of statements whose PDFs are deleted per batch, so that each folder is flushed to disk only once per batch. */
const STATEMENTS_PER_BATCH = 1000;

/**
 * Deletes the files of recorded deletions. Also called when a site is opened, to complete deletions interrupted by a
 * crash.
 */
export function finishDeletions({ cache, books, folder }: SiteArchive): void {
  const due = deletionsDue(books);
  for (let from = 0; from < due.length; from += STATEMENTS_PER_BATCH) {
    const statements = due.slice(from, from + STATEMENTS_PER_BATCH);
    commit(cache, () => {
      for (const statement of statements) {
        registerDeletion(folder, statement);
        removePdfs(cache, statement);
      }
    });
    const unreferenced = statements
      .flatMap((statement) => deletedFiles(books, statement))
      .filter((sha256) => !isOfAStatement(cache, sha256));
    removeFiles([
      ...unreferenced.map((sha256) => pdfPath(folder, sha256)),
      ...findDamagedCopies(folder, new Set(unreferenced)),
    ]);
    commit(books, () => {
      for (const statement of statements) deletionDone(books, statement);
    });
  }
}

/** Returns the copies of these PDFs in the folder of damaged files. */
function findDamagedCopies(folder: string, hashes: ReadonlySet<string>): string[] {
  const aside = damagedFolder(folder);
  if (!existsSync(aside)) return [];
  return readdirSync(aside)
    .filter((name) => hashes.has(name.slice(0, 64)))
    .map((name) => join(aside, name));
}

/** Removes files and flushes their folders to disk. Missing files are ignored. */
function removeFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (existsSync(folder)) syncFolder(folder);
  }
}

function listChangedError() {
  return {
    code: 'conflict' as const,
    message: 'The list is not what was looked through: something was fetched, deleted or added since.',
    hint: 'Nothing was deleted. Look the list through again.',
    retryable: false,
  };
}

function protectedStatementError(
  { statement, reason: why }: DeletionPreview['refused'][number],
  all: number,
) {
  const rest = all === 1 ? '' : ` So must ${all - 1} more of the list.`;
  return {
    code: 'conflict' as const,
    message: `Statement ${statement} must stay: ${why}${rest}`,
    hint: 'Nothing was deleted. Take it out of the list.',
    retryable: false,
  };
}
