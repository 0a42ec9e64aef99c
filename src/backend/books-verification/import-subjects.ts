import { readAuditEntriesOfActions } from '../store/audit-log/audit-entry-list.ts';
import { listImportRecords } from '../store/bank/bank-import.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { DecisionSubject } from './decision-subject.ts';

const readImportEntries = (books: ReadableDb) => readAuditEntriesOfActions(books, ['bank.import']);

/**
 * The file, the checksum and the row counts of each import. Without this comparison, a stored source file and its checksum
 * could be replaced together.
 */
export const bankImports: DecisionSubject = {
  *readLog(books) {
    for (const { subject, user, detail } of readImportEntries(books)) {
      const { file, sha256, digest, rows } = JSON.parse(detail);
      yield { subject, content: formatImport({ user, file, sha256, digest }, rows) };
    }
  },
  *readBooks(books) {
    const logged = new Set([...readImportEntries(books)].map(({ subject }) => subject));
    for (const {
      id,
      rows_total,
      rows_new,
      rows_duplicate,
      rows_failed,
      rows_skipped,
      ...source
    } of listImportRecords(books)) {
      // An interrupted import has no entry.
      if (!logged.has(String(id))) continue;
      const rows = {
        total: rows_total,
        new: rows_new,
        duplicate: rows_duplicate,
        failed: rows_failed,
        skipped: rows_skipped,
      };
      yield { subject: String(id), content: formatImport(source, rows) };
    }
  },
  describe: (id) => `bank import ${id}`,
};

const formatImport = (
  { user, file, sha256, digest }: { user: string; file: string; sha256: string; digest: string },
  { total, new: added, duplicate, failed, skipped }: Readonly<Record<string, number>>,
): string => JSON.stringify([user, file, sha256, digest, total, added, duplicate, failed, skipped]);
