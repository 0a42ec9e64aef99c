import { existsSync } from 'node:fs';
import type { ContractInputs, ContractOutputs } from '../../../contract/index.ts';
import { statementProcedures } from '../../../contract/statements/statements.ts';
import { transactionProcedures } from '../../../contract/statements/transactions.ts';
import { subscriptionProcedures } from '../../../contract/subscriptions/subscriptions.ts';
import { getPdfPath } from '../../archive/pdf-files.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findLatestPdf, findPdfVersion } from '../../store/archive/statement-pdf.ts';
import { findTextInStatements } from '../../store/statements/pdf-text-search.ts';
import { getStatementDetail } from '../../store/statements/statement-detail.ts';
import {
  listStatements,
  readStatementFacets,
  readStatementPageCursors,
} from '../../store/statements/statement-list.ts';
import {
  findSubscription,
  listSubscriptions,
  readSubscriptionPageCursors,
} from '../../store/statements/subscription-list.ts';
import { listTransactions } from '../../store/statements/transaction-list.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

const SUBSCRIPTION_HINT = 'No stored statement, webhook or allocation mentions it. Sync the site.';
const loadActivity = () => import('../../store/activity/activity.ts');

export const statementQueries = (context: QueryContext) =>
  implementProcedures(statementProcedures, {
    list: context.query(({ cache }, input) => listStatements(cache, input)),
    marks: context.query(({ cache }, input) => readStatementPageCursors(cache, input)),
    get: context.query(({ cache }, { id }) =>
      requireRecord(
        getStatementDetail(cache, id),
        `statement ${id}`,
        'Sync the site to fetch what is missing.',
      ),
    ),
    facets: context.query(({ cache }) => readStatementFacets(cache)),
    find: context.query(({ cache }, input) => findTextInStatements(cache, input)),
    pdf: ({ input }) => offerStoredPdf(context, input),
  });

/** Returns an archived PDF as a one-time file, or `stored: false` if it must be downloaded again. */
async function offerStoredPdf(
  { stores, shell }: QueryContext,
  { site, id, version }: ContractInputs['statements']['pdf'],
): Promise<ContractOutputs['statements']['pdf']> {
  const [pdf, folder] = stores.read(site, (open) => {
    const stored =
      version === undefined ? findLatestPdf(open.cache, id) : findPdfVersion(open.cache, id, version);
    return [stored, open.folder] as const;
  });
  if (pdf === null) return { stored: false };
  const path = getPdfPath(folder, pdf.sha256);
  if (!existsSync(path)) return { stored: false };
  const name = `statement-${id}${version === undefined ? '' : `-version-${version}`}.pdf`;
  const file = await shell.blobs.offer({ path, name, type: 'application/pdf' });
  return { stored: true, sha256: pdf.sha256, fetched_at: formatTimestamp(pdf.fetched_at), file };
}

export const transactionQueries = ({ query }: QueryContext) =>
  implementProcedures(transactionProcedures, {
    list: query(({ cache }, input) => listTransactions(cache, input)),
  });

export const subscriptionQueries = ({ query, queryWith }: QueryContext) =>
  implementProcedures(subscriptionProcedures, {
    list: query(({ cache }, input) => listSubscriptions(cache, input)),
    marks: query(({ cache }, input) => readSubscriptionPageCursors(cache, input)),
    activity: queryWith(loadActivity, ({ readActivity }, site, input) =>
      requireRecord(readActivity(site, input), `subscription ${input.subscription_id}`, SUBSCRIPTION_HINT),
    ),
    get: query(({ cache }, { subscription_id: id }) =>
      requireRecord(findSubscription(cache, id), `subscription ${id}`, SUBSCRIPTION_HINT),
    ),
  });
