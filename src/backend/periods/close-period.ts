import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ClosedFigures, ClosedRowKind, Inputs, Job, Workpaper } from '../../contract/index.ts';
import { addDays } from '../../domain/ledger/index.ts';
import {
  type CanonicalJson,
  canonicalJson,
  findClosingError,
  findLastClosedPeriod,
} from '../../domain/periods/index.ts';
import { detectChanges, markAllCompared } from '../changes-since-sign-off/detect-changes.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { runInTimeSlices, yieldToEventLoop } from '../shared/time-slices.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  addChunk,
  beginClosedFigures,
  finishClosedFigures,
  type NewClosedFigures,
} from '../store/periods/closed-figures.ts';
import { addClosedOutstandingItem } from '../store/periods/closed-outstanding-item.ts';
import { type ClosedRow, type ClosedSpan, closedRowKinds, closedRows } from '../store/periods/closed-rows.ts';
import {
  addPeriodEntry,
  findClosingPeriods,
  periodEntries,
  periodNamed,
  type StoredPeriod,
  savePeriod,
  storedPeriods,
} from '../store/periods/period.ts';
import { commit } from '../store/sqlite/connection.ts';
import { allContributions } from '../workpaper/all-contributions.ts';
import { currentLists } from '../workpaper/report-lists.ts';
import { openSiteSnapshot } from '../workpaper/site-snapshot.ts';
import { computeWorkpaperWithBilling } from '../workpaper/workpaper.ts';
import { requirePeriod } from './period-detail.ts';
import { recoverClosings } from './recover-closings.ts';
import { listRulesInForce } from './rules-in-force.ts';
import {
  addPeriodAudit,
  type PeriodContext,
  refuseChangedFigures,
  requireStateAfter,
  throwIfRefused,
  toPeriodEntryFields,
} from './sign-period.ts';
import { storeSignedContributions } from './signed-contributions.ts';
import { signedRows, storeSignedLists } from './signed-lists.ts';

/** Number of rows per stored chunk. Each chunk has its own digest. Chosen by judgment. */
const ROWS_PER_CHUNK = 256;
/** Number of chunks written per transaction. */
const CHUNKS_PER_TRANSACTION = 16;
/** Kinds of jobs that must not run during a closing, because they change the sources of the closed figures. */
const CONFLICTING_JOBS = ['sync', 'replay', 'import', 'match', 'check', 'allocations'] as const;

/**
 * Starts a job that closes a reviewed period: it locks the period, stores the closed figures, then marks it as closed. If
 * it fails, the period stays reviewed. Throws `conflict` if the period is not reviewed, an earlier one is not closed, or
 * a job is working on the site.
 */
export function startClosingJob(
  tools: PeriodContext,
  { site, period: name, by, comment }: Inputs['periods']['close'],
): Job {
  const open = tools.stores.open(site);
  requireClosablePeriod(open, name);
  return tools.jobs.start({
    site,
    kind: 'period',
    noun: `the closing of ${name}`,
    books: open.books,
    conflictsWith: CONFLICTING_JOBS,
    async run(job) {
      try {
        return await performClosing(tools, open, job, name, by, comment);
      } finally {
        rollBackClosing(open, job.id);
        tools.changes.emit(site, 'periods', 'audit');
      }
    },
  });
}

function requireClosablePeriod({ books }: OpenSite, name: string): StoredPeriod {
  const period = requirePeriod(books, name);
  requireStateAfter(period, 'close');
  throwIfRefused(findClosingError(storedPeriods(books), name));
  return period;
}

async function performClosing(
  tools: PeriodContext,
  open: OpenSite,
  job: JobHandle,
  name: string,
  by: string | undefined,
  comment: string | undefined,
): Promise<string> {
  const { books } = open;
  const at = tools.now();
  const period = commit(books, () => {
    const locked = { ...requireClosablePeriod(open, name), closing_job: job.id };
    savePeriod(books, locked);
    return locked;
  });
  // Detects pending changes of earlier closed periods before the records are stored as closed.
  await detectChanges(open, { action: 'closing', job: job.id, at }, job.signal);
  const { reviewed, version: before } = period;
  const approved = periodEntries(books, period.id).find(({ seq }) => seq === reviewed)!;
  const version = before + 1;
  const last = findLastClosedPeriod(storedPeriods(books));
  const dateRange = {
    from: last === null ? null : addDays(periodNamed(books, last)!.last_on, 1),
    until: period.last_on,
  };
  const { closedFigures, workpaper, lists } = await createClosedFigures(tools, open, job, {
    ...{ period: name, approved: approved.figures },
    ...{ period_id: period.id, version, from_on: dateRange.from, until_on: dateRange.until, closed_at: at },
  });
  const rows: ClosedFigures['rows'] = [];
  const files: ClosedFigures['files'] = [];
  let done = 0;
  for (const kind of closedRowKinds) {
    const onRow = (row: ClosedRow) => {
      done++;
      if (kind === 'file') files.push(toClosedFile(row.text));
    };
    rows.push(
      await storeClosedRows(open, closedFigures, kind, dateRange, job, onRow, () =>
        job.progress('rows', { done, current: kind }),
      ),
    );
  }
  const content: Omit<ClosedFigures, 'sha256' | 'reopened_at'> = {
    period: name,
    version,
    from: dateRange.from,
    until: dateRange.until,
    app_version: tools.version,
    closed_at: formatTimestamp(at),
    figures: workpaper.digest,
    rows,
    rules: listRulesInForce(books),
    lists,
    files,
  };
  const text = canonicalJson(toPlainJson(content));
  const sha256 = hash('sha256', text, 'hex');
  job.signal.throwIfAborted();
  commit(books, () => {
    finishClosedFigures(books, closedFigures, text, sha256);
    markAllCompared(open);
    const entry = {
      ...toPeriodEntryFields(tools, at, by, 'closed', comment),
      figures: workpaper.digest,
      version,
    };
    const closed = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state: 'closed', version, closing_job: null, closed });
    addPeriodAudit(open, tools, name, 'close', entry, {
      closed_figures_sha256: sha256,
      rows: rows.map(({ kind, count }) => `${kind} ${count}`).join(', '),
    });
  });
  return `${name} is closed: ${done} rows are sealed.`;
}

/** Converts a value to plain JSON data. */
const toPlainJson = (value: object): CanonicalJson => JSON.parse(JSON.stringify(value)) as CanonicalJson;

/** Stores the closed rows of a kind in chunks. Returns their number and the digest of all of them. */
async function storeClosedRows(
  open: OpenSite,
  closedFigures: number,
  kind: ClosedRowKind,
  dateRange: ClosedSpan,
  { signal }: JobHandle,
  onRow: (row: ClosedRow) => void,
  progress: () => void,
): Promise<ClosedFigures['rows'][number]> {
  const all = createHash('sha256');
  let count = 0;
  for (let lastRow = -1, more = true; more; ) {
    commit(open.books, () => {
      for (let chunks = 0; chunks < CHUNKS_PER_TRANSACTION && more; chunks++) {
        const range = { after: lastRow, upTo: Number.MAX_SAFE_INTEGER, limit: ROWS_PER_CHUNK };
        const rows = closedRows(open, kind, dateRange, range);
        more = rows.length === ROWS_PER_CHUNK;
        if (rows.length === 0) return;
        const text = rows.map((row) => `${row.text}\n`).join('');
        all.update(text);
        const sha256 = hash('sha256', text, 'hex');
        const first_row = count === 0 ? 0 : rows[0]!.row;
        addChunk(
          open.books,
          closedFigures,
          kind,
          { first_row, count: rows.length, sha256 },
          deflateRawSync(text),
        );
        count += rows.length;
        lastRow = rows.at(-1)!.row;
        for (const row of rows) onRow(row);
      }
    });
    progress();
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return { kind, count, sha256: all.digest('hex') };
}

/**
 * Begins the closed figures and stores the workpaper, the lists and the rows behind the figures, all from one snapshot.
 * Throws `conflict` if the figures differ from the approved ones.
 */
async function createClosedFigures(
  { version }: PeriodContext,
  open: OpenSite,
  job: JobHandle,
  { period, approved, ...closedFigures }: NewClosedFiguresInput,
): Promise<{ closedFigures: number; workpaper: Workpaper; lists: ClosedFigures['lists'] }> {
  const { books } = open;
  const site = openSiteSnapshot(open);
  try {
    const showCurrentStep = (list: string) => job.progress('rows', { done: 0, current: list });
    showCurrentStep('figures');
    const stamp = { now: closedFigures.closed_at, version };
    const { workpaper } = await runInTimeSlices(computeWorkpaperWithBilling(site, period, stamp));
    refuseChangedFigures(workpaper, period, approved);
    job.signal.throwIfAborted();
    const signed = canonicalJson(toPlainJson(workpaper));
    const id = commit(books, () =>
      beginClosedFigures(books, { ...closedFigures, figures: workpaper.digest, signed }),
    );
    const lists = await storeSignedLists(books, id, currentLists(site, period), job.signal, showCurrentStep);
    await storeOutstandingItems(open, id, job);
    showCurrentStep('parts');
    const parts = await storeSignedContributions(books, id, allContributions(site, period), job.signal);
    return { closedFigures: id, workpaper, lists: [...lists, parts] };
  } finally {
    site.close();
  }
}

interface NewClosedFiguresInput extends Omit<NewClosedFigures, 'figures' | 'signed'> {
  readonly period: string;
  /** Digest of the approved figures. */
  readonly approved: string | null;
}

/** Stores the outstanding items one by one, so that later periods can bring them forward. */
async function storeOutstandingItems(open: OpenSite, closedFigures: number, job: JobHandle): Promise<void> {
  const items = signedRows(open.books, closedFigures, 'outstanding');
  for (let more = true; more; ) {
    commit(open.books, () => {
      for (let count = 0; count < ROWS_PER_CHUNK * CHUNKS_PER_TRANSACTION && more; count++) {
        const next = items.next();
        if (next.done === true) more = false;
        else {
          const { key, currency, dated_on, amount_in_cents, text } = next.value;
          addClosedOutstandingItem(open.books, closedFigures, {
            item: key,
            currency,
            dated_on,
            amount_in_cents,
            text,
          });
        }
      }
    });
    await yieldToEventLoop();
    job.signal.throwIfAborted();
  }
}

function toClosedFile(text: string): ClosedFigures['files'][number] {
  const { id, file, bytes, sha256 } = JSON.parse(text) as {
    id: number;
    file: string;
    bytes: number;
    sha256: string;
  };
  return { import: id, name: file, bytes, sha256 };
}

/** Rolls back an unfinished closing. The period is then reviewed, as it was before. */
function rollBackClosing({ books }: OpenSite, job: string): void {
  if (findClosingPeriods(books).some(({ closing_job }) => closing_job === job)) recoverClosings(books);
}
