import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { readAnchor } from '../../audit/anchor.ts';
import { listAudit, verifyAudit } from '../../store/books/audit-list.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract);

// The rules with their words are loaded by the first question about them: most commands ask none.
const overview = () => import('../../checks/summary.ts');
const months = () => import('../../checks/months.ts');
const rules = () => import('../../checks/rule-list.ts');
const lists = () => import('../../store/checks/exception-list.ts');
const details = () => import('../../store/checks/exception-detail.ts');

export function checkQueries({ stores }: ReaderContext) {
  return {
    rules: on.check.rules.handler(async ({ input }) => {
      const { ruleList } = await rules();
      return stores.read(input.site, (site) => ruleList(site));
    }),
    summary: on.check.summary.handler(async ({ input: { site, period } }) => {
      const { checkSummary } = await overview();
      return stores.read(site, (open) => checkSummary(open, site, period, Date.now()));
    }),
    months: on.check.months.handler(async ({ input: { site } }) => {
      const { checkMonths } = await months();
      return stores.read(site, (open) => checkMonths(open, Date.now()));
    }),
  };
}

export function exceptionQueries({ stores }: ReaderContext) {
  return {
    list: on.exceptions.list.handler(async ({ input }) => {
      const { listExceptions } = await lists();
      return stores.read(input.site, (site) => listExceptions(site, input));
    }),
    marks: on.exceptions.marks.handler(async ({ input }) => {
      const { exceptionMarks } = await lists();
      return stores.read(input.site, ({ books }) => exceptionMarks(books, input));
    }),
    get: on.exceptions.get.handler(async ({ input: { site, id } }) => {
      const { exceptionDetail } = await details();
      return found(
        stores.read(site, ({ cache, books }) => exceptionDetail(cache, books, id)),
        `exception ${id}`,
        'See the list of exceptions for those there are.',
      );
    }),
    assignees: on.exceptions.assignees.handler(async ({ input }) => {
      const { assigneesOf } = await lists();
      return stores.read(input.site, ({ books }) => assigneesOf(books));
    }),
  };
}

export function auditQueries({ stores }: ReaderContext) {
  return {
    list: on.audit.list.handler(({ input }) =>
      stores.read(input.site, ({ books }) => listAudit(books, input)),
    ),
    verify: on.audit.verify.handler(({ input: { site, noted } }) =>
      stores.read(site, ({ books, folder }) =>
        verifyAudit(books, { beside: readAnchor(folder), hash: noted }),
      ),
    ),
  };
}
