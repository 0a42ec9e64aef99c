/** The bytes of a file in chunks, readable repeatedly. A chunk is valid until the next one is requested. */
export type BankFileBytes = { readonly size: number; chunks(): Iterable<Uint8Array> };

/** Returns at most the first `length` bytes of a file. */
export function readFirstBytes(bytes: BankFileBytes, length: number): Uint8Array {
  const head = new Uint8Array(Math.min(bytes.size, length));
  let filled = 0;
  for (const chunk of bytes.chunks()) {
    const taken = chunk.subarray(0, head.length - filled);
    head.set(taken, filled);
    filled += taken.length;
    if (filled === head.length) break;
  }
  return head.subarray(0, filled);
}

export const toFileBytes = (bytes: Uint8Array): BankFileBytes => ({
  size: bytes.length,
  chunks: () => [bytes],
});
