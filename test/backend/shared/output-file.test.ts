import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type OutputOptions,
  resolveOutputFile,
  resolveOutputFolder,
  writeOutputFile,
} from '../../../src/backend/shared/output-file.ts';
import { getThrown } from '../store/get-thrown.ts';
import { createTemporaryFolder } from '../store/temporary-store.ts';

let home: string;
let desk: string;
beforeEach(() => {
  home = createTemporaryFolder();
  desk = createTemporaryFolder();
  mkdirSync(join(home, 'sites', 'nord', 'archive'), { recursive: true });
  writeFileSync(join(home, 'sites', 'nord', 'books.db'), 'decisions');
});

const write = async (path: string, text: string, options: Partial<OutputOptions> = {}) =>
  await writeOutputFile(resolveOutputFile(path, { home, replace: false, ...options }), [text]);
const read = (path: string) => readFileSync(path, 'utf8');

describe('the own data directory', () => {
  const link = (to: string, name: string) => {
    symlinkSync(to, join(desk, name));
    return join(desk, name);
  };
  const createHardLink = () => {
    linkSync(join(home, 'sites', 'nord', 'books.db'), join(desk, 'second'));
    return join(desk, 'second');
  };
  const linkSiteFolder = () => {
    mkdirSync(join(desk, 'disk'));
    symlinkSync(join(desk, 'disk'), join(home, 'sites', 'sued'));
    return join(desk, 'disk', 'books.db');
  };
  const targets: [name: string, createPath: () => string][] = [
    ['its root', () => join(home, 'out.pdf')],
    ['the books', () => join(home, 'sites', 'nord', 'books.db')],
    ['a new folder in it', () => join(home, 'sites', 'nord', 'new', 'folder', 'out.csv')],
    ['a path with ..', () => `${desk}/../${relative(join(desk, '..'), home)}/sites/nord/books.db`],
    ['a link to a folder', () => join(link(join(home, 'sites'), 'work'), 'nord', 'x.zip')],
    ['a link to a file', () => link(join(home, 'sites', 'nord', 'books.db'), 'a')],
    ['a dangling link', () => link(join(home, 'logs', 'x'), 'b')],
    ['a second name of the books', createHardLink],
    ['the real folder of a site that is a link', linkSiteFolder],
  ];

  it.each(targets)('is refused as a target through %s', (_name, createPath) => {
    const target = createPath();
    const refused = { code: 'storage', message: expect.stringContaining('own data directory') };
    expect(getThrown(() => resolveOutputFile(target, { home, replace: true }))).toMatchObject(refused);
    expect(read(join(home, 'sites', 'nord', 'books.db'))).toBe('decisions');
  });

  it('is refused as a target folder', () => {
    symlinkSync(home, join(desk, 'export'));
    expect(getThrown(() => resolveOutputFolder(join(desk, 'export', 'new'), home))).toMatchObject({
      code: 'storage',
    });
  });
});

describe('an existing file', () => {
  it('is overwritten only on request, completely, and keeps its permissions', async () => {
    const path = join(desk, 'report.csv');
    writeFileSync(path, 'old');
    chmodSync(path, 0o600);
    await expect(write(path, 'new')).rejects.toMatchObject({ code: 'conflict' });
    expect(read(path)).toBe('old');
    expect(await write(path, 'new', { replace: true })).toMatchObject({ bytes: 3 });
    expect(read(path)).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('stays as it was if the content fails', async () => {
    const path = join(desk, 'report.csv');
    writeFileSync(path, 'old');
    const output = resolveOutputFile(path, { home, replace: true });
    const failing = (function* () {
      yield 'begin';
      throw new Error('no more');
    })();
    await expect(writeOutputFile(output, failing)).rejects.toThrow('no more');
    const reject = () => {
      throw new Error('wrong checksum');
    };
    await expect(writeOutputFile(output, ['x'], reject)).rejects.toThrow('wrong checksum');
    expect(read(path)).toBe('old');
    expect(readdirSync(desk)).toEqual(['report.csv']);
  });

  it('behind a link is replaced, not the link, also if it does not exist yet', async () => {
    mkdirSync(join(desk, 'share'));
    symlinkSync(join('share', 'latest.pdf'), join(desk, 'latest.pdf'));
    await write(join(desk, 'latest.pdf'), 'one');
    await expect(write(join(desk, 'latest.pdf'), 'two')).rejects.toMatchObject({ code: 'conflict' });
    await write(join(desk, 'latest.pdf'), 'two', { replace: true });
    expect(read(join(desk, 'share', 'latest.pdf'))).toBe('two');
    expect(lstatSync(join(desk, 'latest.pdf')).isSymbolicLink()).toBe(true);
  });
});

describe('special files', () => {
  it('that take a stream are written to and stay what they are', async () => {
    expect(await write('/dev/null', 'text')).toMatchObject({ bytes: 4 });
    const pipe = join(desk, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = import('node:child_process').then(({ spawn }) => spawn('cat', [pipe]));
    const text = (await reader).stdout.toArray();
    for (;;) {
      try {
        await write(pipe, 'through the pipe');
        break;
      } catch (error) {
        // The other process has not opened the pipe yet.
        expect(error).toMatchObject({ message: expect.stringContaining('no program reads') });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    expect(Buffer.concat(await text).toString()).toBe('through the pipe');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it('are refused if nobody reads them, if they are full, or if the output needs a file', async () => {
    const pipe = join(desk, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(write(pipe, 'x')).rejects.toMatchObject({ code: 'storage' });
    await expect(write('/dev/full', 'x')).rejects.toMatchObject({ code: 'disk_full' });
    await expect(write('/dev/null', 'x', { isSeekable: true })).rejects.toMatchObject({
      message: expect.stringContaining('must be a file'),
    });
    await expect(write(desk, 'x')).rejects.toMatchObject({ message: expect.stringContaining('is a folder') });
  });
});

it('adds a missing extension, and refuses a relative path and a circle of links', async () => {
  expect(resolveOutputFile(join(desk, 'pack'), { home, replace: false, extension: '.zip' }).path).toBe(
    join(desk, 'pack.zip'),
  );
  expect(getThrown(() => resolveOutputFile('here.csv', { home, replace: false }))).toMatchObject({
    code: 'validation',
  });
  symlinkSync('a', join(desk, 'b'));
  symlinkSync('b', join(desk, 'a'));
  await expect(write(join(desk, 'a'), 'x')).rejects.toMatchObject({ code: 'storage' });
});
