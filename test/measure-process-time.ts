/** Interval in milliseconds of the timer that samples the clock. */
const SAMPLE_INTERVAL_MS = 10;

/**
 * Returns the duration of an operation in milliseconds, excluding time in which this process was not scheduled. Each
 * interval between two timer ticks counts at most as two ticks or as the CPU time used in it. Timers, waiting for
 * responses and work are included. Other load on the machine or the disk is not.
 */
export async function measureProcessTime(work: () => Promise<unknown>): Promise<number> {
  let at = performance.now();
  let used = process.cpuUsage();
  let ms = 0;
  const addInterval = () => {
    const passed = performance.now() - at;
    at += passed;
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    ms += Math.min(passed, Math.max(2 * SAMPLE_INTERVAL_MS, (user + system) / 1000));
  };
  const timer = setInterval(addInterval, SAMPLE_INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    addInterval();
  }
  return ms;
}
