import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { readAnchor } from '../../store/audit-log/audit-anchor.ts';
import { listAudit, verifyAudit } from '../../store/audit-log/audit-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract);

// The rules with their texts are loaded on first use, because most commands do not need them.
const overview = () => import('../../checks/summary.ts');
const months = () => import('../../checks/months.ts');
const rules = () => import('../../checks/rule-list.ts');
const lists = () => import('../../store/checks/exception-list.ts');
const details = () => import('../../store/checks/exception-detail.ts');

export function checkQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    rules: on.check.rules.handler(queryWith(rules, ({ ruleList }, site) => ruleList(site))),
    summary: on.check.summary.handler(
      queryWith(overview, ({ checkSummary }, open, { site, period }) =>
        checkSummary(open, site, period, Date.now()),
      ),
    ),
    months: on.check.months.handler(
      queryWith(months, ({ listMonths }, open) => listMonths(open, Date.now())),
    ),
  };
}

export function exceptionQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    list: on.exceptions.list.handler(
      queryWith(lists, ({ listExceptions }, site, input) => listExceptions(site, input)),
    ),
    marks: on.exceptions.marks.handler(
      queryWith(lists, ({ exceptionMarks }, { books }, input) => exceptionMarks(books, input)),
    ),
    get: on.exceptions.get.handler(async ({ input: { site, id } }) => {
      const { exceptionDetail } = await details();
      return requireFound(
        stores.read(site, ({ cache, books }) => exceptionDetail(cache, books, id)),
        `exception ${id}`,
        'See the list of exceptions for those there are.',
      );
    }),
    assignees: on.exceptions.assignees.handler(
      queryWith(lists, ({ assigneesOf }, { books }) => assigneesOf(books)),
    ),
  };
}

export function auditQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    list: on.audit.list.handler(query(({ books }, input) => listAudit(books, input))),
    verify: on.audit.verify.handler(
      query(({ books, folder }, { known_hash }) =>
        verifyAudit(books, { beside: readAnchor(folder), hash: known_hash }),
      ),
    ),
  };
}
