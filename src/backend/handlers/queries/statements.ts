import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { implement } from '@orpc/server';
import { contract, type Inputs, type Outputs } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { latestPdf, versionOf } from '../../store/archive/pdf.ts';
import { statementDetail } from '../../store/statements/statement-detail.ts';
import { findInStatements } from '../../store/statements/statement-finding.ts';
import { listStatements, statementFacets, statementMarks } from '../../store/statements/statement-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).statements;

export function statementQueries(context: ReaderContext) {
  const { stores } = context;
  const { query } = createSiteQueries(stores);
  return {
    list: on.list.handler(query(({ cache }, input) => listStatements(cache, input))),
    marks: on.marks.handler(query(({ cache }, input) => statementMarks(cache, input))),
    get: on.get.handler(({ input: { site, id } }) =>
      requireFound(
        stores.read(site, ({ cache }) => statementDetail(cache, id)),
        `statement ${id}`,
        'Sync the site to fetch what is missing.',
      ),
    ),
    facets: on.facets.handler(query(({ cache }) => statementFacets(cache))),
    find: on.find.handler(query(({ cache }, input) => findInStatements(cache, input))),
    pdf: on.pdf.handler(({ input }) => offerStoredPdf(context, input)),
  };
}

/** Returns an archived PDF as a one-time file, or `stored: false` if it must be downloaded again. */
async function offerStoredPdf(
  { stores, shell }: ReaderContext,
  { site, id, version }: Inputs['statements']['pdf'],
): Promise<Outputs['statements']['pdf']> {
  const { pdf, folder } = stores.read(site, ({ cache, folder }) => ({
    pdf: version === undefined ? latestPdf(cache, id) : versionOf(cache, id, version),
    folder,
  }));
  if (pdf === null) return { stored: false };
  const path = join(folder, 'archive', pdf.sha256.slice(0, 2), `${pdf.sha256}.pdf`);
  if (!existsSync(path)) return { stored: false };
  const name = `statement-${id}${version === undefined ? '' : `-version-${version}`}.pdf`;
  const file = await shell.blobs.offer({ path, name, type: 'application/pdf' });
  return { stored: true, sha256: pdf.sha256, fetched_at: formatTimestamp(pdf.fetched_at), file };
}
