import type { Checklist, ChecklistStep, Workpaper } from '../../contract/index.ts';
import { addDays, toMonthRange } from '../../domain/ledger/index.ts';
import {
  type ChecklistAccount,
  type ChecklistFacts,
  listChecklistSteps,
  type StoredChecklistStep,
} from '../../domain/periods/index.ts';
import { getAccountScheduleId } from '../../domain/workpaper/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { listJournalEntries } from '../store/general-ledger/journal-entry.ts';
import { countUndecidedProposals } from '../store/matching/match-figures.ts';
import { listLedgerImportsOfPeriod } from '../store/period-report/ledger-report-rows.ts';
import { type ChecklistStepRow, listChecklistStepRows } from '../store/periods/checklist-step.ts';
import { findPeriod, listPeriodEntries, type StoredPeriod } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { listReconciledAccounts } from '../workpaper/account-contributions.ts';
import { parseSignedStatements } from '../workpaper/period-signatures.ts';
import type { WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import { qualifyAccount } from '../workpaper/workpaper-qualifications.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import { readWorkpaper } from './cached-workpaper.ts';
import { countUnexplainedFluxes, type FluxWorkpapers, getPreviousPeriod } from './compared-figures.ts';
import { requirePeriod } from './period-detail.ts';
import { readSignedOffRows } from './signed-off-lists.ts';
import { findClosedFiguresInForce } from './signed-off-period.ts';
import type { OpenSiteDatabases } from './site-snapshot-cache.ts';

/** Returns the checklist of a period: as stored at closing if it is closed. Throws `not_found`. */
export async function readChecklist(
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<Checklist> {
  const { closing_job } = requirePeriod(site.books, period);
  const closedFigures = findClosedFiguresInForce(site.books, period);
  if (closedFigures !== null) {
    const steps = [...readSignedOffRows(site.books, closedFigures.id, 'checklist')];
    return { period, changeable: false, steps };
  }
  const current = await readWorkpaper(site, period, at);
  const previous = await readWorkpaper(site, getPreviousPeriod(period), at);
  const steps = readCurrentChecklist(site, period, { current, previous });
  return { period, changeable: closing_job === null, steps };
}

/**
 * Returns the checklist of a period from the current records. Empty if the month has not been opened. `closing`: person
 * and time (UTC milliseconds) of the closing that stores the checklist.
 */
export function readCurrentChecklist(
  site: WorkpaperSite,
  name: string,
  workpapers: FluxWorkpapers,
  closing: { readonly name: string; readonly at: number } | null = null,
): ChecklistStep[] {
  const period = findPeriod(site.books, name);
  if (period === null) return [];
  const facts = collectFacts(site.books, period, workpapers);
  const closed = closing === null ? null : { name: closing.name, at: formatTimestamp(closing.at) };
  const stored = listChecklistStepRows(site.books, period.id).filter(({ removed }) => removed === 0);
  return listChecklistSteps({ ...facts, closed }, stored.map(toStoredStep));
}

function toStoredStep({
  step,
  title,
  owner,
  due_on,
  done_at,
  done_by,
}: ChecklistStepRow): StoredChecklistStep {
  const done = done_at === null || done_by === null ? null : { name: done_by, at: formatTimestamp(done_at) };
  return { step, title, owner, due_on, done };
}

function collectFacts(
  books: ReadableDb,
  period: StoredPeriod,
  workpapers: FluxWorkpapers,
): Omit<ChecklistFacts, 'closed'> {
  const { current } = workpapers;
  const days = toMonthRange(`${period.period}-01`);
  const entries = listJournalEntries(books, period.period).filter(({ state }) => state !== 'discarded');
  const unposted = entries.filter(({ state }) => state !== 'posted').length;
  return {
    last: period.last_on,
    qualifications: current.qualifications,
    exceptions: current.exceptions,
    proposals: countUndecidedProposals(books, period.last_on),
    accounts: listChecklistAccounts(books, current),
    ledger_files: listLedgerImportsOfPeriod(books, { ...days, before: addDays(days.first, -1) }).length,
    journal: { entries: entries.length, unposted },
    flux: {
      previous: getPreviousPeriod(period.period),
      unexplained: countUnexplainedFluxes(books, period.period, workpapers),
    },
    ...readSignatures(books, period, current),
  };
}

function readSignatures(books: ReadableDb, period: StoredPeriod, { digest }: Workpaper) {
  const history = listPeriodEntries(books, period.id);
  const [submitted, reviewed] = [period.submitted, period.reviewed].map((wanted) =>
    history.find(({ seq }) => seq === wanted),
  );
  const confirmed = [submitted, reviewed].flatMap((entry) =>
    parseSignedStatements(entry?.statements ?? null).filter((statement) => statement.confirmed),
  );
  const toSignature = (entry: typeof submitted) =>
    entry === undefined ? null : { name: entry.name, at: formatTimestamp(entry.at) };
  return {
    submitted: toSignature(submitted),
    reviewed: toSignature(reviewed),
    is_changed: submitted !== undefined && submitted.figures !== digest,
    statements: {
      total: readWorkpaperSettings(books).certification.statements.length,
      confirmed: confirmed.length,
    },
  };
}

function listChecklistAccounts(books: ReadableDb, { sections, head }: Workpaper): ChecklistAccount[] {
  return sections.flatMap(({ currency, schedules }) =>
    listReconciledAccounts(books, currency, head.period).map((account) => {
      const { id, name, balances } = account;
      const schedule = schedules.find((each) => each.id === getAccountScheduleId(id));
      return {
        ...{ id, name, currency, balances, qualification: qualifyAccount(account) },
        schedule:
          schedule === undefined
            ? null
            : {
                id: schedule.id,
                difference_in_cents: schedule.difference_in_cents,
                unexplained: schedule.unexplained.count,
                passed: schedule.materiality?.passed === true,
              },
      };
    }),
  );
}
