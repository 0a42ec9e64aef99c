import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { runForError } from '../run-in-process.ts';
import {
  type CommandEnvironment,
  cleanUpAfterFile,
  connectSandbox,
  runFailing,
  temporaryFolder,
} from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ subscriptions: 2, months: 1 });
  afterwards(() => sandbox.close());
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connectSandbox(at, sandbox.describe());
  folder = temporaryFolder(afterwards);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  symlinkSync(join(folder, 'nothing'), join(folder, 'broken-link'));
  symlinkSync(join(folder, 'pipe'), join(folder, 'link-to-pipe'));
  const server = createServer().listen(join(folder, 'socket'));
  await once(server, 'listening');
  afterwards(() => void server.close());
});

describe.skipIf(process.platform === 'win32')(
  'input that is not a file ends at once with a clear error',
  () => {
    const commands: [name: string, args: (path: string) => string[]][] = [
      ['verify', (path) => ['verify', path]],
      ['restore', (path) => ['restore', path]],
      ['bank import', (path) => ['bank', 'import', path, '--account', 'Main']],
      ['bank import --preview', (path) => ['bank', 'import', path, '--account', 'Main', '--preview']],
      ['allocations import', (path) => ['allocations', 'import', path]],
      ['replay plan', (path) => ['replay', 'plan', '--ids-file', path]],
    ];
    const kinds: [path: string, message: RegExp][] = [
      ['pipe', /pipe is not a regular file/],
      ['link-to-pipe', /link-to-pipe is not a regular file/],
      ['socket', /socket is not a regular file/],
      ['/dev/zero', /\/dev\/zero is not a regular file/],
    ];
    test.each(commands.flatMap(([name, args]) => kinds.map((kind) => [name, ...kind, args] as const)))(
      '%s %s',
      async (_name, path, message, args) => {
        const error = await runForError(args(path.startsWith('/') ? path : join(folder, path)), at, 2);
        expect(error.code).toBe('validation');
        expect(error.message).toMatch(message);
      },
    );

    test.each(commands.slice(2))('%s of a folder and of a missing file', async (_name, args) => {
      expect((await runForError(args(join(folder, 'folder')), at, 2)).message).toMatch(
        /folder is a folder\./,
      );
      const missing = /could not be read: no such file or directory/;
      expect((await runForError(args(join(folder, 'gone.csv')), at, 2)).message).toMatch(missing);
      expect((await runForError(args(join(folder, 'broken-link')), at, 2)).message).toMatch(missing);
    });
  },
);

describe('tieout sandbox refuses', () => {
  const noSite = { home: '/nonexistent' };
  const cases: [name: string, content: string | null, message: RegExp][] = [
    ['a text without a line end', 'buy milk', /is not a sandbox data file/],
    ['a JSON file', '{\n  "name": "x"\n}\n', /is not a sandbox data file/],
    ['a binary file', 'SQLite format 3\0\n\x01\x02', /is not a sandbox data file/],
    ['a folder', null, /is a folder/],
  ];
  test.each(cases)('%s as its data file, and leaves it as it is', async (_name, content, message) => {
    const path = join(temporaryFolder(), 'data');
    if (content === null) mkdirSync(path);
    else writeFileSync(path, content);
    const error = await runFailing(['sandbox', '--data', path], noSite, 2);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path);
    expect(content === null ? null : readFileSync(path, 'utf8')).toBe(content);
  });

  test.skipIf(process.platform === 'win32')('a pipe and a missing folder for its data file', async () => {
    const pipe = join(folder, 'pipe');
    expect((await runFailing(['sandbox', '--data', pipe], noSite, 2)).message).toContain(
      `${pipe} is not a regular file`,
    );
    const lost = join(folder, 'no-folder', 'data.jsonl');
    expect((await runFailing(['sandbox', '--data', lost], noSite, 2)).message).toContain(
      `${lost} cannot be used: no such file or directory`,
    );
  });

  test.each(['--port', '--endpoint-port'])('a port that is in use as %s', async (option) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const error = await runFailing(['sandbox', option, String(port)], noSite, 2);
    expect(error).toMatchObject({ message: `Port ${port} is already in use.` });
    expect(error.hint).toContain(option);
    server.close();
  });
});
