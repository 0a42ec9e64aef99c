/**
 * Yields a JSON object member that is a list, one row per line, so that a long list is never held in memory:
 * `"name":[…]`.
 */
export function* jsonList(name: string, rows: Iterable<unknown>): Generator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield ']';
}
