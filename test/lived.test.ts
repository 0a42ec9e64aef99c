import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lived } from './lived.ts';

/** Blocks this thread for the given time, busy or asleep. */
function work(ms: number): void {
  const begun = process.threadCpuUsage();
  while (process.threadCpuUsage(begun).user < ms * 1000);
}
const sleep = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('waiting and working count, and waiting for a turn on the CPU does not', async () => {
  expect(await lived(() => later(300))).toBeGreaterThan(15);
  expect(await lived(async () => work(300))).toBeGreaterThan(250);
  const asleep = await lived(async () => {
    await later(0);
    sleep(500);
    await later(0);
  });
  expect(asleep).toBeLessThan(250);
});
