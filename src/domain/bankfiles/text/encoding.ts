import { type BankFileBytes, readFirstBytes } from './file-bytes.ts';

/** Returns true if the Encoding standard defines the encoding name. */
export function isEncodingName(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

/** The decoded text of a file in chunks. Can be read repeatedly from the start. */
export class DecodedFileText {
  readonly encoding: string;
  /** True if invalid bytes were found. They are decoded as U+FFFD. */
  hasInvalidCharacters = false;
  readonly #bytes: BankFileBytes;

  constructor(bytes: BankFileBytes, encoding: string) {
    this.#bytes = bytes;
    this.encoding = encoding;
  }

  *chunks(): Generator<string> {
    let first = true;
    for (const chunk of decodeChunks(this.#bytes, this.encoding)) {
      this.hasInvalidCharacters ||= chunk.includes('\ufffd');
      yield first ? chunk.replace(/^\ufeff/, '') : chunk;
      first &&= chunk === '';
    }
  }

  /** Returns at most the first `length` characters. */
  head(length: number): string {
    let head = '';
    for (const chunk of this.chunks()) {
      head += chunk;
      if (head.length >= length) break;
    }
    return head.slice(0, length);
  }
}

function* decodeChunks(bytes: BankFileBytes, encoding: string, fatal = false): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  for (const chunk of bytes.chunks()) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * Decodes bytes with the first encoding that applies: by byte order mark; the requested encoding; UTF-16 if every
 * other byte is zero; UTF-8 if the bytes are valid UTF-8; the encoding named at the start of the file; Windows-1252,
 * in which every byte is valid.
 */
export const decodeText = (bytes: BankFileBytes, requested?: string, declared?: string): DecodedFileText =>
  new DecodedFileText(bytes, new TextDecoder(detectEncoding(bytes, requested, declared)).encoding);

function detectEncoding(bytes: BankFileBytes, requested?: string, named?: string): string {
  const head = readFirstBytes(bytes, 2000);
  const encodingByMark = detectByteOrderMark(head);
  if (encodingByMark !== null) return encodingByMark;
  if (requested !== undefined && isEncodingName(requested)) return requested;
  const utf16 = detectUtf16(head);
  if (utf16 !== null) return utf16;
  if (isUtf8(bytes)) return 'utf-8';
  const declared = named !== undefined && isEncodingName(named) ? new TextDecoder(named).encoding : 'utf-8';
  return declared === 'utf-8' ? 'windows-1252' : declared;
}

function isUtf8(bytes: BankFileBytes): boolean {
  const chunks = decodeChunks(bytes, 'utf-8', true);
  try {
    while (!chunks.next().done);
    return true;
  } catch {
    return false;
  }
}

function detectByteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** Detects UTF-16 without a byte order mark. In Latin text, one byte of each pair is usually zero. */
function detectUtf16(bytes: Uint8Array): string | null {
  const end = bytes.length & ~1;
  if (end < 8) return null;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const unitCount = end / 2;
  if (zeros[1] > unitCount * 0.7 && zeros[0] === 0) return 'utf-16le';
  return zeros[0] > unitCount * 0.7 && zeros[1] === 0 ? 'utf-16be' : null;
}

const names = new Map([
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16'],
  ['windows-1252', 'Windows-1252'],
]);

export const getEncodingLabel = (encoding: string): string => names.get(encoding) ?? encoding;
