import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashLeaf, MerkleTree } from '../../../../src/backend/store/audit-log/merkle-tree.ts';

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const all = createHash('sha256');
  for (const part of parts) all.update(part);
  return all.digest();
};

/** Merkle tree hash as RFC 9162, section 2.1.1, defines it: recursively over the list of leaves. */
function computeTreeHash(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), Buffer.from(leaves[0]!));
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(Buffer.of(1), computeTreeHash(leaves.slice(0, left)), computeTreeHash(leaves.slice(left)));
}

it('has the root of RFC 9162 after every appended leaf, also when it is stored in between', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 40 }), (leaves) => {
      let tree = new MerkleTree();
      for (let size = 0; size <= leaves.length; size++) {
        expect(tree.root()).toBe(computeTreeHash(leaves.slice(0, size)).toString('hex'));
        tree = MerkleTree.fromBytes(tree.size, tree.toBytes())!;
        if (size < leaves.length) tree.append(hashLeaf(leaves[size]!));
      }
    }),
    { numRuns: 50 },
  );
});

it('is not restored from subtrees of another size', () => {
  const tree = new MerkleTree();
  for (const leaf of ['a', 'b', 'c']) tree.append(hashLeaf(leaf));
  expect(MerkleTree.fromBytes(3, tree.toBytes())?.root()).toBe(tree.root());
  expect(MerkleTree.fromBytes(4, tree.toBytes())).toBeNull();
  expect(MerkleTree.fromBytes(3, tree.toBytes().subarray(1))).toBeNull();
});
