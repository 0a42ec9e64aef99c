import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AlertClaim,
  addAlert,
  claimAlertDelivery,
  listAlertDeliveries,
  type StoredAlert,
  saveAlertDeliveryResult,
} from '../../../../src/backend/store/alerts/alert.ts';
import type { WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 6, 7, 9);

const openBooks = () => openTemporaryStore('books');
const add = (books: WritableDb, change: Partial<StoredAlert> = {}) =>
  addAlert(
    books,
    {
      ...{ at: START, kind: 'failing', endpoint: 'https://a.merchant.test/', failures: 4, since: START },
      ...{ reported: 0, ...change },
    },
    ['address'],
  );
const claim = (books: WritableDb, now: number, after = 0) =>
  claimAlertDelivery(books, 'address', { now, onlyTests: false, after });
const require = (claimed: AlertClaim | null): AlertClaim => {
  if (claimed === null) throw new Error('Nothing is due.');
  return claimed;
};
const stateOf = (books: WritableDb, alert: number) => listAlertDeliveries(books, alert)[0];

test('a receiver that is down for less than a day gets the alert, after attempts with backoff', () => {
  for (const [downMs, maxAttempts] of [
    [4 * MINUTE, 5],
    [10 * MINUTE, 7],
    [3 * HOUR, 12],
    [23 * HOUR, 34],
  ] as const) {
    const books = openBooks();
    const id = add(books);
    // A pass each minute.
    for (let now = START; now <= START + 24 * HOUR; now += MINUTE) {
      const due = claim(books, now);
      if (due !== null) saveAlertDeliveryResult(books, due, now < START + downMs ? 'Refused' : null);
    }
    expect(stateOf(books, id)).toMatchObject({ state: 'delivered', error: null });
    expect(stateOf(books, id)?.attempts).toBeLessThanOrEqual(maxAttempts);
  }
});

test('after a day, a delivery that was attempted has failed, and one that was not is skipped', () => {
  const books = openBooks();
  const tried = add(books);
  const interrupted = add(books, { endpoint: 'https://b.merchant.test/' });
  saveAlertDeliveryResult(books, require(claim(books, START)), '503 Service Unavailable');
  require(claim(books, START, tried));
  const untried = add(books, { endpoint: 'https://c.merchant.test/' });
  expect(claim(books, START + 25 * HOUR)).toBeNull();
  expect([tried, interrupted, untried].map((id) => stateOf(books, id))).toMatchObject([
    { state: 'failed', attempts: 1, error: '503 Service Unavailable' },
    { state: 'failed', attempts: 1, error: 'The delivery was interrupted' },
    { state: 'skipped', attempts: 0, error: null },
  ]);
});

test('an attempt that a crash interrupts is repeated with backoff, not without end', () => {
  const books = openBooks();
  const id = add(books);
  let attempts = 0;
  for (let now = START; now <= START + 30 * HOUR; now += MINUTE)
    if (claim(books, now) !== null) attempts += 1;
  expect(attempts).toBeGreaterThan(5);
  expect(attempts).toBeLessThan(36);
  expect(stateOf(books, id)).toMatchObject({ state: 'failed', attempts });
});

test('the result of an attempt that another process has repeated is ignored', () => {
  const books = openBooks();
  const id = add(books);
  const slow = require(claim(books, START));
  expect(claim(books, START + MINUTE)).toBeNull();
  const second = require(claim(books, START + 3 * MINUTE));
  saveAlertDeliveryResult(books, slow, 'No answer within 10 seconds');
  expect(stateOf(books, id)).toMatchObject({ state: 'sending', attempts: 2, error: null });
  saveAlertDeliveryResult(books, second, null);
  saveAlertDeliveryResult(books, slow, 'No answer within 10 seconds');
  expect(stateOf(books, id)).toMatchObject({ state: 'delivered', error: null });
});

test('an earlier alert is not sent after a later one about the same endpoint, whatever became of either', () => {
  const books = openBooks();
  const first = add(books);
  const sending = require(claim(books, START));
  const second = add(books, { kind: 'recovered', at: START + MINUTE });
  const other = add(books, { endpoint: '', kind: 'silent' });
  expect(claim(books, START + MINUTE)?.alert.id).toBe(second);
  saveAlertDeliveryResult(books, sending, 'Refused');
  expect(claim(books, START + 2 * MINUTE)?.alert.id).toBe(other);
  expect(stateOf(books, first)).toMatchObject({ state: 'skipped', error: 'Refused' });
});

test('a test is attempted once, and replaces nothing', () => {
  const books = openBooks();
  const silent = add(books, { endpoint: '', kind: 'silent' });
  const id = add(books, { endpoint: '', kind: 'test' });
  const only = claimAlertDelivery(books, 'address', { now: START, onlyTests: true, after: 0 });
  expect(only?.alert.id).toBe(id);
  saveAlertDeliveryResult(books, require(only), 'Refused');
  expect(stateOf(books, id)).toMatchObject({ state: 'failed', error: 'Refused' });
  expect(claim(books, START)?.alert.id).toBe(silent);
});

test('for any attempts of several processes, no alert is sent by two at once or again after its delivery', () => {
  const step = fc.record({
    minutes: fc.nat(90),
    outcome: fc.constantFrom('accepted', 'refused', 'lost'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const books = openBooks();
      const ids = ['https://a.test/', 'https://b.test/', ''].map((endpoint) => add(books, { endpoint }));
      const held: { claim: AlertClaim; at: number }[] = [];
      const delivered = new Set<number>();
      let now = START;
      for (const { minutes, outcome } of steps) {
        now += minutes * MINUTE;
        const due = claim(books, now);
        if (due === null) continue;
        expect(delivered).not.toContain(due.alert.id);
        const other = held.findLast(({ claim: { alert } }) => alert.id === due.alert.id);
        if (other !== undefined) expect(now - other.at).toBeGreaterThan(2 * MINUTE);
        if (outcome === 'lost') held.push({ claim: due, at: now });
        else {
          saveAlertDeliveryResult(books, due, outcome === 'accepted' ? null : 'Refused');
          const late = held.filter(({ claim: { alert } }) => alert.id === due.alert.id);
          for (const { claim: lost } of late) saveAlertDeliveryResult(books, lost, 'Too late');
          held.splice(0, held.length, ...held.filter((each) => !late.includes(each)));
        }
        if (outcome === 'accepted') delivered.add(due.alert.id);
      }
      for (const id of ids) expect(stateOf(books, id)?.state === 'delivered').toBe(delivered.has(id));
    }),
    { numRuns: 25 },
  );
});
