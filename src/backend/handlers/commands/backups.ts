import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { makeBackup } from '../../backups/make-backup.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).backups;

const loadRestore = () => import('../../backups/restore-books.ts');

export function backupCommands(context: WriterContext) {
  return {
    make: on.make.handler(({ input }) => makeBackup(context, input)),
    restore: on.restore.handler(async ({ input }) => (await loadRestore()).restoreBooks(context, input)),
  };
}
