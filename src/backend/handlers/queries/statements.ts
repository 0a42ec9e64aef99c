import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { implement } from '@orpc/server';
import { contract, type Inputs, type Outputs } from '../../../contract/index.ts';
import { latestPdf, versionOf } from '../../store/archive/pdf.ts';
import { isoMoment } from '../../store/moment.ts';
import { statementDetail } from '../../store/statements/statement-detail.ts';
import { findInStatements } from '../../store/statements/statement-finding.ts';
import { listStatements, statementFacets, statementMarks } from '../../store/statements/statement-list.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).statements;

export function statementQueries(context: ReaderContext) {
  const { stores } = context;
  return {
    list: on.list.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => listStatements(cache, input)),
    ),
    marks: on.marks.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => statementMarks(cache, input)),
    ),
    get: on.get.handler(({ input: { site, id } }) =>
      found(
        stores.read(site, ({ cache }) => statementDetail(cache, id)),
        `statement ${id}`,
        'Sync the site to fetch what is missing.',
      ),
    ),
    facets: on.facets.handler(({ input }) => stores.read(input.site, ({ cache }) => statementFacets(cache))),
    find: on.find.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => findInStatements(cache, input)),
    ),
    pdf: on.pdf.handler(({ input }) => heldPdf(context, input)),
  };
}

/** A rendering in the archive, offered for one reading; a file that is gone is to be fetched again. */
async function heldPdf(
  { stores, shell }: ReaderContext,
  { site, id, version }: Inputs['statements']['pdf'],
): Promise<Outputs['statements']['pdf']> {
  const { pdf, folder } = stores.read(site, ({ cache, folder }) => ({
    pdf: version === undefined ? latestPdf(cache, id) : versionOf(cache, id, version),
    folder,
  }));
  if (pdf === null) return { held: false };
  const path = join(folder, 'archive', pdf.sha256.slice(0, 2), `${pdf.sha256}.pdf`);
  if (!existsSync(path)) return { held: false };
  const name = `statement-${id}${version === undefined ? '' : `-version-${version}`}.pdf`;
  const file = await shell.blobs.offer({ path, name, type: 'application/pdf' });
  return { held: true, sha256: pdf.sha256, fetched_at: isoMoment(pdf.fetched_at), file };
}
