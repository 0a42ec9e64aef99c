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
import { openBag } from '../../../src/backend/bagit/bag-reader.ts';
import type { ExportSourceFile } from '../../../src/backend/bagit/bag-target.ts';
import { openFolderTarget } from '../../../src/backend/bagit/folder-target.ts';
import { verifyBag } from '../../../src/backend/bagit/verify-bag.ts';
import { type BagContent, writeBag } from '../../../src/backend/bagit/write-bag.ts';
import { openZipTarget } from '../../../src/backend/bagit/zip-target.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'tieout-bag-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
});

const never = (): Parameters<typeof writeBag>[2] => ({
  signal: new AbortController().signal,
  progress: () => undefined,
});
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

/** Files to be exported, in a folder of their own. */
function sources(texts: Record<string, string>): ExportSourceFile[] {
  mkdirSync(join(work, 'store'), { recursive: true });
  return Object.entries(texts).map(([path, text]) => {
    const source = join(work, 'store', sha(text));
    writeFileSync(source, text);
    return { path: `data/${path}`, source, sha256: sha(text), bytes: Buffer.byteLength(text) };
  });
}

const content = (files: readonly ExportSourceFile[]): BagContent => ({
  files: () => files,
  tables: (isIn) => [
    ['data/index.csv', files.filter(({ path }) => isIn(path)).map(({ path }) => `${path}\r\n`)],
  ],
  info: [['Source-Organization', 'Acme']],
  date: '2026-11-01',
});

const write = async (place: string, files: readonly ExportSourceFile[], watch = never()) =>
  writeBag(await openFolderTarget(place), content(files), watch);

async function verdict(place: string) {
  const bag = await openBag(place);
  try {
    return await verifyBag(bag, never());
  } finally {
    bag.close();
  }
}

/** Every file of a folder with its content. */
function tree(folder: string): Record<string, string> {
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

test('a folder becomes a bag that other tools find whole', async () => {
  const place = join(work, 'bag');
  expect(await write(place, sources(three))).toMatchObject({
    written: 3,
    unchanged: 0,
    damaged: [],
    files: 4,
  });
  expect(tree(place)).toMatchObject({
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'data/a/1.pdf': 'one',
    'data/index.csv': 'data/a/1.pdf\r\ndata/a/2.pdf\r\ndata/b/100% sure.pdf\r\n',
    'bag-info.txt': expect.stringContaining('Payload-Oxum: 61.4\n'),
  });
  // RFC 8493 writes % as %25, which sha256sum does not know.
  const manifest = readFileSync(join(place, 'manifest-sha256.txt'), 'utf8').replaceAll('%25', '%');
  execFileSync('sha256sum', ['-c', '--quiet', '-'], { cwd: place, input: manifest });
  execFileSync('sha256sum', ['-c', '--quiet', 'tagmanifest-sha256.txt'], { cwd: place });
  expect(await verdict(place)).toMatchObject({ wrong: 0, files: 4, bytes: 61 });
});

test('a ZIP file holds the same bag', async () => {
  const zip = join(work, 'bag.zip');
  const written = await writeBag(
    await openZipTarget(zip, Date.UTC(2026, 10, 1)),
    content(sources(three)),
    never(),
  );
  execFileSync('unzip', ['-tq', zip]);
  const again = join(work, 'again', 'bag.zip');
  await writeBag(await openZipTarget(again, Date.UTC(2026, 10, 1)), content(sources(three)), never());
  expect(readFileSync(again).equals(readFileSync(zip))).toBe(true);
  execFileSync('unzip', ['-q', zip, '-d', join(work, 'unzipped')]);
  const folder = join(work, 'bag');
  const same = await write(folder, sources(three));
  expect(tree(join(work, 'unzipped', 'bag'))).toEqual(tree(folder));
  expect(written.checksum).toBe(same.checksum);
  expect(await verdict(zip)).toMatchObject({ wrong: 0, checksum: written.checksum });
  expect(readdirSync(work).sort()).toEqual(['again', 'bag', 'bag.zip', 'store', 'unzipped']);
});

describe('writing into an earlier export', () => {
  test('writes only what is new or different, and keeps the rest', async () => {
    const place = join(work, 'bag');
    await write(place, sources(three));
    const before = statSync(join(place, 'data/a/1.pdf'));
    const again = await write(place, sources({ 'a/1.pdf': 'one', 'a/2.pdf': 'TWO', 'c/4.pdf': 'four' }));
    expect(again).toMatchObject({ written: 2, unchanged: 1, from_earlier_exports: 1 });
    expect(statSync(join(place, 'data/a/1.pdf')).ino).toBe(before.ino);
    expect(tree(place)).toMatchObject({ 'data/a/2.pdf': 'TWO', 'data/b/100% sure.pdf': 'three' });
    expect(await verdict(place)).toMatchObject({ wrong: 0, files: 5 });
  });

  test.each([
    ['a file of somebody else', 'data/notes.txt'],
    ['another folder’s file', 'budget.xlsx'],
    ['an index that was worked on', 'data/index.csv'],
    ['a PDF that was worked on', 'data/a/2.pdf'],
  ])('%s is not overwritten', async (_, path) => {
    const place = join(work, 'bag');
    await write(place, sources(three));
    writeFileSync(join(place, path), 'mine');
    const attempt = write(place, sources({ ...three, 'a/2.pdf': 'TWO' }));
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(place, path), 'utf8')).toBe('mine');
  });

  test('a link that leads out of the folder is refused, and nothing is written behind it', async () => {
    const [place, outside] = [join(work, 'bag'), join(work, 'outside')];
    mkdirSync(place);
    mkdirSync(outside);
    symlinkSync(outside, join(place, 'data'));
    await expect(write(place, sources(three))).rejects.toMatchObject({ code: 'conflict' });
    rmSync(join(place, 'data'));
    await write(place, sources({ 'a/1.pdf': 'one' }));
    rmSync(join(place, 'data/a'), { recursive: true });
    symlinkSync(outside, join(place, 'data/a'));
    await expect(write(place, sources(three))).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(outside)).toEqual([]);
  });
});

test.each([
  ['half-written files', '.tieout-parts'],
  ['the payload', 'data'],
  ['a folder of the payload', 'data/a'],
  ['a folder deeper down', 'data/a/deep'],
])(
  'a link planted in the place of %s before an export is refused; what it leads to is not touched',
  async (_, at) => {
    const [place, outside] = [join(work, 'bag'), join(work, 'outside')];
    mkdirSync(join(place, at, '..'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'mine.txt'), 'mine');
    symlinkSync(outside, join(place, at));
    const attempt = write(place, sources({ 'a/1.pdf': 'one', 'a/deep/2.pdf': 'two' }));
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(tree(outside)).toEqual({ 'mine.txt': 'mine' });
  },
);

test.each([
  ['half-written files', '.tieout-parts'],
  ['the payload', 'data'],
  ['a folder that was written to already', 'data/a'],
  ['a folder that is written to next', 'data/b'],
  ['the very file that is written next', 'data/a/2.pdf'],
])(
  'a link planted in the place of %s while an export runs is refused; nothing is written behind it',
  async (_, at) => {
    const [place, outside] = [join(work, 'bag'), join(work, 'outside')];
    mkdirSync(outside);
    writeFileSync(join(outside, 'mine.txt'), 'mine');
    const target = at.endsWith('.pdf') ? join(outside, 'mine.txt') : outside;
    const progress = (done: number) => {
      if (done !== 1) return;
      rmSync(join(place, at), { recursive: true, force: true });
      symlinkSync(target, join(place, at));
    };
    const sink = await openFolderTarget(place);
    const attempt = writeBag(sink, content(sources(three)), { ...never(), progress });
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(tree(outside)).toEqual({ 'mine.txt': 'mine' });
  },
);

test('a ZIP file replaces a link of its name, and not what it leads to', async () => {
  const zip = join(work, 'bag.zip');
  writeFileSync(join(work, 'mine.txt'), 'mine');
  symlinkSync(join(work, 'mine.txt'), zip);
  await writeBag(await openZipTarget(zip, 0), content(sources(three)), never());
  expect(readFileSync(join(work, 'mine.txt'), 'utf8')).toBe('mine');
  expect((await verdict(zip)).wrong).toBe(0);
});

test('a file that is damaged or gone is left out and named; the bag is whole without it', async () => {
  const files = sources(three);
  writeFileSync(files[0]!.source, 'bad');
  rmSync(files[1]!.source);
  const place = join(work, 'bag');
  expect(await write(place, files)).toMatchObject({ written: 1, damaged: ['data/a/1.pdf', 'data/a/2.pdf'] });
  expect(existsSync(join(place, 'data/a/1.pdf'))).toBe(false);
  expect(await verdict(place)).toMatchObject({ wrong: 0 });
});

test('of a ZIP file too, however long the damaged one is, and wherever it stands', async () => {
  for (const spoilt of [0, 1, 2]) {
    const files = sources(three);
    // Longer than all that comes behind it.
    writeFileSync(files[spoilt]!.source, 'bad '.repeat(200_000));
    const zip = join(work, `bag-${spoilt}.zip`);
    const written = await writeBag(await openZipTarget(zip, 0), content(files), never());
    expect(written).toMatchObject({ written: 2, damaged: [files[spoilt]!.path] });
    execFileSync('unzip', ['-tqq', zip]);
    expect(statSync(zip).size).toBeLessThan(10_000);
    expect(await verdict(zip)).toMatchObject({ wrong: 0 });
  }
});

test('what a killed one left beside a ZIP file goes with the next; nothing else does', async () => {
  const mine = ['.bag.zip.mine.part', '.other.zip.0123abcd.part', 'bag.zip.part'];
  for (const name of [...mine, '.bag.zip.0123abcd.part', '.bag.zip.0123abcd.part.directory']) {
    writeFileSync(join(work, name), 'left');
  }
  await writeBag(await openZipTarget(join(work, 'bag.zip'), 0), content(sources(three)), never());
  expect(readdirSync(work).sort()).toEqual([...mine, 'bag.zip', 'store'].sort());
});

test('a ZIP file that is stopped leaves nothing behind', async () => {
  const stop = new AbortController();
  const sink = await openZipTarget(join(work, 'out', 'bag.zip'), 0);
  const progress = (done: number) => void (done === 2 && stop.abort());
  await expect(writeBag(sink, content(sources(three)), { signal: stop.signal, progress })).rejects.toThrow();
  await sink.abandon();
  expect(readdirSync(join(work, 'out'))).toEqual([]);
});

test('a folder with files of an export that was never finished is told by the folder of half-written ones', async () => {
  const place = join(work, 'bag');
  const stop = new AbortController();
  const progress = (done: number) => void (done === 2 && stop.abort());
  await expect(write(place, sources(three), { signal: stop.signal, progress })).rejects.toThrow();
  // Killed just as it began again: nothing was tidied up.
  await openFolderTarget(place);
  expect(await write(place, sources(three))).toMatchObject({ unchanged: 2, written: 1 });
});

test('stopped after any file, it goes on to the same bag', async () => {
  const texts = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`x/${at}.pdf`, `text ${at}`]));
  const whole = join(work, 'whole');
  await write(whole, sources(texts));
  for (let after = 1; after <= 6; after++) {
    const place = join(work, `stopped-${after}`);
    const stop = new AbortController();
    const sink = await openFolderTarget(place);
    const progress = (done: number) => void (done === after && stop.abort());
    await expect(
      writeBag(sink, content(sources(texts)), { signal: stop.signal, progress }),
    ).rejects.toThrow();
    await sink.abandon();
    expect(await write(place, sources(texts))).toMatchObject({ unchanged: after, written: 6 - after });
    expect(tree(place)).toEqual(tree(whole));
  }
});

describe('a bag is proved by every byte', () => {
  const damage: [string, (place: string) => void, string][] = [
    [
      'a changed byte',
      (place) => writeFileSync(join(place, 'data/a/1.pdf'), 'onE'),
      'data/a/1.pdf: is not what it was',
    ],
    ['a missing file', (place) => rmSync(join(place, 'data/a/2.pdf')), 'data/a/2.pdf: is listed and missing'],
    [
      'a file too many',
      (place) => writeFileSync(join(place, 'data/x'), ''),
      'data/x: is in the payload and listed nowhere',
    ],
    [
      'a renamed file',
      (place) => renameSync(join(place, 'data/a'), join(place, 'data/c')),
      'data/a/1.pdf: is listed and missing',
    ],
    [
      'a changed manifest',
      (place) => appendFileSync(join(place, 'manifest-sha256.txt'), '\n'),
      'manifest-sha256.txt: is not what it was',
    ],
    [
      'changed facts',
      (place) => appendFileSync(join(place, 'bag-info.txt'), 'Note: x\n'),
      'bag-info.txt: is not what it was',
    ],
    ['no declaration', (place) => rmSync(join(place, 'bagit.txt')), 'bagit.txt: is missing'],
  ];
  test.each(damage)('%s is found and located', async (_, spoil, where) => {
    const place = join(work, 'bag');
    await write(place, sources(three));
    spoil(place);
    const { problems } = await verdict(place);
    expect(problems.map(({ path, message: what }) => `${path}: ${what}`).join('\n')).toContain(where);
  });

  test('a ZIP file cut off or with a changed byte is found', async () => {
    const zip = join(work, 'bag.zip');
    await writeBag(await openZipTarget(zip, 0), content(sources(three)), never());
    const whole = readFileSync(zip);
    const changed = Buffer.from(whole);
    changed[whole.indexOf('three')] = 'T'.charCodeAt(0);
    writeFileSync(zip, changed);
    expect((await verdict(zip)).problems.map(({ path }) => path)).toEqual(['data/b/100% sure.pdf']);
    writeFileSync(zip, whole.subarray(0, whole.length - 30));
    await expect(openBag(zip)).rejects.toMatchObject({ code: 'validation' });
  });
});
