/** Interval of the timer that samples the clock. */
const BEAT_MS = 10;

/**
 * Returns the duration of an operation as experienced by this process, in ms: each interval between two timer ticks
 * counts at most as the tick or the CPU time used in it. Other load on the machine or the disk does not lengthen it, but
 * timers, waiting for responses, and work do.
 */
export async function lived(work: () => Promise<unknown>): Promise<number> {
  let at = performance.now();
  let used = process.cpuUsage();
  let ms = 0;
  const beat = () => {
    const passed = performance.now() - at;
    at += passed;
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    ms += Math.min(passed, Math.max(2 * BEAT_MS, (user + system) / 1000));
  };
  const beating = setInterval(beat, BEAT_MS);
  try {
    await work();
  } finally {
    clearInterval(beating);
    beat();
  }
  return ms;
}
