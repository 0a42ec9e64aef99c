import { createHash, hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { Inputs, Job, PeriodSeal, SealedKind, Workpaper } from '../../contract/index.ts';
import { addDays } from '../../domain/ledger/index.ts';
import { canonicalJson, closingRefusal, type Json, lastClosed } from '../../domain/periods/index.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { listsNow } from '../report/lists.ts';
import { snapshotOf } from '../report/snapshot.ts';
import type { OpenSite } from '../sites/stores.ts';
import { inTurns } from '../steps.ts';
import { commit } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import {
  addPeriodEntry,
  periodEntries,
  periodNamed,
  type StoredPeriod,
  savePeriod,
  sealingPeriods,
  storedPeriods,
} from '../store/periods/period.ts';
import { addSealedItem } from '../store/periods/period-item.ts';
import { addChunk, beginSeal, finishSeal, type NewSeal } from '../store/periods/period-seal.ts';
import { type SealedRow, type SealSpan, sealedKinds, sealedRows } from '../store/periods/sealed-rows.ts';
import { allContributions } from '../workpaper/contributions.ts';
import { workpaperWithBilling } from '../workpaper/workpaper.ts';
import { notice, noticedUpToNow } from './notice.ts';
import { rulesSealed } from './rules.ts';
import { settleClosings } from './settle.ts';
import { wantedPeriod } from './show.ts';
import { after, audited, entryOf, type PeriodTools, refuse, refuseOtherFigures } from './sign.ts';
import { keepLists, signedRows } from './signed-lists.ts';
import { keepParts } from './signed-parts.ts';

/** Rows whose digest is taken together, and that are kept together. */
const CHUNK = 256;
/** Chunks written together. */
const TOGETHER = 16;
/** Jobs that change what is sealed. */
const WRITING = ['sync', 'replay', 'import', 'match', 'check', 'allocations'] as const;

/**
 * Closes a reviewed period as a job: first it is locked, then what it rests on is sealed, at last it is closed. Ended before that, it is reviewed as
 * before. Throws `conflict` where it is not reviewed, an earlier one is not closed, or a job works on the site.
 */
export function startClosing(
  tools: PeriodTools,
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
  const period = wantedPeriod(books, name);
  after(period, 'close');
  refuse(closingRefusal(storedPeriods(books), name));
  return period;
}

async function close(
  tools: PeriodTools,
  open: OpenSite,
  job: JobHandle,
  name: string,
  by: string | undefined,
  comment: string | undefined,
): Promise<string> {
  const { books } = open;
  const at = tools.now();
  const period = commit(books, () => {
    const locked = { ...ready(open, name), sealing: job.id };
    savePeriod(books, locked);
    return locked;
  });
  // What earlier seals have not heard of yet is noticed first.
  await notice(open, { what: 'closing', job: job.id, at }, job.signal);
  const { reviewed, version: before } = period;
  const approved = periodEntries(books, period.id).find(({ seq }) => seq === reviewed)!;
  const version = before + 1;
  const last = lastClosed(storedPeriods(books));
  const span = {
    from: last === null ? null : addDays(periodNamed(books, last)!.last_on, 1),
    until: period.last_on,
  };
  const { seal, workpaper, lists } = await sealShown(tools, open, job, {
    ...{ period: name, approved: approved.figures },
    ...{ period_id: period.id, version, from_on: span.from, until_on: span.until, sealed_at: at },
  });
  const rows: PeriodSeal['rows'] = [];
  const files: PeriodSeal['files'] = [];
  let done = 0;
  for (const kind of sealedKinds) {
    const hear = (row: SealedRow) => {
      done++;
      if (kind === 'file') files.push(fileOf(row.text));
    };
    rows.push(
      await sealKind(open, seal, kind, span, job, hear, () => job.progress('rows', { done, current: kind })),
    );
  }
  const content: Omit<PeriodSeal, 'sha256' | 'reopened_at'> = {
    period: name,
    version,
    from: span.from,
    until: span.until,
    app_version: tools.version,
    sealed_at: isoMoment(at),
    figures: workpaper.digest,
    rows,
    rules: rulesSealed(books),
    lists,
    files,
  };
  const text = canonicalJson(plain(content));
  const sha256 = hash('sha256', text, 'hex');
  job.signal.throwIfAborted();
  commit(books, () => {
    finishSeal(books, seal, text, sha256);
    noticedUpToNow(open);
    const entry = { ...entryOf(tools, at, by, 'closed', comment), figures: workpaper.digest, version };
    const closed = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state: 'closed', version, sealing: null, closed });
    audited(open, tools, name, 'close', entry, {
      seal: sha256,
      rows: rows.map(({ kind, count }) => `${kind} ${count}`).join(', '),
    });
  });
  return `${name} is closed: ${done} rows are sealed.`;
}

/** Without what JSON does not hold. */
const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Seals the rows of a kind, some at a time; gives their number and the digest over all of them. */
async function sealKind(
  open: OpenSite,
  seal: number,
  kind: SealedKind,
  span: SealSpan,
  { signal }: JobHandle,
  hear: (row: SealedRow) => void,
  progress: () => void,
): Promise<PeriodSeal['rows'][number]> {
  const all = createHash('sha256');
  let count = 0;
  for (let behind = -1, more = true; more; ) {
    commit(open.books, () => {
      for (let chunks = 0; chunks < TOGETHER && more; chunks++) {
        const range = { after: behind, upTo: Number.MAX_SAFE_INTEGER, limit: CHUNK };
        const rows = sealedRows(open, kind, span, range);
        more = rows.length === CHUNK;
        if (rows.length === 0) return;
        const text = rows.map((row) => `${row.text}\n`).join('');
        all.update(text);
        const sha256 = hash('sha256', text, 'hex');
        const first_row = count === 0 ? 0 : rows[0]!.row;
        addChunk(open.books, seal, kind, { first_row, count: rows.length, sha256 }, deflateRawSync(text));
        count += rows.length;
        behind = rows.at(-1)!.row;
        for (const row of rows) hear(row);
      }
    });
    progress();
    await breathe();
    signal.throwIfAborted();
  }
  return { kind, count, sha256: all.digest('hex') };
}

/**
 * Begins a seal with all that can be shown of the period: the figures, which must be those that were approved, the lists, and what the figures open to.
 * All are of one state of the site.
 */
async function sealShown(
  { version }: PeriodTools,
  open: OpenSite,
  job: JobHandle,
  { period, approved, ...seal }: ShownSeal,
): Promise<{ seal: number; workpaper: Workpaper; lists: PeriodSeal['lists'] }> {
  const { books } = open;
  const site = snapshotOf(open);
  try {
    const tell = (list: string) => job.progress('rows', { done: 0, current: list });
    tell('figures');
    const made = { now: seal.sealed_at, version };
    const { workpaper } = await inTurns(workpaperWithBilling(site, period, made));
    refuseOtherFigures(workpaper, period, approved);
    job.signal.throwIfAborted();
    const signed = canonicalJson(plain(workpaper));
    const id = commit(books, () => beginSeal(books, { ...seal, figures: workpaper.digest, signed }));
    const lists = await keepLists(books, id, listsNow(site, period), job.signal, tell);
    await sealItems(open, id, job);
    tell('parts');
    const parts = await keepParts(books, id, allContributions(site, period), job.signal);
    return { seal: id, workpaper, lists: [...lists, parts] };
  } finally {
    site.close();
  }
}

interface ShownSeal extends Omit<NewSeal, 'figures' | 'signed'> {
  readonly period: string;
  /** The digest of the figures that were approved. */
  readonly approved: string | null;
}

/** Keeps what is outstanding by item as well, to be carried forward. */
async function sealItems(open: OpenSite, seal: number, job: JobHandle): Promise<void> {
  const items = signedRows(open.books, seal, 'outstanding');
  for (let more = true; more; ) {
    commit(open.books, () => {
      for (let count = 0; count < CHUNK * TOGETHER && more; count++) {
        const next = items.next();
        if (next.done === true) more = false;
        else {
          const { key, currency, dated_on, amount_in_cents, text } = next.value;
          addSealedItem(open.books, seal, { item: key, currency, dated_on, amount_in_cents, text });
        }
      }
    });
    await breathe();
    job.signal.throwIfAborted();
  }
}

function fileOf(text: string): PeriodSeal['files'][number] {
  const { id, file, bytes, sha256 } = JSON.parse(text) as {
    id: number;
    file: string;
    bytes: number;
    sha256: string;
  };
  return { import: id, name: file, bytes, sha256 };
}

/** Takes back what a closing began and did not end: the period is reviewed as before. */
function release({ books }: OpenSite, job: string): void {
  if (sealingPeriods(books).some(({ sealing }) => sealing === job)) settleClosings(books);
}
