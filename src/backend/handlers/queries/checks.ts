import { join } from 'node:path';
import { auditProcedures } from '../../../contract/app/audit.ts';
import { checkProcedures } from '../../../contract/checks/checks.ts';
import { exceptionProcedures } from '../../../contract/checks/exceptions.ts';
import { findAuditActions } from '../../../domain/labels/audit.ts';
import { runAllSteps } from '../../../domain/work-steps/work-steps.ts';
import { findDecisionDamage } from '../../books-verification/decision-damage.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { readAuditAnchor } from '../../store/audit-log/audit-anchor.ts';
import { findAuditEntry, listAuditEntries, readAuditFacets } from '../../store/audit-log/audit-entry-list.ts';
import { verifyAuditLog } from '../../store/audit-log/verify-audit-log.ts';
import { readUncheckedBooks } from '../../store/database/open-store.ts';
import { toTimeRange } from '../../store/lists/time-range.ts';
import { findStatementTimestampNear } from '../../store/statements/statement-selection.ts';
import { findWebhookTimestampNear } from '../../store/webhooks/webhook-selection.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

// Loads the rules and their texts on first use, because most commands do not need them.
const loadSummary = () => import('../../checks/check-summary.ts');
const loadMonths = () => import('../../checks/months-with-records.ts');
const loadRules = () => import('../../checks/check-rule-list.ts');
const loadList = () => import('../../store/checks/exception-list.ts');
const loadDetail = () => import('../../store/checks/exception-detail.ts');

export const checkQueries = ({ queryWith }: QueryContext) =>
  implementProcedures(checkProcedures, {
    rules: queryWith(loadRules, ({ listCheckRules }, site) => listCheckRules(site)),
    summary: queryWith(loadSummary, ({ readCheckSummary }, open, { period }) =>
      readCheckSummary(open, period, Date.now()),
    ),
    months: queryWith(loadMonths, ({ listMonthsWithRecords }, open) =>
      listMonthsWithRecords(open, Date.now()),
    ),
  });

export const exceptionQueries = ({ queryWith }: QueryContext) =>
  implementProcedures(exceptionProcedures, {
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
  implementProcedures(auditProcedures, {
    list: context.query(({ cache, books }, query) =>
      listAuditEntries(books, query, {
        actions: query.filter.search === undefined ? [] : findAuditActions(query.filter.search),
        range: toTimeRange(
          query.filter,
          (at) => findStatementTimestampNear(cache, at) ?? findWebhookTimestampNear(cache, at),
        ),
      }),
    ),
    get: context.query(({ books }, { seq }) =>
      requireRecord(findAuditEntry(books, seq), `audit entry ${seq}`, 'See the audit log.'),
    ),
    facets: context.query(({ books }) => readAuditFacets(books)),
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
