import { implement } from '@orpc/server';
import { contract, type Outputs } from '../../../contract/index.ts';
import { previewNames } from '../../archive/planExport.ts';
import { openBag } from '../../bag/source.ts';
import { verifyBag } from '../../bag/verifyBag.ts';
import { listExports, shownExport } from '../../store/archiveExport.ts';
import { archiveSummary } from '../../store/archiveFigures.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).archive;

export function archiveQueries({ stores }: ReaderContext) {
  return {
    summary: on.summary.handler(({ input }) =>
      stores.read(input.site, ({ cache, books }) => archiveSummary(cache, books)),
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
    verify: on.verify.handler(({ input, signal }) => verdictOf(input.path, signal)),
  };
}

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
