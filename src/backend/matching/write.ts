import { setImmediate as breathe } from 'node:timers/promises';
import type { MatchGroup, MatchStatus } from '../../domain/matching/index.ts';
import { batches } from '../bank/apply.ts';
import { commit, prepared, type WritableDb } from '../store/database.ts';
import {
  type GroundPayout,
  groupOfKey,
  type KeyedGroup,
  openToRuns,
  type Scope,
} from '../store/matchGround.ts';
import { addGroup, dropProposal, itemsOf, refreshGroup } from '../store/matchGroup.ts';
import { keyOf } from './ground.ts';
import { PASSES_VERSION } from './passes.ts';
import { releaseGroup } from './release.ts';

/** Groups written together. */
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
  readonly payouts: readonly GroundPayout[];
  readonly signal: AbortSignal;
  /** Gives what was found, from its beginning. */
  found(): Iterable<Found>;
  /** Hears of each once, in their order. */
  hear(found: Found): void;
  progress(done: number): void;
}

/**
 * Makes the books say what a run found. What an earlier run found and this one finds again stays as it is, under its number; what is not
 * found any more is taken back first, so that no cent is claimed twice on the way; then comes what is new. Gives the
 * groups that were confirmed and are not any more.
 */
export async function writeGroups(writing: Writing): Promise<number[]> {
  const { books, scope, signal, progress } = writing;
  const isFirst = openToRuns(books, scope, 0, 1).length === 0;
  const undone = isFirst ? [] : await sweep(writing, stillThere(writing));
  const payouts = new Map(
    writing.payouts.map(({ id, account_id, payout_id, currency }) => [
      `${account_id} ${currency} ${payout_id}`,
      id,
    ]),
  );
  let done = 0;
  for (const batch of batches(writing.found(), BATCH)) {
    await breathe();
    signal.throwIfAborted();
    commit(books, () => {
      for (const found of batch) put(writing, found, payouts);
    });
    for (const found of batch) writing.hear(found);
    done += batch.length;
    progress(done);
  }
  return undone;
}

/** Groups of earlier runs that are found again as they are. */
function stillThere({ books, found }: Writing): Set<number> {
  const still = new Set<number>();
  for (const each of found()) {
    const held = groupOfKey(books, each.key);
    if (held !== null && isSame(books, held, each)) still.add(held.id);
  }
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

async function sweep(
  { books, scope, run, at, signal }: Writing,
  still: ReadonlySet<number>,
): Promise<number[]> {
  const undone: number[] = [];
  const why = `Run ${run} did not find it again: the lines, the payments or the rules are others now.`;
  for (let after = 0; ; ) {
    await breathe();
    signal.throwIfAborted();
    const groups = openToRuns(books, scope, after, BATCH);
    const last = groups.at(-1);
    if (last === undefined) return undone;
    after = last.id;
    commit(books, () => {
      for (const { id, status } of groups) {
        if (still.has(id)) continue;
        if (status === 'confirmed') {
          releaseGroup(books, id, { at, by: null, why });
          undone.push(id);
        } else {
          dropProposal(books, id, { at, by: null, why });
        }
      }
    });
  }
}

function put({ books, run, at }: Writing, found: Found, payouts: ReadonlyMap<string, number>): void {
  const { group, key, status } = found;
  const held = groupOfKey(books, key);
  const known = {
    score: group.score,
    rivals: group.rivals,
    reasons: reasonsOf(found),
    user_rule: group.user_rule,
    rule_version: PASSES_VERSION,
  };
  if (held !== null) {
    if (held.changed_by === null && held.locked === 0 && isOtherwiseJudged(held, known)) refreshGroup(books, held.id, known);
    return;
  }
  const { payout } = group;
  addGroup(books, {
    ...known,
    status,
    rule: group.rule,
    currency: group.currency,
    dated_on: firstDay(books, group),
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

/** The earliest booking date of its lines. */
function firstDay(books: WritableDb, { lines }: MatchGroup): string {
  const day = prepared<string>(books, 'SELECT booked_on FROM bank_line WHERE id = ?').pluck();
  let first = '';
  for (const { id } of lines) {
    const booked = day.get(id) ?? '';
    if (first === '' || booked < first) first = booked;
  }
  return first;
}
