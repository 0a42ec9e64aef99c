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
import { allContributions } from '../workpaper/contributions.ts';
import { listsNow } from '../workpaper/report-lists.ts';
import { snapshotOf } from '../workpaper/site-snapshot.ts';
import { workpaperWithBilling } from '../workpaper/workpaper.ts';
import { recoverClosings } from './crash-recovery.ts';
import { listRulesInForce } from './rules.ts';
import { requirePeriod } from './show.ts';
import {
  auditPeriod,
  type PeriodContext,
  periodEntryFields,
  refuse,
  refuseOtherFigures,
  stateAfter,
} from './sign.ts';
import { signedRows, storeSignedLists } from './signed-lists.ts';
import { storeSignedContributions } from './signed-parts.ts';

/** Number of rows stored together with one digest. Chosen by judgment. */
const CHUNK = 256;
/** Number of chunks written per transaction. */
const TOGETHER = 16;
/** Kinds of jobs that change the closed figures' sources. */
const WRITING = ['sync', 'replay', 'import', 'match', 'check', 'allocations'] as const;

/**
 * Closes a reviewed period as a job: locks it, stores the closed figures, then marks it as closed. If it fails, the
 * period is reviewed as before. Throws `conflict` if the period is not reviewed, an earlier one is not closed, or a job
 * is working on the site.
 */
export function startClosingJob(
  tools: PeriodContext,
  { site, period: name, by, comment }: Inputs['periods']['close'],
): Job {
  const open = tools.stores.open(site);
  ready(open, name);
  return tools.jobs.start({
    site,
    kind: 'period',
    what: `the closing of ${name}`,
    books: open.books,
    without: WRITING,
    async run(job) {
      try {
        return await close(tools, open, job, name, by, comment);
      } finally {
        release(open, job.id);
        tools.changes.tell(site, 'periods', 'audit');
      }
    },
  });
}

function ready({ books }: OpenSite, name: string): StoredPeriod {
  const period = requirePeriod(books, name);
  stateAfter(period, 'close');
  refuse(findClosingError(storedPeriods(books), name));
  return period;
}

async function close(
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
    const locked = { ...ready(open, name), closing_job: job.id };
    savePeriod(books, locked);
    return locked;
  });
  // Changes to earlier closed figures that were not detected yet are detected first.
  await detectChanges(open, { action: 'closing', job: job.id, at }, job.signal);
  const { reviewed, version: before } = period;
  const approved = periodEntries(books, period.id).find(({ seq }) => seq === reviewed)!;
  const version = before + 1;
  const last = findLastClosedPeriod(storedPeriods(books));
  const span = {
    from: last === null ? null : addDays(periodNamed(books, last)!.last_on, 1),
    until: period.last_on,
  };
  const { closedFigures, workpaper, lists } = await shownClosedFigures(tools, open, job, {
    ...{ period: name, approved: approved.figures },
    ...{ period_id: period.id, version, from_on: span.from, until_on: span.until, closed_at: at },
  });
  const rows: ClosedFigures['rows'] = [];
  const files: ClosedFigures['files'] = [];
  let done = 0;
  for (const kind of closedRowKinds) {
    const hear = (row: ClosedRow) => {
      done++;
      if (kind === 'file') files.push(fileOf(row.text));
    };
    rows.push(
      await closeRowsOfKind(open, closedFigures, kind, span, job, hear, () =>
        job.progress('rows', { done, current: kind }),
      ),
    );
  }
  const content: Omit<ClosedFigures, 'sha256' | 'reopened_at'> = {
    period: name,
    version,
    from: span.from,
    until: span.until,
    app_version: tools.version,
    closed_at: formatTimestamp(at),
    figures: workpaper.digest,
    rows,
    rules: listRulesInForce(books),
    lists,
    files,
  };
  const text = canonicalJson(plain(content));
  const sha256 = hash('sha256', text, 'hex');
  job.signal.throwIfAborted();
  commit(books, () => {
    finishClosedFigures(books, closedFigures, text, sha256);
    markAllCompared(open);
    const entry = {
      ...periodEntryFields(tools, at, by, 'closed', comment),
      figures: workpaper.digest,
      version,
    };
    const closed = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state: 'closed', version, closing_job: null, closed });
    auditPeriod(open, tools, name, 'close', entry, {
      closed_figures_sha256: sha256,
      rows: rows.map(({ kind, count }) => `${kind} ${count}`).join(', '),
    });
  });
  return `${name} is closed: ${done} rows are sealed.`;
}

/** Removes everything that JSON cannot represent. */
const plain = (value: object): CanonicalJson => JSON.parse(JSON.stringify(value)) as CanonicalJson;

/** Stores the closed rows of a kind in batches. Returns their number and the digest over all of them. */
async function closeRowsOfKind(
  open: OpenSite,
  closedFigures: number,
  kind: ClosedRowKind,
  span: ClosedSpan,
  { signal }: JobHandle,
  hear: (row: ClosedRow) => void,
  progress: () => void,
): Promise<ClosedFigures['rows'][number]> {
  const all = createHash('sha256');
  let count = 0;
  for (let behind = -1, more = true; more; ) {
    commit(open.books, () => {
      for (let chunks = 0; chunks < TOGETHER && more; chunks++) {
        const range = { after: behind, upTo: Number.MAX_SAFE_INTEGER, limit: CHUNK };
        const rows = closedRows(open, kind, span, range);
        more = rows.length === CHUNK;
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
        behind = rows.at(-1)!.row;
        for (const row of rows) hear(row);
      }
    });
    progress();
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return { kind, count, sha256: all.digest('hex') };
}

/**
 * Starts the closed figures with everything that can be shown of the period: the figures, which must equal the approved
 * ones, the lists, and the rows behind the figures. All come from one snapshot of the site.
 */
async function shownClosedFigures(
  { version }: PeriodContext,
  open: OpenSite,
  job: JobHandle,
  { period, approved, ...closedFigures }: ClosedFiguresView,
): Promise<{ closedFigures: number; workpaper: Workpaper; lists: ClosedFigures['lists'] }> {
  const { books } = open;
  const site = snapshotOf(open);
  try {
    const tell = (list: string) => job.progress('rows', { done: 0, current: list });
    tell('figures');
    const made = { now: closedFigures.closed_at, version };
    const { workpaper } = await runInTimeSlices(workpaperWithBilling(site, period, made));
    refuseOtherFigures(workpaper, period, approved);
    job.signal.throwIfAborted();
    const signed = canonicalJson(plain(workpaper));
    const id = commit(books, () =>
      beginClosedFigures(books, { ...closedFigures, figures: workpaper.digest, signed }),
    );
    const lists = await storeSignedLists(books, id, listsNow(site, period), job.signal, tell);
    await closeOutstandingItems(open, id, job);
    tell('parts');
    const parts = await storeSignedContributions(books, id, allContributions(site, period), job.signal);
    return { closedFigures: id, workpaper, lists: [...lists, parts] };
  } finally {
    site.close();
  }
}

interface ClosedFiguresView extends Omit<NewClosedFigures, 'figures' | 'signed'> {
  readonly period: string;
  /** Digest of the approved figures. */
  readonly approved: string | null;
}

/** Stores the outstanding items individually, so that they can be brought forward. */
async function closeOutstandingItems(open: OpenSite, closedFigures: number, job: JobHandle): Promise<void> {
  const items = signedRows(open.books, closedFigures, 'outstanding');
  for (let more = true; more; ) {
    commit(open.books, () => {
      for (let count = 0; count < CHUNK * TOGETHER && more; count++) {
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

function fileOf(text: string): ClosedFigures['files'][number] {
  const { id, file, bytes, sha256 } = JSON.parse(text) as {
    id: number;
    file: string;
    bytes: number;
    sha256: string;
  };
  return { import: id, name: file, bytes, sha256 };
}

/** Rolls back an unfinished closing. The period is reviewed as before. */
function release({ books }: OpenSite, job: string): void {
  if (findClosingPeriods(books).some(({ closing_job }) => closing_job === job)) recoverClosings(books);
}
