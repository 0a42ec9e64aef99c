import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ExportSourceFile } from '../../../src/backend/bagit/bag-target.ts';
import { openFolderTarget } from '../../../src/backend/bagit/folder-target.ts';
import { verifyBagAtPath } from '../../../src/backend/bagit/verify-bag.ts';
import { type BagContent, writeBag } from '../../../src/backend/bagit/write-bag.ts';
import { openZipTarget } from '../../../src/backend/bagit/zip-target.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'tieout-bag-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
});

/** Controls of an export that is never aborted. */
const noAbort = (): Parameters<typeof writeBag>[2] => ({
  signal: new AbortController().signal,
  progress: () => undefined,
});
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes files to be exported into their own folder. */
function createSources(texts: Record<string, string>): ExportSourceFile[] {
  mkdirSync(join(work, 'store'), { recursive: true });
  return Object.entries(texts).map(([path, text]) => {
    const source = join(work, 'store', sha256(text));
    writeFileSync(source, text);
    return { path: `data/${path}`, source, sha256: sha256(text), bytes: Buffer.byteLength(text) };
  });
}

const toContent = (files: readonly ExportSourceFile[]): BagContent => ({
  files: () => files,
  tables: (isIn) => [
    ['data/index.csv', files.filter(({ path }) => isIn(path)).map(({ path }) => `${path}\r\n`)],
  ],
  info: [['Source-Organization', 'Acme']],
  date: '2026-11-01',
});

const write = async (folder: string, files: readonly ExportSourceFile[], controls = noAbort()) =>
  writeBag(await openFolderTarget(folder), toContent(files), controls);

const verify = (bag: string) => verifyBagAtPath(bag, {});

/** Returns the contents of all files in a folder by relative path. */
function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

const three = { 'a/1.pdf': 'one', 'a/2.pdf': 'two', 'b/100% sure.pdf': 'three' };

test('writes a folder that other tools verify as a bag', async () => {
  const folder = join(work, 'bag');
  expect(await write(folder, createSources(three))).toMatchObject({
    written: 3,
    unchanged: 0,
    damaged: [],
    files: 4,
  });
  expect(readTree(folder)).toMatchObject({
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'data/a/1.pdf': 'one',
    'data/index.csv': 'data/a/1.pdf\r\ndata/a/2.pdf\r\ndata/b/100% sure.pdf\r\n',
    'bag-info.txt': expect.stringContaining('Payload-Oxum: 61.4\n'),
  });
  // RFC 8493 writes % as %25, which sha256sum does not know.
  const manifest = readFileSync(join(folder, 'manifest-sha256.txt'), 'utf8').replaceAll('%25', '%');
  execFileSync('sha256sum', ['-c', '--quiet', '-'], { cwd: folder, input: manifest });
  execFileSync('sha256sum', ['-c', '--quiet', 'tagmanifest-sha256.txt'], { cwd: folder });
  expect(await verify(folder)).toMatchObject({ wrong: 0, files: 4, bytes: 61 });
});

test('writes the same bag into a ZIP file', async () => {
  const zip = join(work, 'bag.zip');
  const written = await writeBag(
    await openZipTarget(zip, Date.UTC(2026, 10, 1)),
    toContent(createSources(three)),
    noAbort(),
  );
  execFileSync('unzip', ['-tq', zip]);
  const again = join(work, 'again', 'bag.zip');
  await writeBag(
    await openZipTarget(again, Date.UTC(2026, 10, 1)),
    toContent(createSources(three)),
    noAbort(),
  );
  expect(readFileSync(again).equals(readFileSync(zip))).toBe(true);
  execFileSync('unzip', ['-q', zip, '-d', join(work, 'unzipped')]);
  const folder = join(work, 'bag');
  const same = await write(folder, createSources(three));
  expect(readTree(join(work, 'unzipped', 'bag'))).toEqual(readTree(folder));
  expect(written.checksum).toBe(same.checksum);
  expect(await verify(zip)).toMatchObject({ wrong: 0, checksum: written.checksum });
  expect(readdirSync(work).sort()).toEqual(['again', 'bag', 'bag.zip', 'store', 'unzipped']);
});

describe('writing into an earlier export', () => {
  test('writes only new and changed files and keeps the others', async () => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    const before = statSync(join(folder, 'data/a/1.pdf'));
    const again = await write(
      folder,
      createSources({ 'a/1.pdf': 'one', 'a/2.pdf': 'TWO', 'c/4.pdf': 'four' }),
    );
    expect(again).toMatchObject({ written: 2, unchanged: 1, from_earlier_exports: 1 });
    expect(statSync(join(folder, 'data/a/1.pdf')).ino).toBe(before.ino);
    expect(readTree(folder)).toMatchObject({ 'data/a/2.pdf': 'TWO', 'data/b/100% sure.pdf': 'three' });
    expect(await verify(folder)).toMatchObject({ wrong: 0, files: 5 });
  });

  test.each([
    ['a foreign file in the payload', 'data/notes.txt'],
    ['a foreign file in the folder', 'budget.xlsx'],
    ['a changed index', 'data/index.csv'],
    ['a changed PDF', 'data/a/2.pdf'],
  ])('does not overwrite %s', async (_, path) => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    writeFileSync(join(folder, path), 'mine');
    const attempt = write(folder, createSources({ ...three, 'a/2.pdf': 'TWO' }));
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(folder, path), 'utf8')).toBe('mine');
  });

  test('rejects a link that points outside the folder, and writes nothing through it', async () => {
    const [folder, outside] = [join(work, 'bag'), join(work, 'outside')];
    mkdirSync(folder);
    mkdirSync(outside);
    symlinkSync(outside, join(folder, 'data'));
    await expect(write(folder, createSources(three))).rejects.toMatchObject({ code: 'conflict' });
    rmSync(join(folder, 'data'));
    await write(folder, createSources({ 'a/1.pdf': 'one' }));
    rmSync(join(folder, 'data/a'), { recursive: true });
    symlinkSync(outside, join(folder, 'data/a'));
    await expect(write(folder, createSources(three))).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(outside)).toEqual([]);
  });
});

test.each([
  ['the partly written files', '.tieout-parts'],
  ['the payload folder', 'data'],
  ['a payload folder', 'data/a'],
  ['a nested payload folder', 'data/a/deep'],
])('rejects a link that replaces %s before an export, and leaves its target unchanged', async (_, at) => {
  const [folder, outside] = [join(work, 'bag'), join(work, 'outside')];
  mkdirSync(join(folder, at, '..'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'mine.txt'), 'mine');
  symlinkSync(outside, join(folder, at));
  const attempt = write(folder, createSources({ 'a/1.pdf': 'one', 'a/deep/2.pdf': 'two' }));
  await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  expect(readTree(outside)).toEqual({ 'mine.txt': 'mine' });
});

test.each([
  ['the partly written files', '.tieout-parts'],
  ['the payload folder', 'data'],
  ['a folder that has been written to', 'data/a'],
  ['the folder to be written to next', 'data/b'],
  ['the file to be written next', 'data/a/2.pdf'],
])('rejects a link that replaces %s during an export, and writes nothing through it', async (_, at) => {
  const [folder, outside] = [join(work, 'bag'), join(work, 'outside')];
  mkdirSync(outside);
  writeFileSync(join(outside, 'mine.txt'), 'mine');
  const target = at.endsWith('.pdf') ? join(outside, 'mine.txt') : outside;
  const progress = (done: number) => {
    if (done !== 1) return;
    rmSync(join(folder, at), { recursive: true, force: true });
    symlinkSync(target, join(folder, at));
  };
  const sink = await openFolderTarget(folder);
  const attempt = writeBag(sink, toContent(createSources(three)), { ...noAbort(), progress });
  await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  expect(readTree(outside)).toEqual({ 'mine.txt': 'mine' });
});

test('replaces a link by the ZIP file and leaves the link’s target unchanged', async () => {
  const zip = join(work, 'bag.zip');
  writeFileSync(join(work, 'mine.txt'), 'mine');
  symlinkSync(join(work, 'mine.txt'), zip);
  await writeBag(await openZipTarget(zip, 0), toContent(createSources(three)), noAbort());
  expect(readFileSync(join(work, 'mine.txt'), 'utf8')).toBe('mine');
  expect((await verify(zip)).wrong).toBe(0);
});

test('leaves damaged and missing files out of a folder, lists them, and writes a valid bag', async () => {
  const files = createSources(three);
  writeFileSync(files[0]!.source, 'bad');
  rmSync(files[1]!.source);
  const folder = join(work, 'bag');
  expect(await write(folder, files)).toMatchObject({ written: 1, damaged: ['data/a/1.pdf', 'data/a/2.pdf'] });
  expect(existsSync(join(folder, 'data/a/1.pdf'))).toBe(false);
  expect(await verify(folder)).toMatchObject({ wrong: 0 });
});

test('leaves a damaged file out of a ZIP file, at any position and of any length', async () => {
  for (const damagedIndex of [0, 1, 2]) {
    const files = createSources(three);
    // Longer than everything that follows.
    writeFileSync(files[damagedIndex]!.source, 'bad '.repeat(200_000));
    const zip = join(work, `bag-${damagedIndex}.zip`);
    const written = await writeBag(await openZipTarget(zip, 0), toContent(files), noAbort());
    expect(written).toMatchObject({ written: 2, damaged: [files[damagedIndex]!.path] });
    execFileSync('unzip', ['-tqq', zip]);
    expect(statSync(zip).size).toBeLessThan(10_000);
    expect(await verify(zip)).toMatchObject({ wrong: 0 });
  }
});

test('deletes only the temporary files of a killed export of the same ZIP file', async () => {
  const foreign = ['.bag.zip.mine.part', '.other.zip.0123abcd.part', 'bag.zip.part'];
  for (const name of [...foreign, '.bag.zip.0123abcd.part', '.bag.zip.0123abcd.part.directory']) {
    writeFileSync(join(work, name), 'left');
  }
  await writeBag(await openZipTarget(join(work, 'bag.zip'), 0), toContent(createSources(three)), noAbort());
  expect(readdirSync(work).sort()).toEqual([...foreign, 'bag.zip', 'store'].sort());
});

test('leaves no files when an export to a ZIP file is aborted', async () => {
  const stop = new AbortController();
  const sink = await openZipTarget(join(work, 'out', 'bag.zip'), 0);
  const progress = (done: number) => void (done === 2 && stop.abort());
  await expect(
    writeBag(sink, toContent(createSources(three)), { signal: stop.signal, progress }),
  ).rejects.toThrow();
  await sink.abandon();
  expect(readdirSync(join(work, 'out'))).toEqual([]);
});

test('recognizes an unfinished export by its folder of partly written files', async () => {
  const folder = join(work, 'bag');
  const stop = new AbortController();
  const progress = (done: number) => void (done === 2 && stop.abort());
  await expect(write(folder, createSources(three), { signal: stop.signal, progress })).rejects.toThrow();
  // Killed right after it was resumed: nothing was cleaned up.
  await openFolderTarget(folder);
  expect(await write(folder, createSources(three))).toMatchObject({ unchanged: 2, written: 1 });
});

test('resumes to the same bag after an abort at any file', async () => {
  const texts = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`x/${at}.pdf`, `text ${at}`]));
  const whole = join(work, 'whole');
  await write(whole, createSources(texts));
  for (let after = 1; after <= 6; after++) {
    const folder = join(work, `stopped-${after}`);
    const stop = new AbortController();
    const sink = await openFolderTarget(folder);
    const progress = (done: number) => void (done === after && stop.abort());
    await expect(
      writeBag(sink, toContent(createSources(texts)), { signal: stop.signal, progress }),
    ).rejects.toThrow();
    await sink.abandon();
    expect(await write(folder, createSources(texts))).toMatchObject({ unchanged: after, written: 6 - after });
    expect(readTree(folder)).toEqual(readTree(whole));
  }
});

describe('verification', () => {
  const cases: [string, (folder: string) => void, string][] = [
    [
      'a changed byte',
      (folder) => writeFileSync(join(folder, 'data/a/1.pdf'), 'onE'),
      'data/a/1.pdf: does not match its SHA-256',
    ],
    [
      'a missing file',
      (folder) => rmSync(join(folder, 'data/a/2.pdf')),
      'data/a/2.pdf: is listed but missing',
    ],
    [
      'an additional file',
      (folder) => writeFileSync(join(folder, 'data/x'), ''),
      'data/x: is in the payload but not in the manifest',
    ],
    [
      'a renamed file',
      (folder) => renameSync(join(folder, 'data/a'), join(folder, 'data/c')),
      'data/a/1.pdf: is listed but missing',
    ],
    [
      'a changed manifest',
      (folder) => appendFileSync(join(folder, 'manifest-sha256.txt'), '\n'),
      'manifest-sha256.txt: does not match its SHA-256',
    ],
    [
      'a changed bag-info.txt',
      (folder) => appendFileSync(join(folder, 'bag-info.txt'), 'Note: x\n'),
      'bag-info.txt: does not match its SHA-256',
    ],
    ['a missing declaration', (folder) => rmSync(join(folder, 'bagit.txt')), 'bagit.txt: is missing'],
  ];
  test.each(cases)('finds and locates %s', async (_, damage, expected) => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    damage(folder);
    const { problems } = await verify(folder);
    expect(problems.map(({ path, message }) => `${path}: ${message}`).join('\n')).toContain(expected);
  });

  test('does not follow a link, even to a file with the listed content', async () => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    for (const path of ['data/b/100% sure.pdf', 'bag-info.txt']) {
      const moved = join(work, `moved-${path.replaceAll('/', '-')}`);
      renameSync(join(folder, path), moved);
      symlinkSync(moved, join(folder, path));
      expect((await verify(folder)).problems).toContainEqual({
        path,
        message: expect.stringContaining('it is not a regular file') as string,
      });
    }
  });

  test('a manifest that names files outside the bag: they are neither read nor replaced', async () => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    writeFileSync(join(work, 'mine.txt'), 'mine');
    const outside = ['data/../../mine.txt', '../mine.txt', join(work, 'mine.txt')];
    const manifest = join(folder, 'manifest-sha256.txt');
    for (const path of outside) appendFileSync(manifest, `${sha256('mine')}  ${path}\n`);
    const { problems } = await verify(folder);
    for (const path of outside) expect(problems).toContainEqual({ path, message: 'is listed but missing' });
    await write(folder, createSources({ ...three, 'c/4.pdf': 'four' }));
    expect(await verify(folder)).toMatchObject({ wrong: 0 });
    expect(readFileSync(join(work, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('a manifest of 400,000 lines, or with an endless line, needs little memory', async () => {
    const folder = join(work, 'bag');
    await write(folder, createSources(three));
    const manifest = join(folder, 'manifest-sha256.txt');
    const line = (at: number) => `${sha256('x')}  data/file-${at}.pdf\n`;
    for (let part = 0; part < 20; part++)
      appendFileSync(manifest, Array.from({ length: 20_000 }, (_, at) => line(part * 20_000 + at)).join(''));
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const { wrong, problems } = await verify(folder);
    expect(wrong).toBeGreaterThan(399_999);
    expect(problems.length).toBeLessThanOrEqual(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    writeFileSync(manifest, 'a'.repeat(20_000_000));
    expect((await verify(folder)).problems).toContainEqual({
      path: 'manifest-sha256.txt',
      message: expect.stringMatching(/cannot be read: a line is longer than/) as string,
    });
  });

  test('finds a truncated ZIP file and a changed byte in a ZIP file', async () => {
    const zip = join(work, 'bag.zip');
    await writeBag(await openZipTarget(zip, 0), toContent(createSources(three)), noAbort());
    const whole = readFileSync(zip);
    const changed = Buffer.from(whole);
    changed[whole.indexOf('three')] = 'T'.charCodeAt(0);
    writeFileSync(zip, changed);
    expect((await verify(zip)).problems.map(({ path }) => path)).toEqual(['data/b/100% sure.pdf']);
    writeFileSync(zip, whole.subarray(0, whole.length - 30));
    await expect(verify(zip)).rejects.toMatchObject({ code: 'validation' });
  });
});
