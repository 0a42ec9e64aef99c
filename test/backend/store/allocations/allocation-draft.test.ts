import { expect, it } from 'vitest';
import {
  addAllocationChanges,
  findAllocationChange,
  findNextAllocationChange,
  findUndecidedChangeInOtherDraft,
  hashAllocationChanges,
  listChangesInSameRequest,
  type StoredAllocationChange,
  type StoredAllocationDraft,
  saveAllocationChange,
  saveAllocationDraft,
} from '../../../../src/backend/store/allocations/allocation-draft.ts';
import {
  getAllocationDraft,
  listAllocationChanges,
} from '../../../../src/backend/store/allocations/allocation-draft-list.ts';
import {
  listRequestsForAllocationChange,
  type StoredAllocationRequest,
  saveAllocationRequest,
} from '../../../../src/backend/store/allocations/allocation-request.ts';
import { getQueryPlan } from '../query-plan.ts';
import { readAllPages } from '../read-all-pages.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const draft = (id: string, overrides: Partial<StoredAllocationDraft> = {}): StoredAllocationDraft => ({
  id,
  created_at: 1000,
  user: 'ada',
  title: id,
  source: 'file',
  together: 0,
  state: 'draft',
  reason: null,
  checked_at: null,
  sha256: '',
  stop_after: null,
  sent_at: null,
  ended_at: null,
  job: null,
  ...overrides,
});

const change = (
  of: string,
  ordinal: number,
  overrides: Partial<StoredAllocationChange> = {},
): StoredAllocationChange => ({
  draft: of,
  ordinal,
  line: ordinal + 2,
  raw: null,
  subscription_id: 10 + (ordinal % 3),
  component_id: 7,
  quantity: ordinal,
  memo: null,
  proration_upgrade_scheme: null,
  proration_downgrade_scheme: null,
  drafted_quantity: null,
  current_quantity: 1,
  direction: 'upgrade',
  problem: null,
  problem_text: null,
  outcome: 'waiting',
  resolved_by: null,
  request: null,
  resolved_at: null,
  applied: null,
  error: null,
  evidence: null,
  ...overrides,
});

it('stores quantities exactly: integers as numbers, fractions as text', () => {
  const books = openTemporaryStore('books');
  saveAllocationDraft(books, draft('a'));
  const quantities = [5, -3, '2.5', '12345678901234567890', 9007199254740991];
  addAllocationChanges(
    books,
    quantities.map((quantity, at) => change('a', at, { quantity, current_quantity: quantity })),
  );
  for (const [at, quantity] of quantities.entries()) {
    expect(findAllocationChange(books, 'a', at)).toMatchObject({ quantity, current_quantity: quantity });
  }
  expect(books.prepare('SELECT group_concat(typeof(quantity)) FROM allocation_change').pluck().get()).toBe(
    'integer,integer,text,text,integer',
  );
});

it('returns the next change of a subscription that is not busy, and the changes sent with it', () => {
  const books = openTemporaryStore('books');
  saveAllocationDraft(books, draft('a'));
  const schemes = { proration_upgrade_scheme: 'no-prorate' };
  addAllocationChanges(books, [
    change('a', 0, { problem: 'duplicate' }),
    change('a', 1),
    change('a', 2),
    change('a', 4, schemes),
    change('a', 7, { component_id: 8 }),
  ]);
  expect(findNextAllocationChange(books, 'a', [])?.ordinal).toBe(1);
  expect(findNextAllocationChange(books, 'a', [11])?.ordinal).toBe(2);
  expect(findNextAllocationChange(books, 'a', [11, 12])).toBeNull();
  expect(listChangesInSameRequest(books, change('a', 1)).map(({ ordinal }) => ordinal)).toEqual([1, 7]);
  saveAllocationChange(books, change('a', 1, { outcome: 'applied' }));
  expect(findNextAllocationChange(books, 'a', [])?.ordinal).toBe(2);
});

it('counts changes by problem and outcome, and lists them page by page', () => {
  const books = openTemporaryStore('books');
  const cache = openTemporaryStore('cache');
  saveAllocationDraft(books, draft('a'));
  const rows = Array.from({ length: 45 }, (_, at) =>
    change('a', at, {
      ...(at % 5 === 0 ? { problem: 'no_change' as const } : {}),
      outcome: at % 2 === 0 ? 'applied' : 'waiting',
      direction: at % 3 === 0 ? 'downgrade' : 'upgrade',
      drafted_quantity: at === 7 ? 3 : 1,
    }),
  );
  addAllocationChanges(books, rows);
  const ready = rows.filter(({ problem }) => problem === null);
  expect(getAllocationDraft(books, 'acme', 'a')).toMatchObject({
    count: 45,
    ready: ready.length,
    downgrades: ready.filter(({ direction }) => direction === 'downgrade').length,
    changed_since_drafted: 1,
    problems: { no_change: 9, missing: 0 },
    outcomes: { applied: ready.filter(({ outcome }) => outcome === 'applied').length, refused: 0 },
  });
  for (const [query, wanted] of [
    [{ show: 'all' }, rows],
    [{ show: 'problems' }, rows.filter(({ problem }) => problem !== null)],
    [{ show: 'all', outcome: ['applied'] }, ready.filter(({ outcome }) => outcome === 'applied')],
  ] as const) {
    const { rows: read } = readAllPages(
      (page) => listAllocationChanges(books, cache, { draft: 'a', ...page, ...query }),
      7,
    );
    expect(read.map(({ ordinal }) => ordinal)).toEqual(wanted.map(({ ordinal }) => ordinal));
  }
});

it('finds an unresolved change of another draft, and allows one draft to be sent at a time', () => {
  const books = openTemporaryStore('books');
  for (const id of ['a', 'b']) saveAllocationDraft(books, draft(id));
  addAllocationChanges(books, [change('a', 0, { outcome: 'undecided' }), change('b', 0), change('b', 1)]);
  expect(findUndecidedChangeInOtherDraft(books, 'b')).toMatchObject({ draft: 'a', ordinal: 0 });
  expect(findUndecidedChangeInOtherDraft(books, 'a')).toBeNull();
  saveAllocationDraft(books, draft('a', { state: 'running' }));
  expect(() => saveAllocationDraft(books, draft('b', { state: 'running' }))).toThrow(/UNIQUE/);
});

it('keeps every request and finds the requests of a change', () => {
  const books = openTemporaryStore('books');
  saveAllocationDraft(books, draft('a'));
  const request: StoredAllocationRequest = {
    draft: 'a',
    request: 1,
    subscription_id: 10,
    sent: [
      {
        ordinal: 3,
        sought: { previous: 1, quantity: '2.5', memo: null },
        before: {
          count: 2,
          equal: 0,
          quantity: 1,
          newest_at: null,
          read_at: '2026-10-01T00:00:00Z',
          service_at: null,
        },
      },
    ],
    state: 'posting',
    posted_at: 5,
    doubted_at: null,
    ended_at: null,
    error: null,
  };
  saveAllocationRequest(books, request);
  saveAllocationRequest(books, { ...request, state: 'applied', ended_at: 9 });
  expect(listRequestsForAllocationChange(books, change('a', 3, { subscription_id: 10 }))).toEqual([
    { ...request, state: 'applied', ended_at: 9 },
  ]);
  expect(listRequestsForAllocationChange(books, change('a', 4, { subscription_id: 10 }))).toEqual([]);
  expect(() => books.exec('DELETE FROM allocation_request')).toThrow('sent requests cannot be deleted');
});

it('has a digest that changes with any difference in the requests', () => {
  const rows = [change('a', 0), change('a', 1, { problem: 'no_change' })];
  const digest = hashAllocationChanges(rows, 0);
  expect(hashAllocationChanges([rows[0] as StoredAllocationChange], 0)).toBe(digest);
  for (const other of [
    { quantity: 6 },
    { current_quantity: 2 },
    { memo: 'x' },
    { proration_upgrade_scheme: 'no-prorate' },
    { component_id: 9 },
  ]) {
    expect(hashAllocationChanges([change('a', 0, other)], 0)).not.toBe(digest);
  }
  expect(hashAllocationChanges(rows, 1)).not.toBe(digest);
});

it.each([
  [
    'the next change',
    "SELECT * FROM allocation_change INDEXED BY allocation_change_outcome WHERE draft = 'a' AND outcome = 'waiting' AND problem IS NULL ORDER BY ordinal LIMIT 1",
    'allocation_change_outcome',
  ],
  [
    'a change not decided',
    "SELECT 1 FROM allocation_change INDEXED BY allocation_change_open WHERE outcome IN ('sending', 'verifying', 'undecided') AND draft <> 'a'",
    'allocation_change_open',
  ],
  [
    'the requests of a change',
    "SELECT * FROM allocation_request INDEXED BY allocation_request_subscription WHERE draft = 'a' AND subscription_id IS 1 ORDER BY request",
    'allocation_request_subscription',
  ],
])('reads %s by an index without sorting', (_, sql, index) => {
  const steps = getQueryPlan(openTemporaryStore('books'), sql, []).join('\n');
  expect(steps).toContain(index);
  expect(steps).not.toContain('TEMP B-TREE');
});
