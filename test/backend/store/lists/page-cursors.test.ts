import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeCursor,
  encodeCursor,
  type ListOrder,
} from '../../../../src/backend/store/lists/keyset-pagination.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { listWebhooks } from '../../../../src/backend/store/webhooks/webhook-list.ts';
import { getThrown } from '../get-thrown.ts';
import { createWebhook, formatServiceTime, T0 } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const order: ListOrder = {
  name: 'things event',
  columns: [
    { name: 'event', type: 'text' },
    { name: 'id', type: 'number' },
  ],
  direction: 'asc',
};
const rejection = {
  code: 'validation',
  message: expect.stringContaining('another list or sort order'),
  data: { hint: expect.any(String) },
};

describe('list cursor', () => {
  it('is decoded to the key it was created from', () => {
    fc.assert(
      fc.property(fc.string(), fc.maxSafeInteger(), (event, id) => {
        const cursor = encodeCursor(order, [event, id]);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(order, cursor)).toEqual([event, id]);
      }),
    );
  });

  it('of another list or order, or an invalid one, is rejected with a message', () => {
    const cursors = [
      encodeCursor({ ...order, name: 'other' }, ['a', 1]),
      encodeCursor({ ...order, direction: 'desc' }, ['a', 1]),
      encodeCursor(order, ['a']),
      encodeCursor(order, ['a', 1, 2]),
      encodeCursor(order, [1, 'a']),
      encodeCursor(order, ['a', 1.5]),
      encodeCursor(order, ['a', null]),
      Buffer.from('{}').toString('base64url'),
      '',
      '!!!',
    ];
    for (const cursor of cursors)
      expect(getThrown(() => decodeCursor(order, cursor))).toMatchObject(rejection);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (text) => {
          expect(getThrown(() => decodeCursor(order, text))).toMatchObject(rejection);
        },
      ),
    );
  });

  it('of one webhook sort order is invalid for another, and for a search', () => {
    const db = openTemporaryStore('cache');
    upsertWebhooks(
      db,
      [1, 2, 3].map((id) => createWebhook({ id, created_at: formatServiceTime(T0 + id) })),
      1,
    );
    const sort = { by: 'created_at', direction: 'desc' } as const;
    const { next } = listWebhooks(db, { filter: {}, sort, limit: 1 });
    const again = (over: object) =>
      getThrown(() => listWebhooks(db, { filter: {}, sort, limit: 1, after: next!, ...over }));
    expect(again({ sort: { ...sort, by: 'id' } })).toMatchObject(rejection);
    expect(again({ sort: { ...sort, direction: 'asc' } })).toMatchObject(rejection);
    expect(again({ filter: { search: 'anna' } })).toMatchObject(rejection);
  });
});
