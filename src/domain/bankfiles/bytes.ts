/** The bytes of a file, piece by piece from its start, as often as they are asked for. A piece is good until the next one is asked for. */
export interface FileBytes {
  readonly size: number;
  pieces(): Iterable<Uint8Array>;
}

/** The first bytes of a file, at most so many. */
export function headOf(bytes: FileBytes, length: number): Uint8Array {
  const head = new Uint8Array(Math.min(bytes.size, length));
  let filled = 0;
  for (const piece of bytes.pieces()) {
    const taken = piece.subarray(0, head.length - filled);
    head.set(taken, filled);
    filled += taken.length;
    if (filled === head.length) break;
  }
  return head.subarray(0, filled);
}

export const inMemory = (bytes: Uint8Array): FileBytes => ({ size: bytes.length, pieces: () => [bytes] });
