import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  createCentralDirectoryRecord,
  createEndOfCentralDirectory,
  createLocalHeader,
  getLocalHeaderLength,
  type ZipEntry,
} from '../../../src/backend/bagit/zip-records.ts';

const AT = Date.UTC(2026, 10, 21, 20, 31, 7);

/** Writes files into a ZIP file, each at its offset or after the previous file. */
export function writeZip(
  path: string,
  files: Iterable<{ name: string; text: string; large?: boolean; offset?: number }>,
): void {
  const file = openSync(path, 'w');
  const records: Buffer[] = [];
  let pending: Buffer[] = [];
  let pendingOffset = 0;
  let cursor = 0;
  const flush = () => {
    writeSync(file, Buffer.concat(pending), 0, undefined, pendingOffset);
    pending = [];
  };
  for (const { name, text, large = false, offset = cursor } of files) {
    const content = Buffer.from(text);
    const entry: ZipEntry = {
      ...{ name: Buffer.from(name), large, offset },
      ...{ crc: crc32(content), bytes: content.length },
    };
    if (offset !== cursor) {
      flush();
      pendingOffset = offset;
    }
    pending.push(createLocalHeader(entry, AT), content);
    records.push(createCentralDirectoryRecord(entry, AT));
    cursor = offset + getLocalHeaderLength(entry) + content.length;
  }
  const directory = Buffer.concat(records);
  pending.push(
    directory,
    createEndOfCentralDirectory({ count: records.length, bytes: directory.length, offset: cursor }),
  );
  flush();
  closeSync(file);
}
