import { join } from 'node:path';
import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

const on = implement(contract).reports;

const writing = () => import('../../period-report/write.ts');

export function reportQueries({ stores, shell, version }: ReaderContext) {
  return {
    file: on.file.handler(async ({ input: { site, period, format } }) => {
      const { reportFileName, REPORT_MEDIA_TYPES, writeReport } = await writing();
      const of = stores.read(site, ({ file, folder }) => ({ file, folder }));
      const place = join(of.folder, 'reports', `${period}.${format}`);
      const { path } = await writeReport(of, { period, format, place }, { now: Date.now(), version });
      return shell.blobs.offer({
        path,
        name: reportFileName(of.file.title, period, format),
        type: REPORT_MEDIA_TYPES[format],
      });
    }),
  };
}
