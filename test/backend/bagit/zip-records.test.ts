import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { writeZip } from './write-zip.ts';

// The files are read with `unzip` and with the library that verifies bags.

function createZipPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'some.zip');
}

const runUnzip = (path: string, ...options: string[]) =>
  execFileSync('unzip', [...options, path], { encoding: 'utf8' });

/** Returns the path and size of each file. */
const listEntries = (path: string): Promise<string[]> =>
  withOpenBag(path, [], async (zip) => {
    const entries: string[] = [];
    for await (const entry of zip.entries()) entries.push(`${entry.path}: ${(await entry.hash()).bytes}`);
    return entries;
  });

test('stores names, dates and sizes', async () => {
  const path = createZipPath();
  writeZip(path, [
    { name: 'a/Müller & Söhne_1.pdf', text: 'one' },
    { name: 'a/請求書.pdf', text: '', large: true },
  ]);
  expect(runUnzip(path, '-tq')).toContain('No errors detected');
  expect(execFileSync('unzip', ['-Zlv', path], { encoding: 'utf8', env: { TZ: 'UTC' } })).toContain(
    '2026 Nov 21 20:31:06',
  );
  expect(await listEntries(path)).toEqual(['Müller & Söhne_1.pdf: 3', '請求書.pdf: 0']);
});

test('stores more files than ZIP can count without ZIP64', () => {
  const path = createZipPath();
  writeZip(
    path,
    Array.from({ length: 65_537 }, (_, at) => ({ name: `a/${at}`, text: at % 1000 === 0 ? 'text' : '' })),
  );
  expect(runUnzip(path, '-Zt')).toContain('65537 files');
});

test('stores files at offsets above 4 GiB', async () => {
  const path = createZipPath();
  writeZip(path, [
    { name: 'a/first', text: 'one' },
    { name: 'a/at the limit', text: 'two', offset: 2 ** 32 - 1 },
    { name: 'a/beyond the limit', text: 'three', large: true, offset: 5 * 2 ** 30 },
  ]);
  expect(runUnzip(path, '-tq')).toContain('No errors detected');
  expect(await listEntries(path)).toEqual(['first: 3', 'at the limit: 3', 'beyond the limit: 5']);
});
