import { expect, test } from 'vitest';
import type { ChangeEvent } from '../../../src/contract/index.ts';
import { createChangeFeed } from '../../../src/renderer/backend-client/change-feed.ts';
import { createReconnectingConnection } from '../../../src/renderer/backend-client/reconnecting-connection.ts';
import { fakeBackend } from '../fake-backend.ts';

test('the feed starts with an event for everything, because earlier changes may have been missed', async () => {
  const backend = fakeBackend({ empty: true });
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
  const heard: (ChangeEvent | 'everything')[] = [];
  createChangeFeed(connection).subscribe((change) => heard.push(change));
  await connection.client.settings.all({});
  backend.change({ site: 'demo', topics: ['sync'] });
  expect(heard).toEqual([]);

  busy.resolve();
  await expect.poll(() => heard).toEqual(['everything']);
  backend.change({ site: 'demo', topics: ['bank'] });
  await expect.poll(() => heard).toEqual(['everything', { site: 'demo', topics: ['bank'] }]);
});
