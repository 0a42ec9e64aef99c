import { createHash, hash } from 'node:crypto';
import type { PeriodSeal, SealedKind, Workpaper } from '../../contract/index.ts';
import type { Steps } from '../steps.ts';
import type { ReadableDb } from '../store/database.ts';
import { countSealedItems, sealedItemOf } from '../store/periods/period-item.ts';
import {
  chunksBeginning,
  type StoredContent,
  type StoredSeal,
  sealNoted,
} from '../store/periods/period-seal.ts';
import { figuresDigest } from '../workpaper/workpaper.ts';
import { textOfChunk } from './chunks.ts';
import { type SealContent, sealedContent, signedWorkpaper } from './sealed-content.ts';
import { kindOf, signedRows } from './signed-lists.ts';
import { PARTS } from './signed-parts.ts';

const kinds: Readonly<Record<SealedKind, string>> = {
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
 * Holds all that is kept of a closing against its digests: the chunks against the seal, the seal against the audit log. Gives what is
 * not as it was sealed, a sentence each; none where all is.
 */
export function* damageSteps(books: ReadableDb, period: string, seal: StoredSeal): Steps<string[]> {
  const found: string[] = [];
  const add = (what: string) => found.push(`Damaged or tampered with: ${what}.`);
  if (seal.sha256 !== hash('sha256', seal.content ?? '', 'hex')) add(`the seal of ${period}`);
  else if (seal.sha256 !== sealNoted(books, period, seal.version))
    add(`the seal of ${period}, which is not the one that the audit log names`);
  const content = readable(() => sealedContent(seal));
  if (content === null) return found;
  if (
    !isSigned(
      readable(() => signedWorkpaper(books, seal)),
      content,
      seal,
    )
  )
    add(`the figures of ${period}, which are not those that were signed`);
  yield;
  for (const { kind, ...sealed } of content.rows) {
    const told = yield* held(chunksBeginning(books, seal.id, kind), sealed);
    if (!told.sound)
      add(
        `the ${kinds[kind]} of ${period} as they were sealed${outOf(told, 'cannot be read as they were kept')}`,
      );
  }
  for (const { list, ...sealed } of content.lists) {
    const isParts = list === PARTS;
    const told = yield* held(chunksBeginning(books, seal.id, isParts ? `${PARTS} ` : kindOf(list)), sealed);
    const name = isParts
      ? `the rows behind the figures of ${period}`
      : `the list of ${lists.get(list) ?? list} of ${period}`;
    if (!told.sound) add(`${name} as signed${outOf(told, 'are not what was kept, and are left out')}`);
    else if (list === 'outstanding' && !(yield* carriesItsItems(books, seal.id)))
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

const isSigned = (workpaper: Workpaper | null, { figures }: SealContent, seal: StoredSeal): boolean =>
  workpaper !== null &&
  [workpaper.digest, figuresDigest(workpaper), seal.figures].every((digest) => digest === figures);

interface Told {
  readonly sound: boolean;
  /** Rows that are not as they were kept, of how many. */
  readonly lost: number;
  readonly of: number;
}

/** Holds the chunks of a kind against what the seal says of all of them. */
function* held(
  chunks: Iterable<StoredContent>,
  sealed: Pick<PeriodSeal['lists'][number], 'count' | 'sha256'>,
): Steps<Told> {
  const all = createHash('sha256');
  let lost = 0;
  let count = 0;
  for (const chunk of chunks) {
    const text = textOfChunk(chunk);
    if (text === null) lost += chunk.count;
    else all.update(text);
    count += chunk.count;
    yield;
  }
  return { sound: count === sealed.count && all.digest('hex') === sealed.sha256, lost, of: sealed.count };
}

const outOf = ({ lost, of }: Told, what: string): string =>
  lost === 0 ? '' : `; ${lost} of its ${of} rows ${what}`;

/** Whether what is carried forward is what was outstanding, to the cent. */
function* carriesItsItems(books: ReadableDb, seal: number): Steps<boolean> {
  let count = 0;
  for (const { key, currency, dated_on, amount_in_cents, text } of signedRows(books, seal, 'outstanding')) {
    const item = sealedItemOf(books, seal, key);
    if (
      item === null ||
      JSON.stringify(item) !== JSON.stringify({ item: key, currency, dated_on, amount_in_cents, text })
    )
      return false;
    count++;
    yield;
  }
  return count === countSealedItems(books, seal);
}
