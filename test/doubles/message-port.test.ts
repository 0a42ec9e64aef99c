import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createPagePort } from './electron.ts';

/** The rules of Electron's MessagePortMain, which the double must obey so that tests of `src/main` mean something. */
test('messages wait until the port is started, and arrive in order', async () => {
  const { main, page } = createPagePort();
  const received: unknown[] = [];
  main.on('message', ({ data }: { data: unknown }) => received.push(data));
  for (const message of [1, 2, 3]) page.postMessage(message);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(received).toEqual([]);
  main.start();
  main.start();
  await expect.poll(() => received).toEqual([1, 2, 3]);
});

test('a message is copied, and what cannot be copied throws', async () => {
  const { main, page } = createPagePort();
  const sent = { bytes: new Uint8Array([1, 2]), at: new Date(0), list: new Map([['a', 1]]) };
  const received = once(page, 'message');
  main.postMessage(sent);
  sent.bytes[0] = 9;
  expect((await received)[0]).toEqual({ ...sent, bytes: new Uint8Array([1, 2]) });
  expect(() => main.postMessage({ call: () => undefined })).toThrow('could not be cloned');
});

test('both ends are closed if one is, and nothing is sent afterwards', async () => {
  const { main, page } = createPagePort();
  const closed = Promise.all([once(main, 'close'), once(page, 'close')]);
  page.close();
  await closed;
  expect(main.closed).toBe(true);
  expect(() => main.postMessage('late')).not.toThrow();
});

test('a transferred port belongs to its receiver and cannot be transferred again', async () => {
  const [outer, inner] = [createPagePort(), createPagePort()];
  const received: unknown[] = [];
  inner.page.on('message', (data) => received.push(data));
  const arrived = once(outer.page, 'message');
  outer.main.postMessage('with a port', [inner.main]);
  expect(await arrived).toEqual(['with a port']);
  inner.main.postMessage('from the former owner');
  inner.main.close();
  expect(() => outer.main.postMessage('again', [inner.main])).toThrow('already neutered');
  expect(() => outer.main.postMessage('itself', [outer.main])).toThrow('contains the source port');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(received).toEqual([]);
});
