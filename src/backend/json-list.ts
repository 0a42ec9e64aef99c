/** A member of a JSON object that is a list, one row a line, so that a long list is never held: `"name":[…]`. */
export function* jsonList(name: string, rows: Iterable<unknown>): Generator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield ']';
}
