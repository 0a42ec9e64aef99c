import { expect, it } from 'vitest';
import { toBackupRouteItem, toBackupSource } from '../../../src/renderer/backups/backup-detail.tsx';

it('a backup in another folder is identified by its path, one in the backup folder by its name', () => {
  expect(toBackupSource('books-1.db')).toEqual({ name: 'books-1.db' });
  expect(toBackupSource(toBackupRouteItem('/media/stick/books 1.db'))).toEqual({
    path: '/media/stick/books 1.db',
  });
});
