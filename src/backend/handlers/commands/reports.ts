import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { addAudit } from '../../store/audit-log/audit-log.ts';
import { commit } from '../../store/sqlite/connection.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).reports;

const loadWrite = () => import('../../period-report/write-report.ts');
const loadTargetPath = () => import('../../period-report/target-file.ts');

export function reportCommands({ stores, changes, now, user, version }: WriterContext) {
  return {
    write: on.write.handler(async ({ input: { site, period, format, path, replace } }) => {
      const [{ writeReport }, { resolveTargetPath }] = await Promise.all([loadWrite(), loadTargetPath()]);
      const open = stores.open(site);
      const targetPath = await resolveTargetPath(path, `.${format}`, replace);
      const written = await writeReport(
        open,
        { period, format, targetPath: targetPath },
        { now: now(), version },
      );
      const { bytes, sha256, digest } = written;
      commit(open.books, () =>
        addAudit(open.books, {
          at: now(),
          user: user,
          action: 'report.write',
          subject: period,
          detail: { path: targetPath, format, bytes, sha256, digest },
        }),
      );
      changes.emit(site, 'audit');
      return written;
    }),
  };
}
