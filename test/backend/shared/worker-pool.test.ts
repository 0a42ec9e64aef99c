import { describe, expect, it, vi } from 'vitest';
import { WorkerPool, type WorkerTask } from '../../../src/backend/shared/worker-pool.ts';

/** Creates tasks that end when their promise is resolved, and records which have started. */
function tasks(count: number) {
  const ends: PromiseWithResolvers<void>[] = Array.from({ length: count }, () =>
    Promise.withResolvers<void>(),
  );
  const started: number[] = [];
  const left = [...ends.keys()];
  const take = (): WorkerTask | null => {
    const number = left.shift();
    if (number === undefined) return null;
    return () => {
      started.push(number);
      return ends[number]!.promise;
    };
  };
  return { ends, started, take };
}

/** Creates a pool. `fail` is called when its signal is aborted. */
function createPool(limit: number, take: () => WorkerTask | null, fail: () => void): WorkerPool {
  const pool = new WorkerPool(new AbortController().signal, take, limit);
  pool.signal.addEventListener('abort', fail);
  return pool;
}

describe('worker pool', () => {
  it('runs tasks concurrently and resolves when the last has ended', async () => {
    const { ends, started, take } = tasks(5);
    const fail = vi.fn();
    const settled = vi.fn();
    const running = createPool(2, take, fail).run().then(settled);
    expect(started).toEqual([0, 1]);
    ends[1]!.resolve();
    await expect.poll(() => started).toEqual([0, 1, 2]);
    for (const end of ends.slice(1)) end.resolve();
    await expect.poll(() => started).toHaveLength(5);
    expect(settled).not.toHaveBeenCalled();
    ends[0]!.resolve();
    await running;
    expect(settled).toHaveBeenCalledOnce();
    expect(fail).not.toHaveBeenCalled();
  });

  it('runs tasks added by other tasks, and can run again', async () => {
    const queue = [1, 2];
    const done: number[] = [];
    const workers = createPool(
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

  it('starts no task after a failure, and rejects when the running tasks have ended', async () => {
    const { ends, started, take } = tasks(4);
    const fail = vi.fn();
    const rejected = vi.fn();
    const running = createPool(2, take, fail).run().catch(rejected);
    ends[0]!.reject(new Error('first'));
    await expect.poll(() => fail).toHaveBeenCalledOnce();
    expect(rejected).not.toHaveBeenCalled();
    ends[1]!.reject(new Error('second'));
    await running;
    expect(rejected).toHaveBeenCalledExactlyOnceWith(new Error('first'));
    expect(fail).toHaveBeenCalledOnce();
    expect(started).toEqual([0, 1]);
  });

  it('rejects if taking the next task fails', async () => {
    let taken = 0;
    const fail = vi.fn();
    const workers = createPool(
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
