import { join } from 'node:path';
import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

const on = implement(contract).reports;

const loadWrite = () => import('../../period-report/write-report.ts');

export function reportQueries({ stores, shell, version }: ReaderContext) {
  return {
    file: on.file.handler(async ({ input: { site, period, format } }) => {
      const { formatReportFileName, REPORT_MEDIA_TYPES, writeReport } = await loadWrite();
      const source = stores.read(site, ({ file, folder }) => ({ file, folder }));
      const targetPath = join(source.folder, 'reports', `${period}.${format}`);
      const { path } = await writeReport(
        source,
        { period, format, targetPath: targetPath },
        { now: Date.now(), version },
      );
      return shell.blobs.offer({
        path,
        name: formatReportFileName(source.file.title, period, format),
        type: REPORT_MEDIA_TYPES[format],
      });
    }),
  };
}
