import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '../../../src/domain/bankfiles/model/limits.ts';
import {
  createOpenedFiles,
  findFileArguments,
  MAX_BANK_FILE_BYTES,
} from '../../../src/main/opening/opened-files.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

/** Check 22: the page receives only regular files that the system passed to the app, once each. */
const bankText = 'date,amount,currency\n2026-09-04,12.30,EUR\n';

function writeTestFile(name: string, text = bankText): string {
  const path = join(createTemporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

test.each([
  [['tieout'], []],
  [['tieout', '/data/september.sta'], ['/data/september.sta']],
  [
    ['tieout', 'september.sta', '../pack.zip'],
    ['/home/ada/bank/september.sta', '/home/ada/pack.zip'],
  ],
  [['electron', '--new-window', '--lang=de', '-x', '/data/a b.csv', ''], ['/data/a b.csv']],
  [['tieout', pathToFileURL('/data/Übersicht 10%.csv').href], ['/data/Übersicht 10%.csv']],
  [['tieout', 'FILE:///data/a.csv', 'file://%zz', 'file://elsewhere/a.csv'], ['/data/a.csv']],
  [['tieout', 'tieout://open/demo/bank', '/data/a.csv'], []],
  [['tieout', '/data/a.csv', 'TIEOUT:anything'], []],
])('finds the files among %j', (argv, paths) =>
  expect(findFileArguments(argv, '/home/ada/bank')).toEqual(paths.map((path) => resolve(path))),
);

test('a bank file of any extension is previewed, and its contents are read once', async () => {
  const files = createOpenedFiles();
  for (const name of ['september.csv', 'Konto 7.STA', 'statement', 'sheet.xlsx']) {
    const event = files.open(writeTestFile(name));
    expect(event).toMatchObject({ kind: 'bankFile', name });
    const id = event?.kind === 'bankFile' ? event.id : '';
    expect(Buffer.from(await files.take(id)).toString()).toBe(bankText);
    await expect(files.take(id)).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(files.take('/etc/passwd')).rejects.toMatchObject({ code: 'not_found' });
});

test('a link to a bank file is opened under its own name', () => {
  const link = join(createTemporaryFolder(), 'latest.csv');
  symlinkSync(writeTestFile('september.csv'), link);
  expect(createOpenedFiles().open(link)).toMatchObject({ kind: 'bankFile', name: 'latest.csv' });
});

test('an evidence pack or export is verified where it is', () => {
  const path = writeTestFile('October evidence.ZIP', 'PK');
  expect(createOpenedFiles().open(path)).toEqual({ kind: 'pack', path });
});

test('a folder is ignored, because a checkout passes its own folder', () => {
  expect(createOpenedFiles().open(createTemporaryFolder())).toBeNull();
});

test('a missing file, a relative path and an invalid path are reported', () => {
  const files = createOpenedFiles();
  for (const path of [join(createTemporaryFolder(), 'gone.csv'), 'package.json', '/data/\0.csv']) {
    expect(files.open(path)).toEqual({
      kind: 'fileProblem',
      message: `${path} was not found. Check whether it was moved or renamed.`,
    });
  }
});

test.skipIf(process.platform === 'win32')('a pipe is refused instead of waiting for it', () => {
  const path = join(createTemporaryFolder(), 'pipe.csv');
  execFileSync('mkfifo', [path]);
  expect(createOpenedFiles().open(path)).toEqual({ kind: 'fileProblem', message: `${path} is not a file.` });
});

test('the size limit is that of an import, and does not apply to packs', async () => {
  expect(MAX_BANK_FILE_BYTES).toBe(MAX_FILE_BYTES);
  const files = createOpenedFiles();
  const path = writeTestFile('large.csv');
  truncateSync(path, MAX_FILE_BYTES + 1);
  expect(files.open(path)).toMatchObject({
    kind: 'fileProblem',
    message: expect.stringContaining('larger than 64 MB') as string,
  });
  const pack = writeTestFile('large.zip');
  truncateSync(pack, MAX_FILE_BYTES + 1);
  expect(files.open(pack)).toMatchObject({ kind: 'pack' });
});

test('a file that is replaced before it is read is checked again', async () => {
  const files = createOpenedFiles();
  const path = writeTestFile('a.csv');
  const ids = [files.open(path), files.open(path)].map((event) =>
    event?.kind === 'bankFile' ? event.id : '',
  );
  truncateSync(path, MAX_FILE_BYTES + 1);
  await expect(files.take(ids[0] ?? '')).rejects.toMatchObject({ code: 'storage' });
  rmSync(path);
  mkdirSync(path);
  await expect(files.take(ids[1] ?? '')).rejects.toMatchObject({ code: 'storage' });
});
