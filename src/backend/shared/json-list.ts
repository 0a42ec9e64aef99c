/** Yields `"name":[…]`, one row per line, so that a long list is never in memory as a whole. */
export function* toJsonList(name: string, rows: Iterable<unknown>): Generator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield ']';
}
