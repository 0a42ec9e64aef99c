import type { AuditReceipt } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';
import { hashLeaf, MerkleTree } from './merkle-tree.ts';
import { type EntrySigner, signEntryDetail } from './signed-entry.ts';

/** Previous hash of the first entry of an audit log. */
export const AUDIT_GENESIS_HASH = '0'.repeat(64);

export interface NewAuditEntry {
  /** Time of the action in UTC milliseconds. */
  at: number;
  /** Name of the computer's current user. */
  user: string;
  /** Audited action as noun and verb, for example `replay.run`. */
  action: string;
  /** Record that the audited action concerns. */
  subject: string;
  /** Reason for the action, or null if none was required. */
  reason?: string | null;
  detail: Record<string, unknown>;
  /** Person who signs the entry. Undefined if the entry is not signed, or if `detail` already contains a signature. */
  signer?: EntrySigner | undefined;
}

/**
 * Adds an entry to the audit log and to its Merkle tree. Returns the receipt of the log up to this entry. Lone
 * surrogates are replaced, because SQLite cannot store them, and the stored text would no longer match the hash.
 */
export function addAuditEntry(db: WritableDb, entry: NewAuditEntry): AuditReceipt {
  const { at, action, signer } = entry;
  const subject = entry.subject.toWellFormed();
  const reason = (entry.reason ?? '').toWellFormed();
  let detail = JSON.stringify(entry.detail, (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  if (signer !== undefined) {
    const unsigned = { action, subject, reason, detail: JSON.parse(detail) };
    detail = JSON.stringify(signEntryDetail(unsigned, { signer, log: readAuditReceipt(db), at }));
  }
  const content = { at, user: entry.user.toWellFormed(), action, subject, reason, detail };
  const last = readAuditHead(db);
  const previous_hash = last?.hash ?? AUDIT_GENESIS_HASH;
  const hash = hashAuditEntry(previous_hash, content);
  const tree = readMerkleTree(db, last);
  tree.append(Buffer.from(hash, 'hex'));
  insertRow(db, 'audit', { ...content, previous_hash, hash });
  prepareSql(db, 'UPDATE audit_head SET subtrees = ?').run(tree.toBytes());
  return { entries: tree.size, hash: tree.root() };
}

/** Last entry of the audit log with the complete subtrees of its Merkle tree, stored in a separate table. */
export interface AuditHead {
  seq: number;
  hash: string;
  subtrees: Uint8Array;
}

/** Returns the recorded last entry of the audit log, or null if the log is empty. */
export const readAuditHead = (db: ReadableDb): AuditHead | null =>
  select.row<AuditHead>(db, 'SELECT seq, hash, subtrees FROM audit_head');

/** Returns the receipt of the complete audit log: its number of entries and the root of its Merkle tree. */
export function readAuditReceipt(db: ReadableDb): AuditReceipt {
  const tree = readMerkleTree(db, readAuditHead(db));
  return { entries: tree.size, hash: tree.root() };
}

/** Returns the log's Merkle tree. If the stored tree is damaged, builds the tree from all entries. */
function readMerkleTree(db: ReadableDb, head: AuditHead | null): MerkleTree {
  const tree = MerkleTree.fromBytes(head?.seq ?? 0, head?.subtrees ?? new Uint8Array());
  return tree ?? buildMerkleTree(db, Number.MAX_SAFE_INTEGER);
}

/** Builds the tree of the first entries from their stored hashes. */
function buildMerkleTree(db: ReadableDb, entries: number): MerkleTree {
  const tree = new MerkleTree();
  for (const hash of select.values<string>(db, 'SELECT hash FROM audit WHERE seq <= ? ORDER BY seq', entries))
    tree.append(Buffer.from(hash, 'hex'));
  return tree;
}

/** Returns the Merkle root of the first `entries` entries in hex, or null if the log has fewer. */
export function findAuditRoot(db: ReadableDb, entries: number): string | null {
  const tree = buildMerkleTree(db, entries);
  return tree.size === entries ? tree.root() : null;
}

/** Fields of an audit log entry that its hash covers, as stored. */
export interface AuditEntryContent {
  at: number;
  user: string;
  action: string;
  subject: string;
  reason: string;
  detail: string;
}

/** Returns an entry's hash in hex, which is its leaf in the Merkle tree and covers the previous entry's hash. */
export function hashAuditEntry(
  previous: string,
  { at, user, action, subject, reason, detail }: AuditEntryContent,
): string {
  return hashLeaf(JSON.stringify([previous, at, user, action, subject, reason, detail])).toString('hex');
}
