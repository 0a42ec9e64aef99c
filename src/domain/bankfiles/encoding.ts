/** A file's text and the encoding it was read by. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/** Whether the name is one that the Encoding standard knows. */
export function isEncoding(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Bytes as text. A byte order mark decides; then the encoding asked for; then UTF-16 where every other byte is zero; then
 * UTF-8 where the bytes are valid UTF-8, for texts of other encodings hardly ever are; then the encoding that the file's head names;
 * then Windows-1252, in which no byte is invalid.
 */
export function decode(bytes: Uint8Array, asked?: string, named?: string): Decoded {
  const marked = byMark(bytes);
  if (marked !== null) return decoded(bytes, marked);
  if (asked !== undefined && isEncoding(asked)) return decoded(bytes, asked);
  const wide = wideEncoding(bytes);
  if (wide !== null) return decoded(bytes, wide);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    // Not UTF-8.
  }
  const told = named !== undefined && isEncoding(named) ? new TextDecoder(named).encoding : 'utf-8';
  return decoded(bytes, told === 'utf-8' ? 'windows-1252' : told);
}

const decoded = (bytes: Uint8Array, name: string): Decoded => {
  const decoder = new TextDecoder(name);
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
};

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 without a mark: in a text with Latin letters one of two bytes is mostly zero, the other never. */
function wideEncoding(bytes: Uint8Array): string | null {
  const end = Math.min(bytes.length, 2000) & ~1;
  if (end < 8) return null;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const most = end / 2;
  if (zeros[1] > most * 0.7 && zeros[0] === 0) return 'utf-16le';
  return zeros[0] > most * 0.7 && zeros[1] === 0 ? 'utf-16be' : null;
}

const names = new Map([
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16'],
  ['windows-1252', 'Windows-1252'],
]);

/** For people. */
export const encodingName = (encoding: string): string => names.get(encoding) ?? encoding;
