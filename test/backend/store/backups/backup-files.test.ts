import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addAuditEntry } from '../../../../src/backend/store/audit-log/audit-log.ts';
import { verifyBackup } from '../../../../src/backend/store/backups/back-up-books.ts';
import { openSqlite, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { createTemporaryFolder, openTemporaryStore } from '../temporary-store.ts';

test('a backup whose audit log was changed in the middle is refused', () => {
  const books = openTemporaryStore('books');
  for (const subject of ['a', 'b', 'c']) {
    addAuditEntry(books, { at: 1_790_000_000_000, user: 'ada', action: 'period.open', subject, detail: {} });
  }
  books.pragma('wal_checkpoint(TRUNCATE)');
  const path = join(createTemporaryFolder(), 'backup.db');
  copyFileSync(books.name, path);
  verifyBackup(books, path);
  const backup = openSqlite(path) as WritableDb;
  backup.exec('DROP TRIGGER audit_no_update');
  backup.exec("UPDATE audit SET subject = 'x' WHERE seq = 2");
  backup.close();
  expect(() => verifyBackup(books, path)).toThrow('the audit log of the backup is not valid');
});
