/**
 * The records of a ZIP file by PKWARE's APPNOTE 6.3.10. Files are stored uncompressed, with ZIP64 if counts or sizes
 * require it.
 */

/** A file in a ZIP file. */
export interface ZipEntry {
  /** UTF-8 with `/`. */
  readonly name: Buffer;
  /** True if its local header has room for a 64-bit size. */
  readonly large: boolean;
  readonly crc: number;
  readonly bytes: number;
  /** Offset of its local header. */
  readonly offset: number;
}

/**
 * A value that does not fit into its four or two bytes is stored in a ZIP64 record, and the field itself has all bits
 * set.
 */
const FULL = 0xffffffff;
const FULL_SHORT = 0xffff;
const ZIP64_FIELD = 0x0001;
/** Version 2.0, and 4.5 for ZIP64. */
const PLAIN_VERSION = 20;
const ZIP64_VERSION = 45;
/** Bit 11: names are UTF-8. */
const UTF8 = 0x0800;
/** Marks the entry as made on Unix, so that readers apply its file mode. */
const UNIX = 3 << 8;
const MODE = 0o100644;

/** Returns true if a file of this size needs a 64-bit local header. */
export const needsZip64 = (bytes: number): boolean => bytes >= FULL;

const LOCAL = 30;
const LARGE_FIELD = 20;

export const localLength = ({ name, large }: Pick<ZipEntry, 'name' | 'large'>): number =>
  LOCAL + name.length + (large ? LARGE_FIELD : 0);

/** Returns a local file header (section 4.3.7). `at` is UTC milliseconds. */
export function localHeader(entry: ZipEntry, at: number): Buffer {
  const { name, large, crc, bytes } = entry;
  const record = Buffer.alloc(localLength(entry));
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(large ? ZIP64_VERSION : PLAIN_VERSION, 4);
  record.writeUInt16LE(UTF8, 6);
  record.writeUInt32LE(dosTime(at), 10);
  record.writeUInt32LE(crc, 14);
  record.writeUInt32LE(large ? FULL : bytes, 18);
  record.writeUInt32LE(large ? FULL : bytes, 22);
  record.writeUInt16LE(name.length, 26);
  record.writeUInt16LE(large ? LARGE_FIELD : 0, 28);
  name.copy(record, LOCAL);
  if (large) field64([bytes, bytes]).copy(record, LOCAL + name.length);
  return record;
}

/** Returns a central directory record (section 4.3.12). `at` is UTC milliseconds. */
export function centralRecord({ name, large, crc, bytes, offset }: ZipEntry, at: number): Buffer {
  const fields = [...(needsZip64(bytes) ? [bytes, bytes] : []), ...(offset >= FULL ? [offset] : [])];
  const extra = fields.length === 0 ? Buffer.alloc(0) : field64(fields);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(UNIX | ZIP64_VERSION, 4);
  head.writeUInt16LE(large || fields.length > 0 ? ZIP64_VERSION : PLAIN_VERSION, 6);
  head.writeUInt16LE(UTF8, 8);
  head.writeUInt32LE(dosTime(at), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(bytes, FULL), 20);
  head.writeUInt32LE(Math.min(bytes, FULL), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(MODE * 0x10000, 38);
  head.writeUInt32LE(Math.min(offset, FULL), 42);
  return Buffer.concat([head, name, extra]);
}

/**
 * Returns the end of central directory record (section 4.3.16), preceded by its ZIP64 records (4.3.14, 4.3.15) if needed.
 */
export function endRecords({
  count,
  bytes,
  offset,
}: {
  count: number;
  bytes: number;
  offset: number;
}): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, FULL_SHORT), 8);
  end.writeUInt16LE(Math.min(count, FULL_SHORT), 10);
  end.writeUInt32LE(Math.min(bytes, FULL), 12);
  end.writeUInt32LE(Math.min(offset, FULL), 16);
  if (count < FULL_SHORT && bytes < FULL && offset < FULL) return end;

  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(UNIX | ZIP64_VERSION, 12);
  end64.writeUInt16LE(ZIP64_VERSION, 14);
  for (const [at, value] of [count, count, bytes, offset].entries()) {
    end64.writeBigUInt64LE(BigInt(value), 24 + at * 8);
  }
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** Returns a ZIP64 extra field (section 4.5.3). */
function field64(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(ZIP64_FIELD, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + at * 8);
  return field;
}

/** Returns date and time in UTC with two-second resolution. Instants before 1980 become its first day. */
function dosTime(at: number): number {
  const moment = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()];
  const date = ((Math.min(year, 2107) - 1980) << 9) | (month << 5) | day;
  const time =
    (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | Math.floor(moment.getUTCSeconds() / 2);
  return date * 0x10000 + time;
}
