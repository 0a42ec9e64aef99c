/** Yields a JSON list `"name":[…]`, one row per line, so that the complete list is never in memory. */
export function* toJsonList(name: string, rows: Iterable<unknown>): Generator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield ']';
}
