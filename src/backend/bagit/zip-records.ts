// Records of a ZIP file (PKWARE APPNOTE 6.3.10). Files are stored uncompressed. ZIP64 is used only if required.

export interface ZipEntry {
  /** File name in UTF-8, with `/` as separator. */
  readonly name: Buffer;
  /** True if the local header has room for a 64-bit size. */
  readonly large: boolean;
  readonly crc: number;
  readonly bytes: number;
  /** Offset of the local header in bytes. */
  readonly offset: number;
}

/** Maximum values of 32-bit and 16-bit fields. In a ZIP file, they mean that a ZIP64 record has the actual value. */
const UINT32_MAX = 0xffffffff;
const UINT16_MAX = 0xffff;
const ZIP64_FIELD_ID = 0x0001;
/** ZIP versions required to extract: 2.0, and 4.5 for ZIP64. */
const ZIP_VERSION = 20;
const ZIP64_VERSION = 45;
/** General purpose flag, bit 11: file names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** Marks entries as made on Unix, so that readers apply the file mode. */
const MADE_ON_UNIX = 3 << 8;
const FILE_MODE = 0o100644;

/** Returns true if a file of this size needs a 64-bit local header. */
export const needsZip64 = (bytes: number): boolean => bytes >= UINT32_MAX;

const LOCAL_HEADER_BYTES = 30;
const ZIP64_FIELD_BYTES = 20;

export const getLocalHeaderLength = ({ name, large }: Pick<ZipEntry, 'name' | 'large'>): number =>
  LOCAL_HEADER_BYTES + name.length + (large ? ZIP64_FIELD_BYTES : 0);

/** Returns a local file header (APPNOTE 4.3.7). `at` is UTC milliseconds. */
export function createLocalHeader(entry: ZipEntry, at: number): Buffer {
  const { name, large, crc, bytes } = entry;
  const record = Buffer.alloc(getLocalHeaderLength(entry));
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(large ? ZIP64_VERSION : ZIP_VERSION, 4);
  record.writeUInt16LE(UTF8_FLAG, 6);
  record.writeUInt32LE(toDosTime(at), 10);
  record.writeUInt32LE(crc, 14);
  record.writeUInt32LE(large ? UINT32_MAX : bytes, 18);
  record.writeUInt32LE(large ? UINT32_MAX : bytes, 22);
  record.writeUInt16LE(name.length, 26);
  record.writeUInt16LE(large ? ZIP64_FIELD_BYTES : 0, 28);
  name.copy(record, LOCAL_HEADER_BYTES);
  if (large) createZip64Field([bytes, bytes]).copy(record, LOCAL_HEADER_BYTES + name.length);
  return record;
}

/** Returns a central directory record (APPNOTE 4.3.12). `at` is UTC milliseconds. */
export function createCentralDirectoryRecord(
  { name, large, crc, bytes, offset }: ZipEntry,
  at: number,
): Buffer {
  const fields = [...(needsZip64(bytes) ? [bytes, bytes] : []), ...(offset >= UINT32_MAX ? [offset] : [])];
  const extra = fields.length === 0 ? Buffer.alloc(0) : createZip64Field(fields);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_ON_UNIX | ZIP64_VERSION, 4);
  head.writeUInt16LE(large || fields.length > 0 ? ZIP64_VERSION : ZIP_VERSION, 6);
  head.writeUInt16LE(UTF8_FLAG, 8);
  head.writeUInt32LE(toDosTime(at), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(bytes, UINT32_MAX), 20);
  head.writeUInt32LE(Math.min(bytes, UINT32_MAX), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(FILE_MODE * 0x10000, 38);
  head.writeUInt32LE(Math.min(offset, UINT32_MAX), 42);
  return Buffer.concat([head, name, extra]);
}

/** Returns the end of central directory record (APPNOTE 4.3.16), after ZIP64 records (4.3.14, 4.3.15) if needed. */
export function createEndOfCentralDirectory(directory: {
  count: number;
  bytes: number;
  offset: number;
}): Buffer {
  const { count, bytes, offset } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, UINT16_MAX), 8);
  end.writeUInt16LE(Math.min(count, UINT16_MAX), 10);
  end.writeUInt32LE(Math.min(bytes, UINT32_MAX), 12);
  end.writeUInt32LE(Math.min(offset, UINT32_MAX), 16);
  if (count < UINT16_MAX && bytes < UINT32_MAX && offset < UINT32_MAX) return end;

  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_ON_UNIX | ZIP64_VERSION, 12);
  end64.writeUInt16LE(ZIP64_VERSION, 14);
  for (const [index, value] of [count, count, bytes, offset].entries())
    end64.writeBigUInt64LE(BigInt(value), 24 + index * 8);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** Returns a ZIP64 extra field (APPNOTE 4.5.3). */
function createZip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(ZIP64_FIELD_ID, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
}

/** Converts UTC milliseconds to an MS-DOS date and time, in steps of two seconds, from January 1, 1980. */
function toDosTime(at: number): number {
  const moment = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()];
  const date = ((Math.min(year, 2107) - 1980) << 9) | (month << 5) | day;
  const time =
    (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | Math.floor(moment.getUTCSeconds() / 2);
  return date * 0x10000 + time;
}
