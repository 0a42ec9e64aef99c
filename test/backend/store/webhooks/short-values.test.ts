import fc from 'fast-check';
import { expect, it } from 'vitest';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { getWebhookDetail } from '../../../../src/backend/store/webhooks/webhook-detail.ts';
import { createWebhook, formatServiceTime } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const ms = fc.integer({ min: 0, max: 7_258_118_399_000 }).map((at) => at - (at % 1000));
const arbitraryTime = fc.oneof(
  fc.tuple(ms, fc.integer({ min: -840, max: 840 })).map(([at, offset]) => formatServiceTime(at, offset)),
  ms.map((at) => new Date(at).toISOString()),
  ms.map((at) => `${formatServiceTime(at, 0).slice(0, 19)}-00:00`),
  fc.constantFrom(
    null,
    '',
    'soon',
    '2026-02-30T10:00:00-05:00',
    '2026-01-10T24:00:00+01:00',
    '2026-01-10 12:00:00 -0500',
  ),
  fc.constantFrom('2026-01-10T12:00:00.250-05:00', '2026-01-10T12:00:60+05:30', '2026-13-10T12:00:00+05:30'),
);
const arbitrarySignature = fc.oneof(
  fc.constantFrom(null, '', 'abc', 'AB12', 'ab1g', '00', 'ab 12'),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 80 }),
  fc.string(),
);

it('times and signatures are returned exactly as they were received', () => {
  const db = openTemporaryStore('cache');
  const books = openTemporaryStore('books');
  fc.assert(
    fc.property(arbitraryTime, arbitraryTime, arbitrarySignature, (created_at, last_sent_at, signature) => {
      db.exec('DELETE FROM webhook');
      const received = { created_at, last_sent_at, signature };
      upsertWebhooks(db, [createWebhook(received)], 1);
      expect(getWebhookDetail(db, books, 1)).toMatchObject(received);
      const sql =
        'SELECT created_at_text AS created_at, last_sent_at_text AS last_sent_at, signature FROM webhook';
      expect(db.prepare(sql).get()).toEqual(received);
      expect(upsertWebhooks(db, [createWebhook(received)], 2)).toMatchObject({ unchanged: 1, replaced: [] });
    }),
    { numRuns: 500 },
  );
});

it('a time of the service takes two bytes and a signature half its length', () => {
  const db = openTemporaryStore('cache');
  upsertWebhooks(db, [createWebhook({ signature: '7c606ec4628ce75ec46e284097ce163a' })], 1);
  const sql =
    'SELECT stored_created_at_text, stored_last_sent_at_text, length(stored_signature) FROM webhook';
  expect(db.prepare(sql).raw().get()).toEqual([-300, -300, 16]);
});
