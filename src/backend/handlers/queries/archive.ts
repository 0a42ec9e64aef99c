import { implement } from '@orpc/server';
import { contract, type Outputs } from '../../../contract/index.ts';
import { previewDeletion } from '../../archive/delete-pdfs.ts';
import { lookInto } from '../../archive/places.ts';
import { previewNames } from '../../archive/plan-export.ts';
import { openBag } from '../../bag/source.ts';
import { verifyBag } from '../../bag/verify-bag.ts';
import { listExports, shownExport } from '../../store/archive/archive-export.ts';
import { archiveSummary } from '../../store/archive/archive-figures.ts';
import { listFiles } from '../../store/archive/archive-files.ts';
import { listHolds } from '../../store/archive/archive-hold.ts';
import { isoMoment } from '../../store/moment.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).archive;

export function archiveQueries({ stores }: ReaderContext) {
  return {
    summary: on.summary.handler(({ input }) =>
      stores.read(input.site, ({ cache, books }) => archiveSummary(cache, books, today())),
    ),
    names: on.names.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => previewNames(cache, input)),
    ),
    exports: on.exports.handler(({ input: { site, limit } }) =>
      stores.read(site, ({ books }) => listExports(books, site, limit)),
    ),
    get: on.get.handler(({ input: { site, export: id } }) =>
      found(
        stores.read(site, ({ books }) => shownExport(books, site, id)),
        `export ${id}`,
        'See those there are in the archive.',
      ),
    ),
    files: on.files.handler(({ input: { site, ...query } }) =>
      stores.read(site, ({ cache, books }) => listFiles(cache, books, { ...query, today: today() })),
    ),
    holds: on.holds.handler(({ input: { site, ...query } }) =>
      stores.read(site, ({ books }) => listHolds(books, query)),
    ),
    deletable: on.deletable.handler(({ input: { site, statements } }) =>
      stores.read(site, ({ cache, books }) => previewDeletion(cache, books, statements, today())),
    ),
    place: on.place.handler(({ input: { path } }) => lookInto(path)),
    verify: on.verify.handler(({ input, signal }) => verdictOf(input.path, signal)),
  };
}

/** The calendar date it is. */
const today = (): string => isoMoment(Date.now()).slice(0, 10);

async function verdictOf(
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
