import { createHash, hash } from 'node:crypto';
import type { ClosedFigures, ClosedFiguresRowKind, Workpaper } from '../../contract/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { findDecisionDamage } from '../books-verification/decision-damage.ts';
import { readClosedChunkText } from '../changes-since-sign-off/closed-row-chunks.ts';
import {
  type ClosedRowChunkContent,
  findAuditedClosingChecksum,
  readClosedRowChunks,
  type StoredClosedFigures,
} from '../store/periods/closed-figures.ts';
import {
  countClosedOutstandingItems,
  findClosedOutstandingItem,
} from '../store/periods/closed-outstanding-item.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { computeFiguresDigest } from '../workpaper/workpaper.ts';
import {
  type ClosedFiguresContent,
  parseClosedFiguresContent,
  readSignedOffWorkpaper,
} from './closed-figures.ts';
import { CONTRIBUTIONS_LIST_NAME } from './signed-off-contributions.ts';
import { getListChunkKind, readSignedOffRows } from './signed-off-lists.ts';

const rowKindNames: Readonly<Record<ClosedFiguresRowKind, string>> = {
  file: 'source files',
  statement: 'statements',
  payment: 'payments',
  line: 'bank lines',
  payout: 'payouts',
  match: 'matches',
  exception: 'exceptions',
};
const listNames = new Map([
  ['outstanding', 'outstanding items'],
  ['exceptions', 'exceptions'],
  ['statements', 'statements'],
  ['sources', 'source files'],
  ['bank_lines', 'bank lines'],
  ['payments', 'payments'],
  ['payouts', 'payouts'],
  ['transactions', 'transactions'],
  ['ipe_figures', 'figures in the IPE sheet'],
  ['ipe_sources', 'sources in the IPE sheet'],
  ['ipe_requests', 'requests in the IPE sheet'],
  ['flux', 'changes from the previous month'],
]);

/**
 * Returns a sentence for each decision, and for each record of a closed period's sign-off, that no longer matches its
 * hash or the audit log.
 */
export function* findPeriodDamage(
  books: ReadableDb,
  period: string,
  closedFigures: StoredClosedFigures | null,
): WorkSteps<string[]> {
  const signOffDamage = closedFigures === null ? [] : yield* findSignOffDamage(books, period, closedFigures);
  return [...signOffDamage, ...(yield* findDecisionDamage(books))];
}

/** Compares the data stored at a closing with its digests. Returns a sentence for each mismatch. */
export function* findSignOffDamage(
  books: ReadableDb,
  period: string,
  closedFigures: StoredClosedFigures,
): WorkSteps<string[]> {
  const damage: string[] = [];
  if (closedFigures.sha256 !== hash('sha256', closedFigures.content ?? '', 'hex'))
    damage.push(`the closed figures of ${period}`);
  else if (closedFigures.sha256 !== findAuditedClosingChecksum(books, period, closedFigures.version))
    damage.push(`the closed figures of ${period}, which differ from the audit log`);
  const content = readOrNull(() => parseClosedFiguresContent(closedFigures));
  if (content !== null) {
    const workpaper = readOrNull(() => readSignedOffWorkpaper(books, closedFigures));
    if (!areFiguresAsSigned(workpaper, content, closedFigures))
      damage.push(`the figures of ${period}, which differ from the signed ones`);
    yield;
    for (const { kind, ...closed } of content.rows) {
      const comparison = yield* compareChunks(readClosedRowChunks(books, closedFigures.id, kind), closed);
      const lostRows = formatLostRows(comparison, 'cannot be read');
      if (!comparison.isIntact)
        damage.push(`the ${rowKindNames[kind]} of ${period} as stored at closing${lostRows}`);
    }
    for (const list of content.lists)
      damage.push(...(yield* findListDamage(books, period, closedFigures.id, list)));
  }
  return damage.map((part) => `Damaged or tampered with: ${part}.`);
}

/** Compares a stored list with its digest. Returns a noun phrase for a mismatch. */
function* findListDamage(
  books: ReadableDb,
  period: string,
  closedFigures: number,
  { list, ...closed }: ClosedFigures['lists'][number],
): WorkSteps<string[]> {
  const isContributions = list === CONTRIBUTIONS_LIST_NAME;
  const kind = isContributions ? list : getListChunkKind(list);
  const comparison = yield* compareChunks(readClosedRowChunks(books, closedFigures, kind), closed);
  if (!comparison.isIntact) {
    const name = isContributions
      ? `the rows behind the figures of ${period}`
      : `the list of ${listNames.get(list) ?? list} of ${period}`;
    return [`${name} as signed${formatLostRows(comparison, 'were changed and are left out')}`];
  }
  if (list !== 'outstanding' || (yield* areItemsAsSigned(books, closedFigures))) return [];
  return [`the items that ${period} brings forward, which differ from those outstanding at sign-off`];
}

function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const areFiguresAsSigned = (
  workpaper: Workpaper | null,
  { figures }: ClosedFiguresContent,
  closedFigures: StoredClosedFigures,
): boolean =>
  workpaper !== null &&
  [workpaper.digest, computeFiguresDigest(workpaper), closedFigures.figures].every(
    (digest) => digest === figures,
  );

interface ChunkComparison {
  readonly isIntact: boolean;
  /** Number of rows in chunks that do not match their checksum. */
  readonly lost: number;
  readonly total: number;
}

/** Compares the chunks of one kind with their common digest. */
function* compareChunks(
  chunks: Iterable<ClosedRowChunkContent>,
  closed: Pick<ClosedFigures['lists'][number], 'count' | 'sha256'>,
): WorkSteps<ChunkComparison> {
  const all = createHash('sha256');
  let lost = 0;
  let count = 0;
  for (const chunk of chunks) {
    const text = readClosedChunkText(chunk);
    if (text === null) lost += chunk.count;
    else all.update(text);
    count += chunk.count;
    yield;
  }
  return {
    isIntact: count === closed.count && all.digest('hex') === closed.sha256,
    lost,
    total: closed.count,
  };
}

const formatLostRows = ({ lost, total }: ChunkComparison, predicate: string): string =>
  lost === 0 ? '' : `; ${lost} of its ${total} rows ${predicate}`;

/** Returns true if the items to bring forward are exactly the outstanding items of the closed period. */
function* areItemsAsSigned(books: ReadableDb, closedFigures: number): WorkSteps<boolean> {
  let count = 0;
  for (const signed of readSignedOffRows(books, closedFigures, 'outstanding')) {
    const { key, currency, dated_on, amount_in_cents, text } = signed;
    const item = findClosedOutstandingItem(books, closedFigures, key);
    if (
      item === null ||
      JSON.stringify(item) !== JSON.stringify({ item: key, currency, dated_on, amount_in_cents, text })
    )
      return false;
    count++;
    yield;
  }
  return count === countClosedOutstandingItems(books, closedFigures);
}
