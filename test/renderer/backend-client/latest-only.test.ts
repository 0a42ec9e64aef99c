import { expect, test } from 'vitest';
import { createLatestOnlyRunner } from '../../../src/renderer/backend-client/latest-only.ts';

test('of changes of mind the newest is done behind the one under way; that one is dropped, those between are not done', async () => {
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

test('a failure is told of the newest alone, and does not hold up what comes behind it', async () => {
  const newest = createLatestOnlyRunner();
  const fails = () => Promise.reject(new Error('no'));
  const dropped = newest.run(fails);
  const told = newest.run(fails);
  expect(await dropped).toBeNull();
  await expect(told).rejects.toThrow('no');
  expect(await newest.run(async () => 1)).toEqual({ done: 1 });
});

test('what is forgotten is not told when it comes', async () => {
  const newest = createLatestOnlyRunner();
  const slow = Promise.withResolvers<string>();
  const forgotten = newest.run(() => slow.promise);
  newest.discard();
  slow.resolve('late');
  expect(await forgotten).toBeNull();
});
