import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AllocationHistory,
  type AllocationHistoryEntry,
  type HistoryBeforeChange,
  lookUpSentAllocationChange,
  type SentAllocationChange,
  summarizeAllocationHistory,
} from '../../../src/domain/allocations/index.ts';

type At = AllocationHistoryEntry & { at: number };
const START = Date.UTC(2026, 9, 1);

function entry(from: number | string, to: number | string, memo: string | null, at: number): At {
  return {
    subscription_id: 1,
    component_id: 2,
    quantity: to,
    previous_quantity: from,
    memo,
    timestamp: `${new Date(at).toISOString().slice(0, 19)}Z`,
    proration_upgrade_scheme: null,
    proration_downgrade_scheme: null,
    extra: {},
    at,
  };
}

const history = (entries: readonly At[]): AllocationHistory => ({ entries, readAt: START });
function summarizeBefore(entries: readonly At[], change: SentAllocationChange): HistoryBeforeChange {
  return { ...summarizeAllocationHistory(history(entries), change), service_at: entries[0]?.at ?? START };
}

const historyBefore = [entry(3, 5, null, START), entry(0, 3, 'first', START - 1000)];
const sentChange: SentAllocationChange = { previous: 5, quantity: 8, memo: 'Ours' };
const after = (...fresh: At[]) =>
  lookUpSentAllocationChange(
    sentChange,
    summarizeBefore(historyBefore, sentChange),
    history([...fresh, ...historyBefore]),
  );

test('a single new entry equal to the change proves that it was applied', () => {
  expect(after(entry('5.0', '8.00', ' Ours ', START + 2000))).toMatchObject({ is: 'applied' });
  expect(after(entry(8, 9, null, START + 3000), entry(5, 8, 'Ours', START + 2000))).toMatchObject({
    is: 'applied',
    entry: { quantity: 8 },
    text: expect.stringContaining(
      'The history contains the change, recorded at 2026-10-01T00:00:02Z: 0 identical entries before, 1 now.',
    ),
  });
});

test('a change without a similar new entry was not applied', () => {
  expect(after()).toMatchObject({
    is: 'absent',
    text: 'The history is unchanged: 2 entries before and now.',
  });
  expect(after(entry(5, 6, 'Ours', START + 1000)).is).toBe('absent');
});

test.each([
  [
    'two equal new entries',
    [entry(5, 8, 'Ours', START + 9000), entry(8, 5, null, START + 5000), entry(5, 8, 'Ours', START + 1000)],
  ],
  ['a new entry with a different memo', [entry(5, 8, null, START + 1000)]],
  [
    'a new entry with a different previous quantity',
    [entry(6, 8, 'Ours', START + 2000), entry(5, 6, null, START + 1000)],
  ],
  [
    'a new entry with a different memo and previous quantity',
    [entry(6, 8, 'theirs', START + 2000), entry(5, 6, null, START + 1000)],
  ],
  ['an equal entry that is old', [entry(5, 8, 'Ours', START - 900_000)]],
])('a person must decide about %s', (_, fresh) => {
  expect(after(...fresh).is).toBe('undecided');
});

test('a history that became shorter or different leaves the outcome undecided', () => {
  const before = summarizeBefore(historyBefore, sentChange);
  expect(lookUpSentAllocationChange(sentChange, before, history(historyBefore.slice(1))).is).toBe(
    'undecided',
  );
  const other = [entry(5, 8, 'Ours', START + 5000), entry(3, 5, null, START + 4000), historyBefore[1] as At];
  expect(lookUpSentAllocationChange(sentChange, before, history(other)).is).toBe('undecided');
});

test('an unknown previous quantity is not compared', () => {
  const first: SentAllocationChange = { previous: null, quantity: 8, memo: null };
  expect(
    lookUpSentAllocationChange(first, summarizeBefore([], first), history([entry(0, 8, '', START + 1000)]))
      .is,
  ).toBe('applied');
});

/** Expects “absent” only if no change was made, and “applied” only if exactly one equal entry was made. */
test('an applied change is always found, and no other entry is mistaken for it', () => {
  const quantity = fc.integer({ min: 0, max: 3 });
  const memo = fc.constantFrom(null, 'Ours', 'theirs');
  const others = fc.array(fc.record({ to: quantity, memo }), { maxLength: 4 });
  fc.assert(
    fc.property(
      others,
      others,
      others,
      quantity,
      memo,
      fc.boolean(),
      fc.boolean(),
      (past, early, late, to, own, made, altered) => {
        let entries: At[] = [];
        const add = (next: number, with_: string | null) => {
          const from = Number(entries[0]?.quantity ?? 0);
          entries = [entry(from, next, with_, START + entries.length * 1000), ...entries];
        };
        for (const each of past) add(each.to, each.memo);
        const wants: SentAllocationChange = {
          previous: Number(entries[0]?.quantity ?? 0),
          quantity: to,
          memo: own,
        };
        const before = summarizeBefore(entries, wants);
        for (const each of early) add(each.to, each.memo);
        if (made) add(to, altered ? 'cut off' : own);
        for (const each of late) add(each.to, each.memo);
        const verdict = lookUpSentAllocationChange(wants, before, history(entries));
        if (verdict.is === 'absent') expect(made).toBe(false);
        if (verdict.is === 'applied') {
          const equal = entries
            .slice(0, entries.length - before.count)
            .filter(
              (each) =>
                each.quantity === to && each.previous_quantity === wants.previous && each.memo === own,
            );
          expect(equal).toHaveLength(1);
        }
      },
    ),
    { numRuns: Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 2000) },
  );
});
