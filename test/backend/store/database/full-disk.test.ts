import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toErrorValue } from '../../../../src/backend/jobs/error-value.ts';
import { closeStore, openStore } from '../../../../src/backend/store/database/open-store.ts';
import { getThrown } from '../get-thrown.ts';
import { createTemporaryFolder } from '../temporary-store.ts';

/** Mounts a small disk in memory. Returns its folder, or null if the user may not mount. */
function mountSmallDisk(options: string): string | null {
  const folder = createTemporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', [folder]));
  return folder;
}

test('opening books on a disk without free space says that the disk is full', ({ skip }) => {
  const folder = mountSmallDisk('size=2m');
  if (folder === null) return skip('Mounting requires root.');
  closeStore(openStore(join(folder, 'books.db'), 'books'));
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize));
  const failure = toErrorValue(getThrown(() => openStore(join(folder, 'books.db'), 'books')));
  expect(failure).toMatchObject({ code: 'disk_full', message: 'The disk is full.' });
});

test('opening books on a disk without free inodes says that no more files can be created', ({ skip }) => {
  const folder = mountSmallDisk('size=4m,nr_inodes=10');
  if (folder === null) return skip('Mounting requires root.');
  closeStore(openStore(join(folder, 'books.db'), 'books'));
  for (let left = statfsSync(folder).ffree; left > 0; left--) writeFileSync(join(folder, `${left}`), '');
  const failure = toErrorValue(getThrown(() => openStore(join(folder, 'books.db'), 'books')));
  expect(failure).toMatchObject({ code: 'disk_full', message: expect.stringContaining('no inodes left') });
});
