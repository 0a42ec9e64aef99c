import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractError, type DeletionPreview, type Inputs, type Outputs } from '../../contract/index.ts';
import { isPastRetention, keptUntil } from '../../domain/archive/index.ts';
import { syncFolder } from '../sites/durable-file.ts';
import { addDeleted, deletedFiles, deletionDone, deletionsDue } from '../store/archive/archive-deleted.ts';
import { type ArchivedStatement, archivedStatements } from '../store/archive/archive-files.ts';
import { holdOn } from '../store/archive/archive-hold.ts';
import { retentionOf } from '../store/archive/archive-policy.ts';
import { isOfAStatement, removePdfs, versionsOf } from '../store/archive/pdf.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type ReadableDb } from '../store/database.ts';
import { type ArchivePlace, registerDeletion } from './register.ts';
import { damagedFolder, pdfPath } from './store.ts';

/**
 * Looks a list of statements through for its deletion: what would go, and which of them must not.
 * @param today the calendar date it is
 */
export function previewDeletion(
  cache: ReadableDb,
  books: ReadableDb,
  statements: readonly number[],
  today: string,
): DeletionPreview {
  const ids = [...new Set(statements)].sort((a, b) => a - b);
  const held = new Map(archivedStatements(cache, ids).map((each) => [each.statement_id, each]));
  const years = retentionOf(books);
  const refused: DeletionPreview['refused'] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let versions = 0;
  const dates: string[] = [];
  for (const id of ids) {
    const found = held.get(id);
    const why = found === undefined ? 'The archive has no PDF of it.' : whyKept(found, books, years, today);
    if (why !== null) refused.push({ statement: id, why });
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

/** Why the PDFs of a statement must not be deleted; null where they may. */
function whyKept(
  { statement_id, subscription_id, date }: ArchivedStatement,
  books: ReadableDb,
  years: number | null,
  today: string,
): string | null {
  const hold = holdOn(books, statement_id, subscription_id);
  if (hold !== null) return `On hold: ${hold}`;
  if (date === null) return 'It has no date, so its retention does not end.';
  if (isPastRetention(date, years, today)) return null;
  const until = keptUntil(date, years);
  return until === null ? 'The archive is kept without end.' : `Kept until ${until}.`;
}

/**
 * Deletes the PDFs of an explicit list of statements, each with an entry of the audit log. Throws `conflict` where the list is not
 * what was looked through, or where one of it must not be deleted; nothing is deleted then.
 */
export function deletePdfs(
  place: ArchivePlace,
  { statements, list, reason }: Pick<Inputs['archive']['delete'], 'statements' | 'list' | 'reason'>,
  { now, today, who }: { now: number; today: string; who: string },
): Outputs['archive']['delete'] {
  const { cache, books } = place;
  const deleted = commit(books, () => {
    const seen = previewDeletion(cache, books, statements, today);
    if (seen.list !== list) throw contractError(otherList());
    const [first] = seen.refused;
    if (first !== undefined) throw contractError(mustStay(first, seen.refused.length));
    for (const id of new Set(statements)) {
      const versions = versionsOf(cache, id);
      for (const version of versions) addDeleted(books, version, { reason, at: now, who });
      const detail = {
        list,
        versions: versions.map(({ version, sha256, bytes }) => ({ version, sha256, bytes })),
      };
      addAudit(books, {
        at: now,
        who,
        action: 'archive.delete',
        subject: `statement ${id}`,
        why: reason,
        detail,
      });
    }
    return seen;
  });
  finishDeletions(place);
  const { versions, bytes } = deleted;
  return { statements: deleted.statements, versions, bytes };
}

/** So many statements' PDFs are deleted together: what is made durable then is made so once for all of them. */
const TOGETHER = 1000;

/** Carries out what was decided: what a crash left is gone on with when the site is opened next. */
export function finishDeletions({ cache, books, folder }: ArchivePlace): void {
  const due = deletionsDue(books);
  for (let from = 0; from < due.length; from += TOGETHER) {
    const statements = due.slice(from, from + TOGETHER);
    commit(cache, () => {
      for (const statement of statements) {
        registerDeletion(folder, statement);
        removePdfs(cache, statement);
      }
    });
    const alone = statements
      .flatMap((statement) => deletedFiles(books, statement))
      .filter((sha256) => !isOfAStatement(cache, sha256));
    removeFiles([...alone.map((sha256) => pdfPath(folder, sha256)), ...damagedOf(folder, new Set(alone))]);
    commit(books, () => {
      for (const statement of statements) deletionDone(books, statement);
    });
  }
}

/** What is kept of these files from when they were damaged. */
function damagedOf(folder: string, hashes: ReadonlySet<string>): string[] {
  const aside = damagedFolder(folder);
  if (!existsSync(aside)) return [];
  return readdirSync(aside)
    .filter((name) => hashes.has(name.slice(0, 64)))
    .map((name) => join(aside, name));
}

/** Removes files, those that are there, so that no crash brings them back. */
function removeFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (existsSync(folder)) syncFolder(folder);
  }
}

function otherList() {
  return {
    code: 'conflict' as const,
    message: 'The list is not what was looked through: something was fetched, deleted or added since.',
    hint: 'Nothing was deleted. Look the list through again.',
    retryable: false,
  };
}

function mustStay({ statement, why }: DeletionPreview['refused'][number], all: number) {
  const rest = all === 1 ? '' : ` So must ${all - 1} more of the list.`;
  return {
    code: 'conflict' as const,
    message: `Statement ${statement} must stay: ${why}${rest}`,
    hint: 'Nothing was deleted. Take it out of the list.',
    retryable: false,
  };
}
