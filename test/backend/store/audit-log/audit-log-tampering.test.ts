import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '../../../../src/backend/store/audit-log/audit-entry-list.ts';
import { addAuditEntry } from '../../../../src/backend/store/audit-log/audit-log.ts';
import { verifyAuditLog } from '../../../../src/backend/store/audit-log/verify-audit-log.ts';
import { migrateStore } from '../../../../src/backend/store/migrations/migrate.ts';
import {
  openSqlite,
  runInTransaction,
  type WritableDb,
} from '../../../../src/backend/store/sqlite/connection.ts';
import { auditEntrySchema } from '../../../../src/contract/index.ts';

const entry = fc.record({
  at: fc.integer({ min: 0, max: 4e12 }),
  user: fc.constantFrom('ada', 'grace', 'unknown'),
  action: fc.constantFrom('exceptions.accept', 'check.switch', 'replay.run', 'sites.add'),
  subject: fc.string({ maxLength: 12 }),
  reason: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: null }),
  detail: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.integer(), fc.string())),
});
const entries = fc.array(entry, { minLength: 1, maxLength: 12 });

/** Empty books without the constraints that reject changes, as someone who edits the file could create. */
const unprotectedBooks = (() => {
  const db = openSqlite(':memory:') as WritableDb;
  migrateStore(db, 'books');
  db.exec(
    'DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; DROP TRIGGER audit_head_no_delete; DROP TRIGGER audit_chain_insert',
  );
  return db.serialize();
})();

/** Creates books without constraints that contain these entries. */
function createLog(all: readonly Parameters<typeof addAuditEntry>[1][]): WritableDb {
  const db = new Database(unprotectedBooks) as WritableDb;
  for (const each of all) runInTransaction(db, () => addAuditEntry(db, each));
  return db;
}

const columns = ['at', 'user', 'action', 'subject', 'reason', 'detail', 'previous_hash', 'hash'] as const;

describe('audit log', () => {
  it('rejects every change and deletion of entries', () => {
    const db = openSqlite(':memory:') as WritableDb;
    migrateStore(db, 'books');
    runInTransaction(db, () =>
      addAuditEntry(db, { at: 1, user: 'ada', action: 'sites.add', subject: 'acme', detail: {} }),
    );
    for (const sql of [
      "UPDATE audit SET user = 'eve'",
      'DELETE FROM audit',
      'DELETE FROM audit_head',
      'INSERT OR REPLACE INTO audit (seq, at, action, subject, detail, previous_hash, hash) VALUES (1, 1, 2, 3, 4, 5, 6)',
    ]) {
      expect(() => db.exec(sql), sql).toThrow();
    }
  });

  it('is valid after it is written, and lists its entries newest first', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const db = createLog(all);
        const verdict = verifyAuditLog(db);
        expect(verdict).toMatchObject({ ok: true, entries: all.length, broken_at: null, reason: null });
        const { rows } = listAuditEntries(db, { filter: {}, limit: 100 });
        expect(rows.map((row) => auditEntrySchema.parse(row))).toEqual(rows);
        expect(rows[0]?.hash).toBe(verdict.head);
        expect(
          rows.map(({ user, action, subject, reason }) => ({ user, action, subject, reason })).reverse(),
        ).toEqual(all.map(({ user, action, subject, reason }) => ({ user, action, subject, reason })));
        db.close();
      }),
    );
  });

  it('is valid with text that SQLite cannot store, which is replaced', () => {
    const half = '\ud83d';
    const db = createLog([
      {
        at: 1,
        user: `ada${half}`,
        action: 'sites.add',
        subject: half,
        reason: `${half}!`,
        detail: { [half]: [half] },
      },
    ]);
    expect(verifyAuditLog(db)).toMatchObject({ ok: true, entries: 1 });
    expect(listAuditEntries(db, { filter: {}, limit: 1 }).rows).toMatchObject([
      { subject: '\ufffd', reason: '\ufffd!' },
    ]);
    db.close();
  });

  it('detects and locates any change of any entry', () => {
    fc.assert(
      fc.property(
        entries,
        fc.nat(),
        fc.constantFrom(...columns),
        fc.string({ maxLength: 6 }),
        (all, pick, column, text) => {
          const db = createLog(all);
          const seq = 1 + (pick % all.length);
          const before = db.prepare(`SELECT ${column} FROM audit WHERE seq = ?`).pluck().get(seq);
          const after = column === 'at' ? Number(before) + 1 : `${before}${text}x`;
          db.prepare(`UPDATE audit SET ${column} = ? WHERE seq = ?`).run(after, seq);
          const verdict = verifyAuditLog(db);
          expect(verdict).toMatchObject({ ok: false, broken_at: seq });
          expect(verdict.reason).toContain(`Entry ${seq}`);
          db.close();
        },
      ),
    );
  });

  it('detects and locates removed and inserted entries, and changed ones with a recomputed hash', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (all, pick) => {
        const seq = 1 + (pick % all.length);
        const withDeletedEntry = createLog(all);
        withDeletedEntry.prepare('DELETE FROM audit WHERE seq = ?').run(seq);
        expect(verifyAuditLog(withDeletedEntry)).toMatchObject({
          ok: false,
          broken_at: seq,
          reason: expect.stringContaining('missing'),
        });
        withDeletedEntry.close();

        const withInsertedEntry = createLog(all);
        withInsertedEntry
          .prepare(
            'INSERT INTO audit (at, user, action, subject, reason, detail, previous_hash, hash) SELECT at, user, action, subject, reason, detail, previous_hash, hash || 1 FROM audit WHERE seq = ?',
          )
          .run(seq);
        expect(verifyAuditLog(withInsertedEntry)).toMatchObject({ ok: false, broken_at: all.length + 1 });
        withInsertedEntry.close();

        // The entries from there on are rewritten with valid hashes, but the stored end of the log differs.
        const forged = createLog(
          all.map((each, at) => (at === seq - 1 ? { ...each, subject: `${each.subject}!` } : each)),
        );
        const genuine = createLog(all);
        const head = genuine.prepare('SELECT hash FROM audit_head').pluck().get();
        forged.prepare('UPDATE audit_head SET hash = ?').run(head);
        expect(verifyAuditLog(forged)).toMatchObject({ ok: false, broken_at: all.length });
        expect(verifyAuditLog(forged).head).not.toBe(head);
        forged.close();
        genuine.close();
      }),
    );
  });
});
