import { expect, test } from 'vitest';
import { createLatestOnlyRunner } from '../../../src/renderer/backend-client/action-runners.ts';

test('only the latest run returns a result: the running one is ignored and those in between are skipped', async () => {
  const runner = createLatestOnlyRunner();
  const slow = Promise.withResolvers<string>();
  const startedRuns: string[] = [];
  const first = runner.run(() => {
    startedRuns.push('first');
    return slow.promise;
  });
  await expect.poll(() => startedRuns).toEqual(['first']);
  const others = ['second', 'third'].map((name) =>
    runner.run(async () => {
      startedRuns.push(name);
      return name;
    }),
  );
  slow.resolve('first');
  expect(await first).toBeNull();
  expect(await Promise.all(others)).toEqual([null, { done: 'third' }]);
  expect(startedRuns).toEqual(['first', 'third']);
});

test('only the latest run can reject, and an ignored failure does not block later runs', async () => {
  const runner = createLatestOnlyRunner();
  const rejectingRun = () => Promise.reject(new Error('no'));
  const ignored = runner.run(rejectingRun);
  const latest = runner.run(rejectingRun);
  expect(await ignored).toBeNull();
  await expect(latest).rejects.toThrow('no');
  expect(await runner.run(async () => 1)).toEqual({ done: 1 });
});

test('a discarded run returns null', async () => {
  const runner = createLatestOnlyRunner();
  const slow = Promise.withResolvers<string>();
  const discarded = runner.run(() => slow.promise);
  runner.discard();
  slow.resolve('late');
  expect(await discarded).toBeNull();
});
