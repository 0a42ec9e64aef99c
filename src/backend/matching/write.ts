import type { MatchGroup, MatchStatus } from '../../domain/matching/index.ts';
import { ranges } from '../bank/ranges.ts';
import { createTurns, type Turns } from '../jobs/turns.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type WritableDb, withPages } from '../store/database.ts';
import {
  type GroundPayout,
  groupOfKey,
  type KeyedGroup,
  openToRuns,
  type Scope,
} from '../store/matching/match-ground.ts';
import { addGroup, dropProposal, itemsOf, refreshGroup } from '../store/matching/match-group.ts';
import { keyOf } from './ground.ts';
import { PASSES_VERSION } from './passes.ts';
import { releaseGroup } from './release.ts';

/** How long a transaction takes: so soon others get their turn, and a cancel acts. */
const TURN_MS = 150;
/** Room for the pages that are written to, in KiB: groups come in the order of their days, and their amounts lie everywhere. */
const PAGES = 12_288;
/** Groups looked at together. */
const BATCH = 1000;

/** A group as it will be written: what a person took back before is only suggested. */
export interface Found {
  readonly group: MatchGroup;
  readonly key: string;
  readonly status: MatchStatus;
}

export function* foundGroups(groups: Iterable<MatchGroup>, refused: ReadonlySet<string>): Generator<Found> {
  for (const group of groups) {
    const key = keyOf(group);
    const isRefused = group.status === 'confirmed' && refused.has(key);
    yield { group, key, status: isRefused ? 'suggested' : group.status };
  }
}

export interface Writing {
  readonly books: WritableDb;
  readonly scope: Scope;
  readonly run: number;
  /** ms UTC. */
  readonly at: number;
  /** Who started the run. */
  readonly who: string;
  readonly payouts: readonly GroundPayout[];
  readonly signal: AbortSignal;
  /** How many were found. */
  readonly total: number;
  /** Gives what was found, from its beginning. */
  found(): Iterable<Found>;
  /** Hears of each once, in their order. */
  hear(found: Found): void;
  progress(done: number): void;
}

/**
 * Makes the books say what a run found. What an earlier run found and this one finds again stays as it is, under its number; what is not
 * found any more is taken back first, so that no cent is claimed twice on the way; then comes what is new. Cancelled, it leaves whole groups,
 * and the next run goes on from there. Gives the groups that were confirmed and are not any more.
 */
export async function writeGroups(writing: Writing): Promise<number[]> {
  const { books, signal, progress, payouts, total } = writing;
  return withPages(books, PAGES, async () => {
    const turns = createTurns(signal, TURN_MS);
    const isFirst = openToRuns(books, writing.scope, 0, 1).length === 0;
    const still = new Uint8Array(isFirst ? 0 : total);
    const undone = isFirst ? [] : await sweep(writing, await stillThere(writing, still, turns), turns);
    const payoutIds = new Map(
      payouts.map(({ id, account_id, payout_id, currency }) => [
        `${account_id} ${currency} ${payout_id}`,
        id,
      ]),
    );
    let done = 0;
    await inTransactions(
      writing,
      turns,
      (found) => {
        if (still[done++] !== 1) put(writing, found, payoutIds, isFirst);
        writing.hear(found);
      },
      () => progress(done),
    );
    return undone;
  });
}

/** Does something with each group found, so many in a transaction as a turn takes. */
async function inTransactions(
  { books, found }: Writing,
  turns: Turns,
  work: (found: Found) => void,
  told: () => void,
): Promise<void> {
  const rest = found()[Symbol.iterator]();
  for (let more = true; more; ) {
    await turns.next();
    more = commit(books, () => {
      while (!turns.over()) {
        const next = rest.next();
        if (next.done) return false;
        work(next.value);
      }
      return true;
    });
    told();
  }
}

/** Groups of earlier runs that are found again as they are: their numbers; what was found is marked by its place. */
async function stillThere(writing: Writing, marks: Uint8Array, turns: Turns): Promise<Set<number>> {
  const { books } = writing;
  const still = new Set<number>();
  let place = 0;
  await inTransactions(
    writing,
    turns,
    (found) => {
      const at = place++;
      const held = groupOfKey(books, found.key);
      if (held === null || !isSame(books, held, found)) return;
      still.add(held.id);
      marks[at] = 1;
      refresh(books, held, found);
    },
    () => writing.progress(0),
  );
  return still;
}

function isSame(books: WritableDb, held: KeyedGroup, { group, status }: Found): boolean {
  if (held.changed_by !== null || held.status !== status || held.rule !== group.rule) return false;
  if (held.user_rule !== group.user_rule) return false;
  const wanted = [
    ...group.lines.map(({ id, allocated_in_cents }) => `line ${id} ${allocated_in_cents}`),
    ...group.payments.map(({ id, allocated_in_cents }) => `payment ${id} ${allocated_in_cents}`),
    ...group.adjustments.map(({ category, amount_in_cents }) => `${category} ${amount_in_cents}`),
  ];
  const items = itemsOf(books, held.id);
  if (items.length !== wanted.length) return false;
  const there = new Set(
    items.map(({ line_id, transaction_id, category, allocated_in_cents }) =>
      line_id !== null
        ? `line ${line_id} ${allocated_in_cents}`
        : transaction_id !== null
          ? `payment ${transaction_id} ${allocated_in_cents}`
          : `${category} ${allocated_in_cents}`,
    ),
  );
  return wanted.every((item) => there.has(item));
}

/** Takes back what earlier runs found and this one did not. */
async function sweep(
  { books, scope, run, at, who }: Writing,
  still: ReadonlySet<number>,
  turns: Turns,
): Promise<number[]> {
  const undone: number[] = [];
  const why = `Run ${run} did not find it again: the lines, the payments or the rules are others now.`;
  for (let after = 0; ; ) {
    await turns.next();
    const groups = openToRuns(books, scope, after, BATCH);
    const last = groups.at(-1);
    if (last === undefined) return undone;
    after = last.id;
    commit(books, () => {
      const confirmed: number[] = [];
      for (const { id, status } of groups) {
        if (still.has(id)) continue;
        if (status === 'confirmed') {
          releaseGroup(books, id, { at, by: null, why });
          confirmed.push(id);
        } else {
          dropProposal(books, id, { at, by: null, why });
        }
      }
      if (confirmed.length === 0) return;
      const detail = { undone: ranges(confirmed) };
      addAudit(books, { at, who, action: 'match.not-found-again', subject: String(run), why, detail });
      undone.push(...confirmed);
    });
  }
}

function put(
  { books, run, at }: Writing,
  found: Found,
  payouts: ReadonlyMap<string, number>,
  isFirst: boolean,
): void {
  const { group, key, status } = found;
  // A person's decision about a part of the same rows may hold the key.
  if (!isFirst && groupOfKey(books, key) !== null) return;
  const { payout } = group;
  addGroup(books, {
    ...judgementOf(found),
    status,
    rule: group.rule,
    currency: group.currency,
    dated_on: group.dated_on,
    lines: group.lines,
    payments: group.payments,
    adjustments: group.adjustments,
    key,
    payout_id:
      payout === null
        ? null
        : (payouts.get(`${payout.account} ${group.currency} ${payout.payout_id}`) ?? null),
    reverses: group.reverses,
    run_id: run,
    at,
    by: null,
    why: null,
  });
}

/** Says of a group that is found again what speaks for it by now. */
function refresh(books: WritableDb, held: KeyedGroup, found: Found): void {
  const known = judgementOf(found);
  if (held.locked === 0 && isOtherwiseJudged(held, known)) refreshGroup(books, held.id, known);
}

function judgementOf(found: Found) {
  const { score, rivals, user_rule } = found.group;
  return { score, rivals, user_rule, reasons: reasonsOf(found), rule_version: PASSES_VERSION };
}

function reasonsOf({ group, status }: Found): MatchGroup['reasons'] {
  if (status === group.status) return group.reasons;
  return [
    ...group.reasons,
    { field: 'decision', text: 'This match was taken back before, so it is not confirmed by itself.' },
  ];
}

function isOtherwiseJudged(
  held: KeyedGroup,
  known: Pick<MatchGroup, 'score' | 'rivals' | 'reasons' | 'user_rule'>,
): boolean {
  return (
    held.score !== known.score ||
    held.rivals !== known.rivals ||
    held.user_rule !== known.user_rule ||
    held.rule_version !== PASSES_VERSION ||
    held.reasons !== JSON.stringify(known.reasons)
  );
}
