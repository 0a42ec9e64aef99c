import { expect, test } from 'vitest';
import type { ChangeEvent } from '../../../src/contract/index.ts';
import { createChangeFeed } from '../../../src/renderer/backend-client/change-feed.ts';
import { createReconnectingConnection } from '../../../src/renderer/backend-client/reconnecting-connection.ts';
import { createFakeBackend } from '../fake-backend.ts';

test('the change feed starts with an event for all topics, because earlier changes may have been missed', async () => {
  const backend = createFakeBackend({ empty: true });
  const busy = Promise.withResolvers<void>();
  const { writer } = backend;
  const connection = createReconnectingConnection(async () => ({
    ...backend,
    writer: {
      async call(path, input, options) {
        await busy.promise;
        return writer.call(path, input, options);
      },
    },
  }));
  const changes: (ChangeEvent | 'everything')[] = [];
  createChangeFeed(connection).subscribe((change) => changes.push(change));
  await connection.client.settings.all({});
  backend.change({ site: 'demo', topics: ['sync'] });
  expect(changes).toEqual([]);

  busy.resolve();
  await expect.poll(() => changes).toEqual(['everything']);
  backend.change({ site: 'demo', topics: ['bank'] });
  await expect.poll(() => changes).toEqual(['everything', { site: 'demo', topics: ['bank'] }]);
});
