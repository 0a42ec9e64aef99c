import { join } from 'node:path';
import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).reports;

const writing = () => import('../../report/write.ts');

export function reportQueries({ stores, shell, version }: ReaderContext) {
  return {
    file: on.file.handler(async ({ input: { site, period, format } }) => {
      const { reportName, reportTypes, writeReport } = await writing();
      const of = stores.read(site, ({ file, folder }) => ({ file, folder }));
      const place = join(of.folder, 'reports', `${period}.${format}`);
      const { path } = await writeReport(of, { period, format, place }, { now: Date.now(), version });
      return shell.blobs.offer({
        path,
        name: reportName(of.file.title, period, format),
        type: reportTypes[format],
      });
    }),
  };
}
