import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageAsk, poisonOf, readPage } from '../../../../src/backend/sync/shared/pages.ts';
import { BillingError } from '../../../../src/billing/index.ts';

const broken = () => new BillingError('service', 'The service failed.', { status: 500, retryable: true });

/** A list of `rows` numbers of which the service fails on some; counts what it was asked. */
function listWith(rows: number, poison: ReadonlySet<number>) {
  const asked: PageAsk[] = [];
  const read = async (ask: PageAsk) => {
    asked.push(ask);
    const from = (ask.page - 1) * ask.per_page;
    const page = Array.from({ length: Math.max(0, Math.min(ask.per_page, rows - from)) }, (_, n) => from + n);
    if (page.some((row) => poison.has(row))) throw broken();
    return page;
  };
  return { asked, read };
}

test('a page that can be read costs one request', async () => {
  const { asked, read } = listWith(1000, new Set());
  const { answers, lost } = await readPage({ page: 3, per_page: 200 }, read);
  expect([answers.length, lost, asked.length]).toEqual([1, [], 1]);
});

test('only the rows the service fails on are lost, whatever the page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(200, 100, 30, 17, 20),
      fc.integer({ min: 1, max: 4 }),
      fc.uniqueArray(fc.nat(400), { minLength: 0, maxLength: 3 }),
      async (per_page, page, poison) => {
        const from = (page - 1) * per_page;
        const { read } = listWith(1000, new Set(poison));
        const { answers, lost } = await readPage({ page, per_page }, read);
        const here = poison.filter((row) => row >= from && row < from + per_page);
        expect(lost.map(({ index }) => index)).toEqual(here.sort((a, b) => a - b));
        const rows = answers.flatMap(({ answer }) => answer);
        const expected = Array.from({ length: per_page }, (_, n) => from + n).filter(
          (row) => !here.includes(row),
        );
        expect(rows).toEqual(expected);
      },
    ),
  );
});

test('a service that gives nothing at all is not asked row by row', async () => {
  const { asked, read } = listWith(1000, new Set(Array.from({ length: 1000 }, (_, n) => n)));
  await expect(readPage({ page: 1, per_page: 200 }, read)).rejects.toThrow('The service failed.');
  expect(asked.length).toBeLessThan(20);
});

test('a refused key, a service that cannot be reached and one that has moved are no poison', () => {
  expect(poisonOf(broken())).not.toBe(null);
  expect(poisonOf(new BillingError('network', '', { detail: { reason: 'ECONNRESET' } }))).not.toBe(null);
  expect(poisonOf(new BillingError('timeout', ''))).not.toBe(null);
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
    expect(poisonOf(error)).toBe(null);
  }
});
