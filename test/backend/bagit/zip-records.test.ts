import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openBag } from '../../../src/backend/bagit/bag-reader.ts';
import {
  createCentralDirectoryRecord,
  createEndOfCentralDirectory,
  createLocalHeader,
  localHeaderLength,
  type ZipEntry,
} from '../../../src/backend/bagit/zip-records.ts';

/** ZIP files as others read them: `unzip`, and the library that verifies bags. */
const AT = Date.UTC(2026, 10, 21, 20, 31, 7);

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'some.zip');
}

/** Puts files into a ZIP file, each at the offset it is given, or behind the one before. */
function write(
  path: string,
  files: Iterable<{ name: string; text: string; large?: boolean; offset?: number }>,
): void {
  const file = openSync(path, 'w');
  const records: Buffer[] = [];
  let waiting: Buffer[] = [];
  let begun = 0;
  let cursor = 0;
  const flush = () => {
    writeSync(file, Buffer.concat(waiting), 0, undefined, begun);
    waiting = [];
  };
  for (const { name, text, large = false, offset = cursor } of files) {
    const content = Buffer.from(text);
    const entry: ZipEntry = {
      ...{ name: Buffer.from(name), large, offset },
      ...{ crc: crc32(content), bytes: content.length },
    };
    if (offset !== cursor) {
      flush();
      begun = offset;
    }
    waiting.push(createLocalHeader(entry, AT), content);
    records.push(createCentralDirectoryRecord(entry, AT));
    cursor = offset + localHeaderLength(entry) + content.length;
  }
  const directory = Buffer.concat(records);
  waiting.push(
    directory,
    createEndOfCentralDirectory({ count: records.length, bytes: directory.length, offset: cursor }),
  );
  flush();
  closeSync(file);
}

const listed = (path: string, ...options: string[]) =>
  execFileSync('unzip', [...options, path], { encoding: 'utf8' });

async function texts(path: string): Promise<string[]> {
  const zip = await openBag(path);
  const read: string[] = [];
  for await (const entry of zip.entries()) read.push(`${entry.path}: ${(await entry.hash()).bytes}`);
  zip.close();
  return read;
}

test('files are read back with their names, dates, and bytes', async () => {
  const path = place();
  write(path, [
    { name: 'a/Müller & Söhne_1.pdf', text: 'one' },
    { name: 'a/請求書.pdf', text: '', large: true },
  ]);
  expect(listed(path, '-tq')).toContain('No errors detected');
  expect(execFileSync('unzip', ['-Zlv', path], { encoding: 'utf8', env: { TZ: 'UTC' } })).toContain(
    '2026 Nov 21 20:31:06',
  );
  expect(await texts(path)).toEqual(['Müller & Söhne_1.pdf: 3', '請求書.pdf: 0']);
});

test('more files than ZIP counts without ZIP64', () => {
  const path = place();
  write(
    path,
    Array.from({ length: 65_537 }, (_, at) => ({ name: `a/${at}`, text: at % 1000 === 0 ? 'text' : '' })),
  );
  expect(listed(path, '-Zt')).toContain('65537 files');
});

test('files behind 4 GiB', async () => {
  const path = place();
  write(path, [
    { name: 'a/first', text: 'one' },
    { name: 'a/at the edge', text: 'two', offset: 2 ** 32 - 1 },
    { name: 'a/far behind', text: 'three', large: true, offset: 5 * 2 ** 30 },
  ]);
  expect(listed(path, '-tq')).toContain('No errors detected');
  expect(await texts(path)).toEqual(['first: 3', 'at the edge: 3', 'far behind: 5']);
});
