/** Bytes of each character of an encoding, by encoding. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function* listByteSequences(): Generator<readonly number[]> {
  for (let first = 0; first < 256; first++) yield [first];
  for (let first = 0x81; first < 0xfd; first++)
    for (let second = 0x40; second < 0xfd; second++) yield [first, second];
}

function createTable(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  for (const bytes of listByteSequences()) {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  }
  return table;
}

/** Encodes a text in an encoding that `TextDecoder` can read, for example `shift_jis`. */
export function encodeLegacyText(text: string, encoding: string): Uint8Array {
  const table = tables.get(encoding) ?? createTable(encoding);
  tables.set(encoding, table);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no “${character}”.`);
      return bytes;
    }),
  );
}
