import { implement } from '@orpc/server';
import { contract, type Outputs } from '../../../contract/index.ts';
import { previewDeletion } from '../../archive/delete-pdfs.ts';
import { listFolder } from '../../archive/list-folder.ts';
import { previewFileNames } from '../../archive/plan-export.ts';
import { openBag } from '../../bagit/bag-reader.ts';
import { verifyBag } from '../../bagit/verify-bag.ts';
import { requireFound } from '../../shared/not-found.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { listExports, shownExport } from '../../store/archive/archive-export.ts';
import { archiveSummary } from '../../store/archive/archive-figures.ts';
import { listFiles } from '../../store/archive/archive-files.ts';
import { listHolds } from '../../store/archive/archive-hold.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).archive;

export function archiveQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    summary: on.summary.handler(query(({ cache, books }) => archiveSummary(cache, books, getToday()))),
    names: on.names.handler(query(({ cache }, input) => previewFileNames(cache, input))),
    exports: on.exports.handler(query(({ books }, { site, limit }) => listExports(books, site, limit))),
    get: on.get.handler(({ input: { site, export: id } }) =>
      requireFound(
        stores.read(site, ({ books }) => shownExport(books, site, id)),
        `export ${id}`,
        'See those there are in the archive.',
      ),
    ),
    files: on.files.handler(
      query(({ cache, books }, { site, ...query }) =>
        listFiles(cache, books, { ...query, today: getToday() }),
      ),
    ),
    holds: on.holds.handler(query(({ books }, { site, ...query }) => listHolds(books, query))),
    deletable: on.deletable.handler(
      query(({ cache, books }, { statements }) => previewDeletion(cache, books, statements, getToday())),
    ),
    browse: on.browse.handler(({ input: { path } }) => listFolder(path)),
    verify: on.verify.handler(({ input, signal }) => verifyExport(input.path, signal)),
  };
}

/** Returns today's date (UTC). */
const getToday = (): string => formatTimestamp(Date.now()).slice(0, 10);

async function verifyExport(
  path: string,
  signal: AbortSignal | undefined,
): Promise<Outputs['archive']['verify']> {
  const source = await openBag(path);
  try {
    const { info, wrong, ...verdict } = await verifyBag(source, {
      signal: signal ?? new AbortController().signal,
      progress: () => undefined,
    });
    const fields = [...info].map(([label, value]) => ({ label, value }));
    return {
      ...verdict,
      ok: wrong === 0,
      wrong,
      kind: source.kind,
      path,
      info: fields,
      problems: [...verdict.problems],
    };
  } finally {
    source.close();
  }
}
