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
import { figuresDigest } from '../workpaper/workpaper.ts';
import { type ClosedFiguresContent, closedFiguresContent, signedWorkpaper } from './sealed-content.ts';
import { listChunkKind, signedRows } from './signed-lists.ts';
import { CONTRIBUTIONS } from './signed-parts.ts';

const kinds: Readonly<Record<ClosedRowKind, string>> = {
  file: 'source files',
  statement: 'statements',
  payment: 'payments',
  line: 'bank lines',
  payout: 'payouts',
  match: 'matches',
  exception: 'exceptions',
};
const lists = new Map([
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
 * Compares all stored data of a closing with its digests: the chunks with the closed figures, the closed figures with the
 * audit log. Returns a sentence for each mismatch.
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
  const content = readable(() => closedFiguresContent(closedFigures));
  if (content === null) return found;
  if (
    !isSigned(
      readable(() => signedWorkpaper(books, closedFigures)),
      content,
      closedFigures,
    )
  )
    add(`the figures of ${period}, which are not those that were signed`);
  yield;
  for (const { kind, ...closed } of content.rows) {
    const told = yield* stored(chunksBeginning(books, closedFigures.id, kind), closed);
    if (!told.sound)
      add(
        `the ${kinds[kind]} of ${period} as they were sealed${outOf(told, 'cannot be read as they were kept')}`,
      );
  }
  for (const { list, ...closed } of content.lists) {
    const isParts = list === CONTRIBUTIONS;
    const told = yield* stored(
      chunksBeginning(books, closedFigures.id, isParts ? `${CONTRIBUTIONS} ` : listChunkKind(list)),
      closed,
    );
    const name = isParts
      ? `the rows behind the figures of ${period}`
      : `the list of ${lists.get(list) ?? list} of ${period}`;
    if (!told.sound) add(`${name} as signed${outOf(told, 'are not what was kept, and are left out')}`);
    else if (list === 'outstanding' && !(yield* carriesItsItems(books, closedFigures.id)))
      add(`what ${period} brings forward, which is not what was outstanding when it was signed`);
  }
  return found;
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const isSigned = (
  workpaper: Workpaper | null,
  { figures }: ClosedFiguresContent,
  closedFigures: StoredClosedFigures,
): boolean =>
  workpaper !== null &&
  [workpaper.digest, figuresDigest(workpaper), closedFigures.figures].every((digest) => digest === figures);

interface Told {
  readonly sound: boolean;
  /** Number of rows that do not match their checksum, and the total. */
  readonly lost: number;
  readonly of: number;
}

/** Compares the chunks of a kind with their overall digest. */
function* stored(
  chunks: Iterable<StoredContent>,
  closed: Pick<ClosedFigures['lists'][number], 'count' | 'sha256'>,
): WorkSteps<Told> {
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
  return { sound: count === closed.count && all.digest('hex') === closed.sha256, lost, of: closed.count };
}

const outOf = ({ lost, of }: Told, what: string): string =>
  lost === 0 ? '' : `; ${lost} of its ${of} rows ${what}`;

/** Returns true if the items brought forward equal the outstanding items, to the cent. */
function* carriesItsItems(books: ReadableDb, closedFigures: number): WorkSteps<boolean> {
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
