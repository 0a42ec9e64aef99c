/** How often it is looked at the clock, ms. */
const BEAT_MS = 10;

/**
 * How long something takes as this process lives it, ms: between two beats of a timer no more counts than the pause between them, or
 * than the CPU time this process had meanwhile. A machine that is busy with others, or a disk that is, does not stretch it; what waits
 * for a timer or for another's answer does, and so does work.
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
