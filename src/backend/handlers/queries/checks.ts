import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { ruleList } from '../../checks/ruleList.ts';
import { checkSummary } from '../../checks/summary.ts';
import { listAudit, verifyAudit } from '../../store/auditList.ts';
import { exceptionDetail } from '../../store/exceptionDetail.ts';
import { assigneesOf, exceptionMarks, listExceptions } from '../../store/exceptionList.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract);

export function checkQueries({ stores }: ReaderContext) {
  return {
    rules: on.check.rules.handler(({ input }) => stores.read(input.site, (site) => ruleList(site))),
    summary: on.check.summary.handler(({ input: { site, period } }) =>
      stores.read(site, (open) => checkSummary(open, site, period, Date.now())),
    ),
  };
}

export function exceptionQueries({ stores }: ReaderContext) {
  return {
    list: on.exceptions.list.handler(({ input }) =>
      stores.read(input.site, (site) => listExceptions(site, input)),
    ),
    marks: on.exceptions.marks.handler(({ input }) =>
      stores.read(input.site, ({ books }) => exceptionMarks(books, input)),
    ),
    get: on.exceptions.get.handler(({ input: { site, id } }) =>
      found(
        stores.read(site, ({ cache, books }) => exceptionDetail(cache, books, id)),
        `exception ${id}`,
        'See the list of exceptions for those there are.',
      ),
    ),
    assignees: on.exceptions.assignees.handler(({ input }) =>
      stores.read(input.site, ({ books }) => assigneesOf(books)),
    ),
  };
}

export function auditQueries({ stores }: ReaderContext) {
  return {
    list: on.audit.list.handler(({ input }) =>
      stores.read(input.site, ({ books }) => listAudit(books, input)),
    ),
    verify: on.audit.verify.handler(({ input }) =>
      stores.read(input.site, ({ books }) => verifyAudit(books)),
    ),
  };
}
