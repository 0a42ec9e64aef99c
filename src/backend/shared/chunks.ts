/** Yields the rows in arrays of `size` rows. The last array may be shorter. Only one array is in memory at a time. */
export function* toChunks<Row>(rows: Iterable<Row>, size: number): Generator<readonly Row[], void> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
