import type { AuditReceipt } from '../../../contract/index.ts';
import { AUDIT_GENESIS_HASH, type AuditEntryContent, hashAuditEntry } from './audit-log.ts';
import { MerkleTree } from './merkle-tree.ts';
import { type AuditLogError, SignatureVerifier } from './signature-verifier.ts';

/** An audit log entry as stored, with its position and hashes. */
export interface StoredAuditEntry extends AuditEntryContent {
  seq: number;
  previous_hash: string;
  hash: string;
}

/** Audit actions that return a receipt: sign-offs, reports, packs and restores. */
const RECEIPT_ACTION = /^(periods|report|pack|backups)\./;
const HASH_BYTES = 32;

/** Verifies an audit log entry by entry. Also finds how many entries a separately recorded hash proves. */
export class AuditLogVerifier {
  /** Hash of the last verified entry. */
  last = AUDIT_GENESIS_HASH;
  readonly #known: ReadonlySet<string>;
  readonly #proven = new Map<string, number>();
  readonly #tree = new MerkleTree();
  readonly #signatures = new SignatureVerifier((entries) => this.#rootAt(entries));
  /** Merkle roots of the log after each action with a receipt, by number of entries. */
  readonly #roots = new Map<number, string>();
  #leaves = Buffer.alloc(1024 * HASH_BYTES);

  /** `known` contains lowercase hex hashes of receipts or entries recorded outside the log. */
  constructor(known: readonly string[] = []) {
    this.#known = new Set(known);
  }

  /** Number of entries verified without an error so far. */
  get entries(): number {
    return this.#tree.size;
  }

  /** Verifies the next entry. Returns its error, or null if the entry is valid. */
  add({ seq, previous_hash, hash, ...content }: StoredAuditEntry): AuditLogError | null {
    const next = this.entries + 1;
    const fail = (reason: string): AuditLogError => ({ seq: next, reason });
    if (seq !== next) return fail(`Entry ${next} is missing.`);
    if (previous_hash !== this.last)
      return fail(`Entry ${seq} does not follow the previous entry: one of the two was changed.`);
    if (hashAuditEntry(previous_hash, content) !== hash)
      return fail(`Entry ${seq} was changed after it was written.`);
    const error = this.#signatures.add(seq, content);
    if (error !== null) return error;
    this.#append(hash);
    if (RECEIPT_ACTION.test(content.action)) this.#roots.set(seq, this.#tree.root());
    if (this.#proven.size < this.#known.size) this.#compareWithKnown(hash);
    return null;
  }

  #append(hash: string): void {
    const end = this.#tree.size * HASH_BYTES;
    if (end === this.#leaves.length) this.#leaves = Buffer.concat([this.#leaves, Buffer.alloc(end)]);
    this.#leaves.write(hash, end, 'hex');
    this.#tree.append(Buffer.from(this.#leaves.subarray(end, end + HASH_BYTES)));
    this.last = hash;
  }

  #compareWithKnown(hash: string): void {
    for (const state of [hash, this.#roots.get(this.entries)])
      if (state !== undefined && this.#known.has(state)) this.#proven.set(state, this.entries);
  }

  /** Returns the Merkle root (hex) of the first `entries` entries, or null if the log has fewer. */
  #rootAt(entries: number): string | null {
    if (entries < 0 || entries > this.entries) return null;
    if (entries === this.entries) return this.#tree.root();
    const known = this.#roots.get(entries);
    if (known !== undefined) return known;
    for (const tree of this.#replay(entries)) if (tree.size === entries) return tree.root();
    return new MerkleTree().root();
  }

  /** Yields the Merkle tree after each of the first `entries` entries. */
  *#replay(entries: number): Generator<MerkleTree> {
    const tree = new MerkleTree();
    for (let at = 0; at < entries * HASH_BYTES; at += HASH_BYTES) {
      tree.append(Buffer.from(this.#leaves.subarray(at, at + HASH_BYTES)));
      yield tree;
    }
  }

  /** Returns the number of entries that a recorded hash proves, or null if the log never had this hash. */
  countProvenEntries(known: string): number | null {
    return this.#proven.get(known) ?? this.#findState(known);
  }

  /** Compares every earlier state of the log, because a person can request a receipt at any time. */
  #findState(known: string): number | null {
    if (this.#tree.root() === known) return this.entries;
    for (const tree of this.#replay(this.entries)) if (tree.root() === known) return tree.size;
    return null;
  }

  /** Returns true if `hash` is the Merkle root of the first `entries` entries. */
  isState({ entries, hash }: { readonly entries: number; readonly hash: string }): boolean {
    return this.#rootAt(entries) === hash;
  }

  /** Returns the receipt of the entries verified so far. */
  receipt(): AuditReceipt {
    return { entries: this.entries, hash: this.#tree.root() };
  }

  /** Returns the complete subtrees of the verified entries' Merkle tree. */
  subtrees(): Buffer {
    return this.#tree.toBytes();
  }
}
