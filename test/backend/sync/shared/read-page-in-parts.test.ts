import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ListPageRequest,
  readPageInParts,
  toPoisonRowError,
} from '../../../../src/backend/sync/shared/read-page-in-parts.ts';
import { BillingError } from '../../../../src/billing/index.ts';

const serviceError = () =>
  new BillingError('service', 'The service failed.', { status: 500, retryable: true });

/** Creates a list of `rows` numbers. The service fails on some of them, and the number of requests is counted. */
function createList(rows: number, poison: ReadonlySet<number>) {
  const asked: ListPageRequest[] = [];
  const read = async (request: ListPageRequest) => {
    asked.push(request);
    const from = (request.page - 1) * request.per_page;
    const page = Array.from(
      { length: Math.max(0, Math.min(request.per_page, rows - from)) },
      (_, n) => from + n,
    );
    if (page.some((row) => poison.has(row))) throw serviceError();
    return page;
  };
  return { asked, read };
}

test('a readable page takes one request', async () => {
  const { asked, read } = createList(1000, new Set());
  const { answers, poisonRows } = await readPageInParts({ page: 3, per_page: 200 }, read);
  expect([answers.length, poisonRows, asked.length]).toEqual([1, [], 1]);
});

test('only poison rows are lost, for any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(200, 100, 30, 17, 20),
      fc.integer({ min: 1, max: 4 }),
      fc.uniqueArray(fc.nat(400), { minLength: 0, maxLength: 3 }),
      async (per_page, page, poison) => {
        const from = (page - 1) * per_page;
        const { read } = createList(1000, new Set(poison));
        const { answers, poisonRows } = await readPageInParts({ page, per_page }, read);
        const here = poison.filter((row) => row >= from && row < from + per_page);
        expect(poisonRows.map(({ index }) => index)).toEqual(here.sort((a, b) => a - b));
        const rows = answers.flatMap(({ answer }) => answer);
        const expected = Array.from({ length: per_page }, (_, n) => from + n).filter(
          (row) => !here.includes(row),
        );
        expect(rows).toEqual(expected);
      },
    ),
  );
});

test('a service that fails on everything is not read row by row', async () => {
  const { asked, read } = createList(1000, new Set(Array.from({ length: 1000 }, (_, n) => n)));
  await expect(readPageInParts({ page: 1, per_page: 200 }, read)).rejects.toThrow('The service failed.');
  expect(asked.length).toBeLessThan(20);
});

test('a refused key, an unreachable service and a redirect are not poison', () => {
  expect(toPoisonRowError(serviceError())).not.toBe(null);
  expect(toPoisonRowError(new BillingError('network', '', { detail: { reason: 'ECONNRESET' } }))).not.toBe(
    null,
  );
  expect(toPoisonRowError(new BillingError('timeout', ''))).not.toBe(null);
  for (const error of [
    new BillingError('auth', ''),
    ...['ECONNREFUSED', 'ENOTFOUND', 'ENETDOWN', 'CERT_HAS_EXPIRED'].map(
      (reason) => new BillingError('network', '', { detail: { reason } }),
    ),
    new BillingError('timeout', '', { detail: { reason: 'UND_ERR_CONNECT_TIMEOUT' } }),
    new BillingError('canceled', ''),
    new BillingError('service', '', { detail: { reason: 'redirect' } }),
    new Error('bug'),
  ]) {
    expect(toPoisonRowError(error)).toBe(null);
  }
});
