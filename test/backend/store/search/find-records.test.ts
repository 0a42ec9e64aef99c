import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRecords } from '../../../../src/backend/store/search/find-records.ts';
import { prepareSql, runInTransaction, select } from '../../../../src/backend/store/sqlite/connection.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../writer-test-site.ts';

let bench: WriterTestSite;
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 30, months: 3 });
  await bench.sync();
  await bench.sync({ only: ['pdf'] });
  for (const of of ['webhooks', 'statements'] as const) {
    let left = 1;
    while (left > 0) {
      const { webhooks, statements, pdfs } = await bench.client.search.catchUp({ site: SITE, of });
      left = of === 'webhooks' ? webhooks : statements + pdfs;
    }
  }
}, 120_000);
afterAll(() => bench.close());

const find = (text: string, limit = 5) =>
  findRecords({ cache: bench.cache(), books: bench.books() }, { text, limit });
const first = <Row>(sql: string) => select.row<Row>(bench.cache(), sql)!;

describe('one search', () => {
  test('finds a customer with statements and PDFs, also by the beginning of the last word', () => {
    const { customer_name: name } = first<{ customer_name: string }>(
      "SELECT customer_name FROM subscription WHERE customer_name <> '' ORDER BY subscription_id LIMIT 1",
    );
    for (const text of [name, name.slice(0, -2), name.toUpperCase()]) {
      const { customers, statements } = find(text);
      expect(customers.rows.map((row) => row.customer_name)).toContain(name);
      expect(statements.rows.length).toBeGreaterThan(0);
      expect(statements.rows.every((row) => row.customer_name.startsWith(name.slice(0, -2)))).toBe(true);
    }
    expect(find(name).customers.complete).toBe(true);
  });

  test('finds records by id, newest first, and says if there are more', () => {
    const { id } = first<{ id: number }>('SELECT id FROM webhook ORDER BY id LIMIT 1');
    expect(find(String(id)).webhooks.rows[0]?.id).toBe(id);
    const { id: statement } = first<{ id: number }>('SELECT id FROM statement ORDER BY id LIMIT 1');
    expect(find(String(statement)).statements.rows[0]?.id).toBe(statement);
    const { webhooks } = find('payment_success', 3);
    const ids = webhooks.rows.map((row) => row.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(ids).toHaveLength(3);
    expect(webhooks.more).toBe(true);
  });

  test('finds events by their beginning, and nothing for other words', () => {
    const { event } = first<{ event: string }>(
      "SELECT event FROM webhook WHERE event LIKE '%\\_%' ESCAPE '\\' LIMIT 1",
    );
    const beginning = event.slice(0, event.indexOf('_'));
    expect(find(beginning, 50).webhooks.rows.map((row) => row.event)).toContain(event);
    const { unsearched, ...nothing } = find('zzqx unlikely "');
    expect(unsearched).toEqual({ webhooks: 0, statements: 0, pdfs: 0 });
    for (const { rows } of Object.values(nothing)) expect(rows).toEqual([]);
    expect(() => find('"')).not.toThrow();
    expect(() => find(') OR (* NEAR')).not.toThrow();
  });

  test('finds text of a PDF with its passage', () => {
    const { text } = first<{ text: string }>('SELECT text FROM pdf_text ORDER BY length(text) DESC LIMIT 1');
    const word = /\p{L}{6,}/u.exec(text.slice(200))?.[0] ?? '';
    expect(word).not.toBe('');
    const { statements } = find(word);
    expect(statements.rows.length).toBeGreaterThan(0);
    expect(
      statements.rows.some(({ passage }) => passage?.hit.toLowerCase().includes(word.toLowerCase())),
    ).toBe(true);
  });
});

describe('one search in the books', () => {
  test('finds exceptions by their message', async () => {
    await bench.waitForJob((await bench.client.check.start({ site: SITE })).job);
    const message = select.value<string>(bench.books(), 'SELECT message FROM exception ORDER BY id LIMIT 1');
    const { exceptions } = find(message ?? '', 50);
    expect(exceptions.rows.map((row) => row.message)).toContain(message);
    expect(exceptions.complete).toBe(true);
  });

  test('finds payments by amount and customer', () => {
    const books = bench.writableBooks();
    runInTransaction(books, () => {
      for (const [id, amount_in_cents] of [
        [901, 32_109],
        [902, 450],
      ] as const) {
        const row = {
          id,
          statement_id: 1,
          kind: 'payment',
          paid_on: '2026-03-02',
          amount_in_cents,
          currency: 'USD',
        };
        const names = Object.keys(row);
        const sql = `INSERT INTO match_payment (${names.join(', ')}, customer_name) VALUES (${names.map(() => '?').join(', ')}, 'Quillon Freight')`;
        prepareSql(books, sql).run(...Object.values(row));
      }
    });
    expect(find('321.09').payments.rows.map((row) => row.id)).toEqual([901]);
    expect(find('quillon').payments.rows.map((row) => row.id)).toEqual([902, 901]);
  });
});
