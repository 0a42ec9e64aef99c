import { hash } from 'node:crypto';

const LEAF_PREFIX = Buffer.from([0]);
const NODE_PREFIX = Buffer.from([1]);
const HASH_BYTES = 32;

/** Returns the SHA-256 of a leaf (RFC 9162, section 2.1.1). */
export const hashLeaf = (data: string | Buffer): Buffer =>
  hash('sha256', Buffer.concat([LEAF_PREFIX, Buffer.from(data)]), 'buffer');

const hashNode = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');

/**
 * Append-only Merkle tree of RFC 9162. Stores the roots of its complete subtrees, largest first, so that appending a
 * leaf and computing the root take a number of hashes that is logarithmic in the number of leaves.
 */
export class MerkleTree {
  #size = 0;
  #subtrees: Buffer[] = [];

  /** Restores a tree from its number of leaves and the result of `toBytes`. Returns null if the two do not fit. */
  static fromBytes(size: number, bytes: Uint8Array): MerkleTree | null {
    if (bytes.length !== size.toString(2).replaceAll('0', '').length * HASH_BYTES) return null;
    const tree = new MerkleTree();
    tree.#size = size;
    for (let at = 0; at < bytes.length; at += HASH_BYTES)
      tree.#subtrees.push(Buffer.from(bytes.subarray(at, at + HASH_BYTES)));
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  append(leaf: Buffer): void {
    let subtree = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2))
      subtree = hashNode(this.#subtrees.pop()!, subtree);
    this.#subtrees.push(subtree);
    this.#size++;
  }

  /** Returns the root in hex. The root of an empty tree is the SHA-256 of the empty string. */
  root(): string {
    const last = this.#subtrees.at(-1);
    if (last === undefined) return hash('sha256', '', 'hex');
    return this.#subtrees
      .slice(0, -1)
      .reduceRight((right, left) => hashNode(left, right), last)
      .toString('hex');
  }

  /** Returns the hashes of the complete subtrees, largest first, 32 bytes each. */
  toBytes(): Buffer {
    return Buffer.concat(this.#subtrees);
  }
}
