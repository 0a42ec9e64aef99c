import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { readAnchor } from '../../store/audit-log/audit-anchor.ts';
import { listAudit, verifyAudit } from '../../store/audit-log/audit-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract);

// The rules and their texts are loaded on first use, because most commands do not need them.
const loadSummary = () => import('../../checks/check-summary.ts');
const loadMonths = () => import('../../checks/list-months.ts');
const loadRules = () => import('../../checks/rule-list.ts');
const loadExceptionList = () => import('../../store/checks/exception-list.ts');
const loadExceptionDetail = () => import('../../store/checks/exception-detail.ts');

export function checkQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    rules: on.check.rules.handler(queryWith(loadRules, ({ listCheckRules }, site) => listCheckRules(site))),
    summary: on.check.summary.handler(
      queryWith(loadSummary, ({ readCheckSummary }, open, { site, period }) =>
        readCheckSummary(open, site, period, Date.now()),
      ),
    ),
    months: on.check.months.handler(
      queryWith(loadMonths, ({ listMonths }, open) => listMonths(open, Date.now())),
    ),
  };
}

export function exceptionQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    list: on.exceptions.list.handler(
      queryWith(loadExceptionList, ({ listExceptions }, site, input) => listExceptions(site, input)),
    ),
    marks: on.exceptions.marks.handler(
      queryWith(loadExceptionList, ({ exceptionMarks }, { books }, input) => exceptionMarks(books, input)),
    ),
    get: on.exceptions.get.handler(async ({ input: { site, id } }) => {
      const { exceptionDetail } = await loadExceptionDetail();
      return requireFound(
        stores.read(site, ({ cache, books }) => exceptionDetail(cache, books, id)),
        `exception ${id}`,
        'See the list of exceptions for those there are.',
      );
    }),
    assignees: on.exceptions.assignees.handler(
      queryWith(loadExceptionList, ({ assigneesOf }, { books }) => assigneesOf(books)),
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
