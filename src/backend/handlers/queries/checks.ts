import { join } from 'node:path';
import { runAllSteps } from '../../../domain/work-steps/work-steps.ts';
import { findDecisionDamage } from '../../books-verification/decision-damage.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { readAuditAnchor } from '../../store/audit-log/audit-anchor.ts';
import { listAuditEntries } from '../../store/audit-log/audit-entry-list.ts';
import { verifyAuditLog } from '../../store/audit-log/verify-audit-log.ts';
import { readUncheckedBooks } from '../../store/database/open-store.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

// Loads the rules and their texts on first use, because most commands do not need them.
const loadSummary = () => import('../../checks/check-summary.ts');
const loadMonths = () => import('../../checks/months-with-records.ts');
const loadRules = () => import('../../checks/check-rule-list.ts');
const loadList = () => import('../../store/checks/exception-list.ts');
const loadDetail = () => import('../../store/checks/exception-detail.ts');

export const checkQueries = ({ queryWith }: QueryContext) =>
  implementProcedures('check', {
    rules: queryWith(loadRules, ({ listCheckRules }, site) => listCheckRules(site)),
    summary: queryWith(loadSummary, ({ readCheckSummary }, open, { period }) =>
      readCheckSummary(open, period, Date.now()),
    ),
    months: queryWith(loadMonths, ({ listMonthsWithRecords }, open) =>
      listMonthsWithRecords(open, Date.now()),
    ),
  });

export const exceptionQueries = ({ queryWith }: QueryContext) =>
  implementProcedures('exceptions', {
    list: queryWith(loadList, ({ listExceptions }, site, input) => listExceptions(site, input)),
    marks: queryWith(loadList, ({ readExceptionPageCursors }, { books }, input) =>
      readExceptionPageCursors(books, input),
    ),
    get: queryWith(loadDetail, ({ getExceptionDetail }, { cache, books }, { id }) =>
      requireRecord(getExceptionDetail(cache, books, id), `exception ${id}`, 'See the list of exceptions.'),
    ),
    assignees: queryWith(loadList, ({ listExceptionAssignees }, { books }) => listExceptionAssignees(books)),
  });

// The certificate library is loaded on first use.
const loadTimeStamps = () => import('../../time-stamps/verify-time-stamps.ts');

export const auditQueries = (context: QueryContext) =>
  implementProcedures('audit', {
    list: context.query(({ books }, input) => listAuditEntries(books, input)),
    // Skips the check that normally refuses replaced books, because the verdict must explain that refusal.
    verify: async ({ input: { site, known_hash } }) => {
      const { verifyTimeStamps } = await loadTimeStamps();
      return context.stores.read(site, ({ folder }) =>
        readUncheckedBooks(join(folder, 'books.db'), (books) => {
          const verdict = verifyAuditLog(books, { anchor: readAuditAnchor(folder), hash: known_hash });
          const differences = runAllSteps(findDecisionDamage(books));
          const time_stamps = verifyTimeStamps(books);
          const areValid = time_stamps.every(({ problem }) => problem === null);
          const ok = verdict.ok && differences.length === 0 && areValid;
          return { ...verdict, ok, differences, time_stamps };
        }),
      );
    },
  });
