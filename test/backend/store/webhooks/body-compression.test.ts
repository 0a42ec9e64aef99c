import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  closeStore,
  openStore,
  requestIntegrityCheck,
} from '../../../../src/backend/store/database/open-store.ts';
import { readWebhookBody } from '../../../../src/backend/store/replay/local-deliveries.ts';
import {
  runInTransaction,
  SqliteError,
  type WritableDb,
} from '../../../../src/backend/store/sqlite/connection.ts';
import { compressBody, decompressBody } from '../../../../src/backend/store/webhooks/body-compression.ts';
import { buildBodyDictionary } from '../../../../src/backend/store/webhooks/body-dictionary.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { createWebhook } from '../sample-records.ts';
import { createTemporaryFolder, openTemporaryStore } from '../temporary-store.ts';

/** A form body like those of a site: the same long keys, different values. */
const formBody = (id: number, keys = 30) =>
  `id=${id}&event=payment_success&${Array.from({ length: keys }, (_, at) => `payload[subscription][field_${at}]=value%20${(id * 31 + at * 7) % 997}`).join('&')}`;

const store = (db: WritableDb, first: number, count: number, readAt = 1) =>
  runInTransaction(db, () =>
    upsertWebhooks(
      db,
      Array.from({ length: count }, (_, at) => createWebhook({ id: first + at, body: formBody(first + at) })),
      readAt,
    ),
  );

const countDictionaries = (db: WritableDb) =>
  db.prepare<[], number>('SELECT count(*) FROM webhook_body_dictionary').pluck().get();

/** Stores enough webhooks that new bodies are compressed. */
function openStoreWithDictionary(path?: string): WritableDb {
  const db = path === undefined ? openTemporaryStore('cache') : openStore(path, 'cache');
  store(db, 1, 150);
  store(db, 1000, 10);
  return db;
}

const MAX_BYTES = 1024 * 1024;
const arbitraryBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.nat().map((id) => formBody(id, id % 60)),
  fc.constantFrom('', '\0', '\uFFFD', 'a\0b', 'x'.repeat(MAX_BYTES), 'ö'.repeat(MAX_BYTES / 2 + 1)),
);

it('returns every body exactly as it was received', () => {
  const db = openStoreWithDictionary();
  let id = 10_000;
  fc.assert(
    fc.property(arbitraryBody, (body) => {
      id += 1;
      upsertWebhooks(db, [createWebhook({ id, body })], 1);
      // SQLite stores UTF-8, which has no unpaired surrogates.
      expect(readWebhookBody(db, id)?.body).toBe(body.toWellFormed());
      expect(upsertWebhooks(db, [createWebhook({ id, body })], 2)).toMatchObject({
        unchanged: 1,
        replaced: [],
      });
    }),
    { numRuns: 300 },
  );
});

it('decompresses what it has compressed with any dictionary', () => {
  fc.assert(
    fc.property(fc.array(arbitraryBody, { maxLength: 5 }), arbitraryBody, (samples, body) => {
      const dictionary = buildBodyDictionary(samples);
      const text = body.toWellFormed();
      expect(decompressBody(compressBody(text, dictionary), dictionary)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

it('stores a body of a known form in a fifth of its bytes', () => {
  const db = openStoreWithDictionary();
  const [stored, text] = db
    .prepare<[], number>(
      'SELECT length(CAST(body AS BLOB)) FROM webhook WHERE id IN (1, 1000) ORDER BY id DESC',
    )
    .pluck()
    .all() as [number, number];
  expect(stored).toBeLessThan(text / 5);
});

it('makes a new dictionary when the log has grown tenfold, without changing what is stored', () => {
  const db = openStoreWithDictionary();
  expect(countDictionaries(db)).toBe(1);
  store(db, 2000, 1400);
  store(db, 5000, 10);
  expect(countDictionaries(db)).toBe(2);
  for (const id of [1, 1000, 5000]) expect(readWebhookBody(db, id)?.body).toBe(formBody(id));
  expect(store(db, 1, 150, 2)).toMatchObject({ unchanged: 150, changed: 0, replaced: [] });
  expect(store(db, 1000, 10, 2)).toMatchObject({ unchanged: 10, changed: 0, replaced: [] });
});

it('forgets a dictionary whose transaction failed', () => {
  const db = openTemporaryStore('cache');
  store(db, 1, 150);
  const failing = () =>
    runInTransaction(db, () => {
      store(db, 1000, 10);
      throw new Error('disk full');
    });
  expect(failing).toThrow('disk full');
  expect(countDictionaries(db)).toBe(0);
  store(db, 2000, 10);
  expect(readWebhookBody(db, 2000)?.body).toBe(formBody(2000));
});

it('reports damaged bytes, a missing dictionary and an oversized body as a damaged database', () => {
  const dictionary = buildBodyDictionary([formBody(1)]);
  const body = compressBody(formBody(2), dictionary) as Buffer;
  const bomb = deflateSync('x'.repeat(MAX_BYTES + 1), { dictionary, windowBits: 14 });
  const cases: [Buffer, unknown][] = [
    [body, null],
    [body, buildBodyDictionary([formBody(1, 3)])],
    [bomb, dictionary],
    [body.subarray(0, body.length - 1), dictionary],
    ...Array.from(body, (byte, at): [Buffer, unknown] => {
      const damaged = Buffer.from(body);
      damaged[at] = byte ^ 0x10;
      return [damaged, dictionary];
    }),
  ];
  for (const [damaged, known] of cases) {
    let error: unknown = null;
    try {
      decompressBody(damaged, known);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SqliteError);
    expect(error).toMatchObject({ code: 'SQLITE_CORRUPT' });
  }
});

it('sets aside a cache with a damaged body if a read has reported it', () => {
  const folder = createTemporaryFolder();
  const path = join(folder, 'cache.db');
  const db = openStoreWithDictionary(path);
  db.prepare("UPDATE webhook SET body = x'00' WHERE id = 1003").run();
  expect(() => readWebhookBody(db, 1003)).toThrow(SqliteError);
  closeStore(db);
  requestIntegrityCheck(path);
  const rebuilt = openStore(path, 'cache');
  expect(rebuilt.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(0);
  closeStore(rebuilt);
  expect(existsSync(`${path}.suspect`)).toBe(false);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
});
