import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measureProcessTime } from './measure-process-time.ts';

/** Keeps this thread busy for the given CPU time in milliseconds. */
function work(ms: number): void {
  const startUsage = process.threadCpuUsage();
  while (process.threadCpuUsage(startUsage).user < ms * 1000);
}
const sleep = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('the measured duration includes timers and work, but not time in which the process is not scheduled', async () => {
  expect(await measureProcessTime(() => later(300))).toBeGreaterThan(15);
  expect(await measureProcessTime(async () => work(300))).toBeGreaterThan(250);
  const measured = await measureProcessTime(async () => {
    await later(0);
    sleep(500);
    await later(0);
  });
  expect(measured).toBeLessThan(250);
});
