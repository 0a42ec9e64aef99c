/** Yields rows in chunks. The last one may be shorter. Only one chunk is held in memory. */
export function* inChunks<Row>(
  rows: Iterable<Row>,
  size: number,
): Generator<readonly Row[], void, undefined> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
