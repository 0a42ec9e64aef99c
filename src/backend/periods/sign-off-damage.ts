import { createHash, hash } from 'node:crypto';
import type { ClosedFigures, ClosedRowKind, Workpaper } from '../../contract/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { readChunkText } from '../changes-since-sign-off/closed-chunks.ts';
import {
  chunksBeginning,
  closedFiguresRecorded,
  type StoredClosedFigures,
  type StoredContent,
} from '../store/periods/closed-figures.ts';
import {
  countClosedOutstandingItems,
  toClosedOutstandingItem,
} from '../store/periods/closed-outstanding-item.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { computeFiguresDigest } from '../workpaper/workpaper.ts';
import {
  type ClosedFiguresContent,
  parseClosedFiguresContent,
  readSignedWorkpaper,
} from './closed-figures-content.ts';
import { CONTRIBUTIONS_LIST } from './signed-contributions.ts';
import { listChunkKind, signedRows } from './signed-lists.ts';

const rowKindNames: Readonly<Record<ClosedRowKind, string>> = {
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
]);

/**
 * Compares the stored data of a closing with its digests: the chunks with the closed figures, and the closed figures with
 * the audit log. Returns a sentence for each mismatch.
 */
export function* findSignOffDamage(
  books: ReadableDb,
  period: string,
  closedFigures: StoredClosedFigures,
): WorkSteps<string[]> {
  const found: string[] = [];
  const add = (what: string) => found.push(`Damaged or tampered with: ${what}.`);
  if (closedFigures.sha256 !== hash('sha256', closedFigures.content ?? '', 'hex'))
    add(`the seal of ${period}`);
  else if (closedFigures.sha256 !== closedFiguresRecorded(books, period, closedFigures.version))
    add(`the seal of ${period}, which is not the one that the audit log names`);
  const content = readOrNull(() => parseClosedFiguresContent(closedFigures));
  if (content === null) return found;
  if (
    !areFiguresAsSigned(
      readOrNull(() => readSignedWorkpaper(books, closedFigures)),
      content,
      closedFigures,
    )
  )
    add(`the figures of ${period}, which are not those that were signed`);
  yield;
  for (const { kind, ...closed } of content.rows) {
    const comparison = yield* compareChunks(chunksBeginning(books, closedFigures.id, kind), closed);
    if (!comparison.isIntact)
      add(
        `the ${rowKindNames[kind]} of ${period} as they were sealed${formatLostRows(comparison, 'cannot be read as they were kept')}`,
      );
  }
  for (const { list, ...closed } of content.lists) {
    const isParts = list === CONTRIBUTIONS_LIST;
    const comparison = yield* compareChunks(
      chunksBeginning(books, closedFigures.id, isParts ? `${CONTRIBUTIONS_LIST} ` : listChunkKind(list)),
      closed,
    );
    const name = isParts
      ? `the rows behind the figures of ${period}`
      : `the list of ${listNames.get(list) ?? list} of ${period}`;
    if (!comparison.isIntact)
      add(`${name} as signed${formatLostRows(comparison, 'are not what was kept, and are left out')}`);
    else if (list === 'outstanding' && !(yield* areItemsAsSigned(books, closedFigures.id)))
      add(`what ${period} brings forward, which is not what was outstanding when it was signed`);
  }
  return found;
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
  /** Number of rows that do not match their checksum. */
  readonly lost: number;
  readonly of: number;
}

/** Compares the chunks of a kind with the digest of all of them. */
function* compareChunks(
  chunks: Iterable<StoredContent>,
  closed: Pick<ClosedFigures['lists'][number], 'count' | 'sha256'>,
): WorkSteps<ChunkComparison> {
  const all = createHash('sha256');
  let lost = 0;
  let count = 0;
  for (const chunk of chunks) {
    const text = readChunkText(chunk);
    if (text === null) lost += chunk.count;
    else all.update(text);
    count += chunk.count;
    yield;
  }
  return { isIntact: count === closed.count && all.digest('hex') === closed.sha256, lost, of: closed.count };
}

const formatLostRows = ({ lost, of }: ChunkComparison, what: string): string =>
  lost === 0 ? '' : `; ${lost} of its ${of} rows ${what}`;

/** Returns true if the items brought forward are exactly the outstanding items of the closed period. */
function* areItemsAsSigned(books: ReadableDb, closedFigures: number): WorkSteps<boolean> {
  let count = 0;
  for (const { key, currency, dated_on, amount_in_cents, text } of signedRows(
    books,
    closedFigures,
    'outstanding',
  )) {
    const item = toClosedOutstandingItem(books, closedFigures, key);
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
