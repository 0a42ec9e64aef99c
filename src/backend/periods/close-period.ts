import { hash } from 'node:crypto';
import type {
  ClosedFigures,
  ClosedFiguresRowKind,
  ContractInputs,
  FluxLine,
  Job,
  Workpaper,
} from '../../contract/index.ts';
import { checkRules } from '../../domain/checks/index.ts';
import { addDays } from '../../domain/ledger/index.ts';
import {
  type CanonicalJson,
  canonicalJson,
  findLastClosedPeriod,
  findPeriodClosingError,
} from '../../domain/periods/index.ts';
import {
  detectChangesSinceSignOff,
  markAllRowsCompared,
} from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { MATCHING_PASSES_VERSION, matchingPasses } from '../matching/matching-passes.ts';
import { toChunks } from '../shared/chunks.ts';
import { runInTimeSlices, yieldToEventLoop } from '../shared/time-slices.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { listSwitchedOffRules } from '../store/checks/switched-off-rule.ts';
import { listMatchRules } from '../store/matching/match-rule.ts';
import { beginClosedFigures, finishClosedFigures } from '../store/periods/closed-figures.ts';
import { addClosedOutstandingItem } from '../store/periods/closed-outstanding-item.ts';
import {
  type ClosedDateRange,
  type ClosedRow,
  closedRowKinds,
  readClosedRows,
} from '../store/periods/closed-rows.ts';
import {
  findPeriod,
  listPeriodEntries,
  listPeriodsBeingClosed,
  listStoredPeriods,
  type StoredPeriod,
  savePeriod,
} from '../store/periods/period.ts';
import { recordPeriodEntry } from '../store/periods/period-audit-entries.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { readAllContributions } from '../workpaper/figure-rows.ts';
import { computeIpeLists } from '../workpaper/ipe/ipe-lists.ts';
import { readCurrentPeriodLists } from '../workpaper/report-lists.ts';
import { openSiteSnapshot, type SiteSnapshot } from '../workpaper/site-snapshot.ts';
import { computeWorkpaperWithBilling, type WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import { readCurrentChecklist } from './checklist.ts';
import { ClosedRowChunkWriter } from './closed-row-chunk-writer.ts';
import { getPreviousPeriod } from './compared-figures.ts';
import { requirePeriod, toPeriodEntry } from './period-detail.ts';
import {
  createPeriodHistoryEntry,
  findPeriodSigner,
  type PeriodContext,
  type PeriodSigner,
  requirePeriodTransition,
  throwIfFiguresChanged,
  throwIfPeriodTransitionRefused,
} from './period-sign-off-steps.ts';
import { recoverClosings } from './recover-closings.ts';
import { describeUnclearedComments } from './sign-off-remarks.ts';
import { storeSignedOffContributions } from './signed-off-contributions.ts';
import { type ClosedFiguresWrite, readSignedOffRows, storeSignedOffLists } from './signed-off-lists.ts';
import { readSnapshotWorkpaper } from './signed-off-period.ts';

/** Number of rows per stored chunk. Each chunk has its own digest. Chosen by judgment. */
const ROWS_PER_CHUNK = 256;
/** Number of chunks written per transaction. */
const CHUNKS_PER_TRANSACTION = 16;
/** Kinds of jobs that must not run during a closing, because they change the sources of the closed figures. */
const CONFLICTING_JOBS = ['sync', 'replay', 'import', 'match', 'check', 'allocations'] as const;

/** Services that a closing uses. */
export interface ClosingContext extends PeriodContext {
  /** Computes the flux of the figures of a workpaper from its snapshot. */
  computeFlux(
    snapshot: SiteSnapshot,
    workpaper: Workpaper,
    stamp: WorkpaperCreationInfo,
  ): Promise<readonly FluxLine[]>;
}

interface Closing {
  readonly tools: ClosingContext;
  readonly open: OpenSite;
  readonly job: JobHandle;
  readonly input: ContractInputs['periods']['close'];
  /** The person who closes the period, with the time of the start. */
  readonly signer: PeriodSigner;
}

/**
 * Starts a job that closes a reviewed period: locks the period, stores the closed figures, then marks the period as
 * closed. After a failure, the period stays reviewed. Throws `conflict` if the period is not reviewed, an earlier
 * period is not closed, or a job is working on the site.
 */
export async function startClosingJob(
  tools: ClosingContext,
  input: ContractInputs['periods']['close'],
): Promise<Job> {
  const { site, period } = input;
  requireClosablePeriod(tools.stores.open(site), period);
  const signer = await findPeriodSigner(tools, tools.stores.open(site).books, input.by);
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'period',
    noun: `closing ${period}`,
    books: open.books,
    conflictsWith: CONFLICTING_JOBS,
    async run(job) {
      try {
        return await performClosing({ tools, open, job, input, signer });
      } finally {
        // Rolls back an unfinished closing, so that the period is reviewed again.
        if (listPeriodsBeingClosed(open.books).some(({ closing_job }) => closing_job === job.id))
          recoverClosings(open.books);
        tools.changes.emit(site, 'periods', 'audit');
      }
    },
  });
}

function requireClosablePeriod({ books }: OpenSite, name: string): StoredPeriod {
  const period = requirePeriod(books, name);
  requirePeriodTransition(period, 'close');
  throwIfPeriodTransitionRefused(findPeriodClosingError(listStoredPeriods(books), name));
  const comments = describeUnclearedComments(listPeriodEntries(books, period.id).map(toPeriodEntry));
  if (comments !== null)
    throwIfPeriodTransitionRefused({
      message: `${name} cannot be closed: ${comments}`,
      hint: 'Answer each comment, and have the reviewer clear it.',
    });
  return period;
}

async function performClosing(closing: Closing): Promise<string> {
  const { tools, open, job, input, signer } = closing;
  const { at } = signer;
  const { books } = open;
  const { period: name, comment } = input;
  const period = runInTransaction(books, () => {
    const locked = { ...requireClosablePeriod(open, name), closing_job: job.id };
    savePeriod(books, locked);
    return locked;
  });
  // Detects pending changes of earlier closed periods before closing stores the current records.
  await detectChangesSinceSignOff(open, { action: 'closing', job: job.id, at }, job.signal);
  const version = period.version + 1;
  const last = findLastClosedPeriod(listStoredPeriods(books));
  const dateRange = {
    from: last === null ? null : addDays(findPeriod(books, last)!.last_on, 1),
    until: period.last_on,
  };
  const { closedFigures, workpaper, lists, suspension } = await createClosedFigures(
    closing,
    period,
    dateRange,
  );
  const { rows, files, count } = await storeClosedRows(closing, closedFigures, dateRange);
  const content: Omit<ClosedFigures, 'sha256' | 'reopened_at'> = {
    period: name,
    version,
    ...dateRange,
    app_version: tools.version,
    closed_at: formatTimestamp(at),
    figures: workpaper.digest,
    rows,
    rules: listRulesInForce(books),
    suspension,
    lists,
    files,
  };
  const text = canonicalJson(toPlainJson(content));
  const sha256 = hash('sha256', text, 'hex');
  job.signal.throwIfAborted();
  runInTransaction(books, () => {
    finishClosedFigures(books, closedFigures, text, sha256);
    markAllRowsCompared(open);
    const entry = createPeriodHistoryEntry(signer, 'closed', comment, { figures: workpaper.digest, version });
    const counts = rows.map((kind) => `${kind.kind} ${kind.count}`).join(', ');
    const closed = recordPeriodEntry(books, period, entry, {
      ...signer,
      detail: { closed_figures_sha256: sha256, rows: counts },
    });
    savePeriod(books, { ...period, state: 'closed', version, closing_job: null, closed });
  });
  return `${name} is closed. ${count} rows were stored with the closed figures.`;
}

const toPlainJson = (value: object): CanonicalJson => JSON.parse(JSON.stringify(value)) as CanonicalJson;

function listRulesInForce(books: ReadableDb): ClosedFigures['rules'] {
  const off = new Set(listSwitchedOffRules(books).map(({ rule }) => rule));
  return [
    ...checkRules.map(({ id, version }) => {
      return { of: 'check' as const, rule: id, version, enabled: !off.has(id) };
    }),
    ...matchingPasses.map(({ rule }) => ({
      of: 'match' as const,
      rule,
      version: MATCHING_PASSES_VERSION,
      enabled: true,
    })),
    ...listMatchRules(books).map(({ id, title, version, enabled }) => {
      return { of: 'user' as const, rule: `${id} ${title}`, version, enabled };
    }),
  ];
}

/** Stores the closed rows of all kinds. Returns a digest per kind, the source files, and the number of rows. */
async function storeClosedRows({ open, job }: Closing, closedFigures: number, dateRange: ClosedDateRange) {
  const rows: ClosedFigures['rows'] = [];
  const files: ClosedFigures['files'] = [];
  let count = 0;
  for (const kind of closedRowKinds) {
    const writer = new ClosedRowChunkWriter(open.books, closedFigures);
    for (const chunk of storeRowsOfKind(open, kind, dateRange, writer)) {
      if (kind === 'file') files.push(...chunk.map(({ text }) => toClosedFile(text)));
      job.progress('rows', { done: count + writer.count, current: kind });
      await yieldToEventLoop();
      job.signal.throwIfAborted();
    }
    count += writer.count;
    rows.push({ kind, ...writer.finish() });
  }
  return { rows, files, count };
}

/** Stores the closed rows of a kind in chunks. Yields after each transaction with the rows it stored. */
function* storeRowsOfKind(
  open: OpenSite,
  kind: ClosedFiguresRowKind,
  dateRange: ClosedDateRange,
  writer: ClosedRowChunkWriter,
): Generator<ClosedRow[], void, undefined> {
  for (let lastRow = -1, more = true; more; ) {
    yield runInTransaction(open.books, () => {
      const stored: ClosedRow[] = [];
      for (let chunks = 0; chunks < CHUNKS_PER_TRANSACTION && more; chunks++) {
        const range = { after: lastRow, upTo: Number.MAX_SAFE_INTEGER, limit: ROWS_PER_CHUNK };
        const rows = readClosedRows(open, kind, dateRange, range);
        more = rows.length === ROWS_PER_CHUNK;
        if (rows.length === 0) break;
        const texts = rows.map(({ text }) => text);
        writer.add(kind, writer.count === 0 ? 0 : rows[0]!.row, texts);
        lastRow = rows.at(-1)!.row;
        stored.push(...rows);
      }
      return stored;
    });
  }
}

/**
 * Creates the closed figures from one snapshot: the workpaper, the lists, the rows behind the figures, and
 * the policy for suspension. Throws
 * `conflict` if the figures differ from the approved ones.
 */
async function createClosedFigures(
  { tools, open, job, input: { period: name }, signer }: Closing,
  period: StoredPeriod,
  { from, until }: ClosedDateRange,
): Promise<Pick<ClosedFigures, 'lists' | 'suspension'> & { closedFigures: number; workpaper: Workpaper }> {
  const { books } = open;
  const { signal } = job;
  const approved = listPeriodEntries(books, period.id).find(({ seq }) => seq === period.reviewed)!;
  const site = openSiteSnapshot(open);
  try {
    const showCurrentStep = (list: string) => job.progress('rows', { done: 0, current: list });
    showCurrentStep('figures');
    const stamp = { now: signer.at, version: tools.version };
    const { workpaper } = await runInTimeSlices(computeWorkpaperWithBilling(site, name, stamp));
    throwIfFiguresChanged(workpaper, name, approved.figures);
    signal.throwIfAborted();
    const signed = canonicalJson(toPlainJson(workpaper));
    const closedFigures = runInTransaction(books, () =>
      beginClosedFigures(books, {
        ...{
          period_id: period.id,
          version: period.version + 1,
          from_on: from,
          until_on: until,
          closed_at: signer.at,
        },
        ...{ figures: workpaper.digest, signed },
      }),
    );
    const work = { books, closedFigures, signal };
    const current = readCurrentPeriodLists(site, name);
    const ipe = await runInTimeSlices(computeIpeLists(site, workpaper, current));
    const flux = await tools.computeFlux(site, workpaper, stamp);
    const previous = await readSnapshotWorkpaper(site, getPreviousPeriod(name), stamp);
    const steps = readCurrentChecklist(site, name, { current: workpaper, previous }, signer);
    const computed = { ...ipe, flux: () => flux, checklist: () => steps };
    const lists = await storeSignedOffLists(work, { ...current, ...computed }, showCurrentStep);
    await storeOutstandingItems(work);
    showCurrentStep('parts');
    const parts = await storeSignedOffContributions(work, readAllContributions(site, name));
    const { suspend_on, thresholds } = readWorkpaperSettings(site.books);
    const suspension = { suspend_on, thresholds };
    return { closedFigures, workpaper, lists: [...lists, parts], suspension };
  } finally {
    site.close();
  }
}

/** Stores the outstanding items one by one, so that later periods can bring them forward. */
async function storeOutstandingItems({ books, closedFigures, signal }: ClosedFiguresWrite): Promise<void> {
  for (const items of toChunks(
    readSignedOffRows(books, closedFigures, 'outstanding'),
    ROWS_PER_CHUNK * CHUNKS_PER_TRANSACTION,
  )) {
    runInTransaction(books, () => {
      for (const { key, currency, dated_on, amount_in_cents, text } of items)
        addClosedOutstandingItem(books, closedFigures, {
          item: key,
          currency,
          dated_on,
          amount_in_cents,
          text,
        });
    });
    await yieldToEventLoop();
    signal.throwIfAborted();
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
