import { expect, test } from 'vitest';
import { createLatestOnlyRunner } from '../../../src/renderer/backend-client/latest-only.ts';

test('only the latest run counts: the current one is ignored and those in between are skipped', async () => {
  const newest = createLatestOnlyRunner();
  const slow = Promise.withResolvers<string>();
  const begun: string[] = [];
  const first = newest.run(() => {
    begun.push('first');
    return slow.promise;
  });
  await expect.poll(() => begun).toEqual(['first']);
  const others = ['second', 'third'].map((name) =>
    newest.run(async () => {
      begun.push(name);
      return name;
    }),
  );
  slow.resolve('first');
  expect(await first).toBeNull();
  expect(await Promise.all(others)).toEqual([null, { done: 'third' }]);
  expect(begun).toEqual(['first', 'third']);
});

test('only the latest run can fail, and an ignored failure does not block later runs', async () => {
  const newest = createLatestOnlyRunner();
  const fails = () => Promise.reject(new Error('no'));
  const dropped = newest.run(fails);
  const told = newest.run(fails);
  expect(await dropped).toBeNull();
  await expect(told).rejects.toThrow('no');
  expect(await newest.run(async () => 1)).toEqual({ done: 1 });
});

test('a discarded run has no result', async () => {
  const newest = createLatestOnlyRunner();
  const slow = Promise.withResolvers<string>();
  const forgotten = newest.run(() => slow.promise);
  newest.discard();
  slow.resolve('late');
  expect(await forgotten).toBeNull();
});
