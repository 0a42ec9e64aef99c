import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { MerkleTree } from '../../../../src/backend/store/audit-log/merkle-tree.ts';
import { verifyAuditLog } from '../../../../src/backend/store/audit-log/verify-audit-log.ts';
import { openSqlite, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { type CheckBench, openCheckBench } from '../../checks/check-bench.ts';
import { SITE } from '../../writer-test-site.ts';

let bench: CheckBench;
afterEach(() => bench.close());
const site = SITE;

/** Creates a site with a few audit entries, closes it and opens it again. Returns its folder. */
async function createAuditedSite(): Promise<string> {
  bench = await openCheckBench({ subscriptions: 2, months: 1 });
  for (const off of [true, false, true]) {
    const { job } = await bench.client.check.switch({ site, rule: 'period-gap', off, reason: 'Tried out.' });
    if (job !== null) await bench.waitForJob(job);
  }
  await bench.reopen();
  return join(bench.home, 'sites', SITE);
}

/** Changes the audit log without its constraints, like someone who edits the file. */
function tamperWithAudit(folder: string, change: (books: WritableDb) => void): boolean {
  const books = openSqlite(join(folder, 'books.db')) as WritableDb;
  for (const trigger of ['no_update', 'no_delete', 'chain_insert', 'head_no_delete']) {
    books.exec(`DROP TRIGGER IF EXISTS audit_${trigger}`);
  }
  change(books);
  const { ok } = verifyAuditLog(books);
  books.close();
  return ok;
}

it('detects entries removed from the end even if the end stored in the books was changed too', async () => {
  const folder = await createAuditedSite();
  const intactResult = await bench.client.audit.verify({ site });
  expect(intactResult).toMatchObject({ ok: true, entries: 4 });
  const isChainValid = tamperWithAudit(folder, (books) => {
    books.exec('DELETE FROM audit WHERE seq > 2');
    const hashes = books.prepare('SELECT hash FROM audit ORDER BY seq').pluck().all() as string[];
    const tree = new MerkleTree();
    for (const hash of hashes) tree.append(Buffer.from(hash, 'hex'));
    books.prepare('UPDATE audit_head SET seq = 2, hash = ?, subtrees = ?').run(hashes[1], tree.toBytes());
  });
  // The hash chain alone does not show the change.
  expect(isChainValid).toBe(true);
  const truncatedResult = await bench.client.audit.verify({ site });
  expect(truncatedResult).toMatchObject({ ok: false, entries: 2, broken_at: 3 });
  expect(truncatedResult.reason).toMatch(/^Entry 3 is missing: on \d{4}-\d\d-\d\d the log had 4 entries\./);

  // A restart refuses such books, and the log can still be verified.
  await bench.reopen();
  await expect(bench.client.backups.make({ site })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('2 of 4 audit log entries are missing'),
  });
  expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: false, entries: 2, broken_at: 3 });
});

it('verifies the log up to an entry whose hash was recorded elsewhere', async () => {
  const folder = await createAuditedSite();
  const { rows } = await bench.client.audit.list({ site });
  const knownHash = rows.find(({ seq }) => seq === 2)!.hash;
  expect(await bench.client.audit.verify({ site, known_hash: knownHash })).toMatchObject({
    ok: true,
    known_hash_seq: 2,
  });
  expect(await bench.client.audit.verify({ site, known_hash: 'a'.repeat(64) })).toMatchObject({
    ok: false,
    known_hash_seq: null,
    broken_at: null,
    reason: expect.stringContaining('matches no state of the log'),
  });
  expect(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))).toMatchObject({
    entries: 4,
    hash: rows[0]?.hash,
  });
});

it('replaces an unreadable anchor and opens the books', async () => {
  const folder = await createAuditedSite();
  writeFileSync(join(folder, 'audit.json'), '{');
  expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true });
  await bench.client.sites.update({ site, title: 'Acme again' });
  await bench.reopen();
  await bench.check();
  expect(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))).toMatchObject({
    hash: (await bench.client.audit.verify({ site })).head,
  });
});
