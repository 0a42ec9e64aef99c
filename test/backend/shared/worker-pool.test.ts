import { describe, expect, it, vi } from 'vitest';
import { createWorkerPool, type Task } from '../../../src/backend/shared/worker-pool.ts';

/** Tasks of which each ends when it is told to, and how many were under way at once. */
function tasks(count: number) {
  const ends: PromiseWithResolvers<void>[] = Array.from({ length: count }, () =>
    Promise.withResolvers<void>(),
  );
  const begun: number[] = [];
  const left = [...ends.keys()];
  const take = (): Task | null => {
    const number = left.shift();
    if (number === undefined) return null;
    return () => {
      begun.push(number);
      return ends[number]!.promise;
    };
  };
  return { ends, begun, take };
}

describe('workers', () => {
  it('do a few tasks side by side, and settle once the last has ended', async () => {
    const { ends, begun, take } = tasks(5);
    const fail = vi.fn();
    const settled = vi.fn();
    const running = createWorkerPool(2, take, fail).run().then(settled);
    expect(begun).toEqual([0, 1]);
    ends[1]!.resolve();
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    for (const end of ends.slice(1)) end.resolve();
    await expect.poll(() => begun).toHaveLength(5);
    expect(settled).not.toHaveBeenCalled();
    ends[0]!.resolve();
    await running;
    expect(settled).toHaveBeenCalledOnce();
    expect(fail).not.toHaveBeenCalled();
  });

  it('are woken for what a task brings, and may run again', async () => {
    const queue = [1, 2];
    const done: number[] = [];
    const workers = createWorkerPool(
      3,
      () => {
        const number = queue.shift();
        return number === undefined
          ? null
          : async () => {
              done.push(number);
              if (number === 1) queue.push(3, 4, 5);
              workers.wake();
            };
      },
      () => {},
    );
    await workers.run();
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5]);
    queue.push(6);
    await workers.run();
    expect(done).toContain(6);
    await workers.run();
  });

  it('take nothing more after a failure, tell it at once, and give it once the others have ended', async () => {
    const { ends, begun, take } = tasks(4);
    const fail = vi.fn();
    const given = vi.fn();
    const running = createWorkerPool(2, take, fail).run().catch(given);
    ends[0]!.reject(new Error('first'));
    await expect.poll(() => fail).toHaveBeenCalledOnce();
    expect(given).not.toHaveBeenCalled();
    ends[1]!.reject(new Error('second'));
    await running;
    expect(given).toHaveBeenCalledExactlyOnceWith(new Error('first'));
    expect(fail).toHaveBeenCalledOnce();
    expect(begun).toEqual([0, 1]);
  });

  it('fail where the next task cannot be taken', async () => {
    let taken = 0;
    const fail = vi.fn();
    const workers = createWorkerPool(
      1,
      () => {
        if (taken++ > 0) throw new Error('no next');
        return async () => {};
      },
      fail,
    );
    await expect(workers.run()).rejects.toThrow('no next');
    expect(fail).toHaveBeenCalledOnce();
  });
});
