import type { AuditReceipt } from '../../../contract/index.ts';
import { AUDIT_GENESIS_HASH, type AuditEntryContent, hashAuditEntry } from './audit-log.ts';
import { MerkleTree } from './merkle-tree.ts';

/** An audit log entry with its position and hashes, as stored. */
export interface StoredAuditEntry extends AuditEntryContent {
  seq: number;
  previous_hash: string;
  hash: string;
}

/** Recomputes the hashes of an audit log, entry by entry, and looks for the states that recorded hashes belong to. */
export class AuditLogVerifier {
  /** Hash of the last verified entry. */
  last = AUDIT_GENESIS_HASH;
  readonly #known: ReadonlySet<string>;
  readonly #proven = new Map<string, number>();
  readonly #tree = new MerkleTree();

  /** `known` are hashes of receipts or entries in lowercase hex that were recorded elsewhere. */
  constructor(known: readonly string[] = []) {
    this.#known = new Set(known);
  }

  /** Number of entries without an error so far. */
  get entries(): number {
    return this.#tree.size;
  }

  /** Verifies the next entry. Returns what is wrong with it as a sentence, or null. */
  add({ seq, previous_hash, hash, ...content }: StoredAuditEntry): string | null {
    const next = this.entries + 1;
    if (seq !== next) return `Entry ${next} is missing.`;
    if (previous_hash !== this.last)
      return `Entry ${seq} does not follow the previous entry: one of the two was changed.`;
    if (hashAuditEntry(previous_hash, content) !== hash)
      return `Entry ${seq} was changed after it was written.`;
    this.#tree.append(Buffer.from(hash, 'hex'));
    this.last = hash;
    if (this.#proven.size < this.#known.size) this.#compareWithKnown(hash);
    return null;
  }

  #compareWithKnown(hash: string): void {
    for (const state of [hash, this.#tree.root()])
      if (this.#known.has(state)) this.#proven.set(state, this.entries);
  }

  /** Returns the number of entries that a recorded hash proves, or null if the log does not lead to it. */
  countProvenEntries(known: string): number | null {
    return this.#proven.get(known) ?? null;
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
