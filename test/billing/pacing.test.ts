import { describe, expect, it } from 'vitest';
import { createPacing, type Pacing, type PacingOptions, type Slot } from '../../src/billing/pacing.ts';

/** The decisions of the pacing, on a clock of the test's own. */

class Clock {
  ms = 1_000_000;
  private sleepers: { at: number; wake: () => void }[] = [];
  readonly slept: number[] = [];

  readonly now = () => this.ms;
  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake, refuse) => {
      this.slept.push(ms);
      this.sleepers.push({ at: this.ms + ms, wake });
      signal?.addEventListener('abort', () => refuse(signal.reason));
    });

  /** Lets time pass; everything that was due has run when it ends. */
  async pass(ms: number): Promise<void> {
    this.ms += ms;
    const due = this.sleepers.filter(({ at }) => at <= this.ms);
    this.sleepers = this.sleepers.filter(({ at }) => at > this.ms);
    for (const { wake } of due) wake();
    await settled();
  }
}

const settled = () => new Promise<void>((done) => setImmediate(done));

function paced(options: PacingOptions = {}): { pacing: Pacing; clock: Clock } {
  const clock = new Clock();
  const pacing = createPacing({ now: clock.now, sleep: clock.sleep, random: () => 0, ...options });
  return { pacing, clock };
}

async function answers(pacing: Pacing, count: number, ms = 10, kind = 'webhooks'): Promise<void> {
  for (let each = 0; each < count; each++) (await pacing.enter()).good(kind, ms);
}

function entering(pacing: Pacing, count: number): { slots: Slot[]; errors: unknown[] } {
  const slots: Slot[] = [];
  const errors: unknown[] = [];
  for (let each = 0; each < count; each++) {
    pacing.enter().then(
      (slot) => slots.push(slot),
      (error) => errors.push(error),
    );
  }
  return { slots, errors };
}

describe('at once', () => {
  it('are four, the rest waits its turn in order', async () => {
    const { pacing } = paced();
    const { slots } = entering(pacing, 6);
    await settled();
    expect(slots).toHaveLength(4);
    expect(pacing.state()).toEqual({ limit: 4, max: 4, in_flight: 4, waiting: 2, paused_until: null });
    slots[0]?.ended();
    slots[0]?.ended();
    await settled();
    expect(slots).toHaveLength(5);
    expect(pacing.state()).toMatchObject({ in_flight: 4, waiting: 1 });
  });

  it('become half after 503 or a timeout, and one more after every fifty good answers', async () => {
    const { pacing } = paced();
    (await pacing.enter()).strained(null);
    expect(pacing.state().limit).toBe(2);
    (await pacing.enter()).strained(null);
    expect(pacing.state().limit).toBe(1);
    (await pacing.enter()).strained(null);
    expect(pacing.state().limit).toBe(1);
    await answers(pacing, 49);
    expect(pacing.state().limit).toBe(1);
    await answers(pacing, 1);
    expect(pacing.state().limit).toBe(2);
    await answers(pacing, 500);
    expect(pacing.state().limit).toBe(4);
  });

  it('are halved once for all that were underway when the trouble began', async () => {
    const { pacing } = paced();
    const { slots } = entering(pacing, 4);
    await settled();
    for (const slot of slots) slot.strained(null);
    expect(pacing.state().limit).toBe(2);
  });

  it('do not change by errors that say nothing of the load', async () => {
    const { pacing } = paced();
    for (let each = 0; each < 10; each++) (await pacing.enter()).ended();
    expect(pacing.state().limit).toBe(4);
  });
});

describe('latency', () => {
  it('of which the median doubles halves what is sent at once', async () => {
    const { pacing } = paced();
    await answers(pacing, 40, 200);
    expect(pacing.state().limit).toBe(4);
    await answers(pacing, 20, 390);
    expect(pacing.state().limit).toBe(4);
    await answers(pacing, 20, 410);
    expect(pacing.state().limit).toBe(2);
  });

  it('is compared within one kind of request only', async () => {
    const { pacing } = paced();
    await answers(pacing, 40, 200, 'webhooks');
    await answers(pacing, 40, 5000, 'statement_ids');
    expect(pacing.state().limit).toBe(4);
  });

  it('of a quick server may double within the noise', async () => {
    const { pacing } = paced();
    await answers(pacing, 40, 2);
    await answers(pacing, 40, 40);
    expect(pacing.state().limit).toBe(4);
  });

  it('that stays high becomes the measure once nothing is left to lower', async () => {
    const { pacing } = paced();
    await answers(pacing, 20, 200);
    await answers(pacing, 60, 1000);
    expect(pacing.state().limit).toBe(1);
    await answers(pacing, 150, 1000);
    expect(pacing.state().limit).toBe(4);
  });
});

describe('a 429', () => {
  it('pauses everything for as long as Retry-After says', async () => {
    const { pacing, clock } = paced();
    (await pacing.enter()).limited(7000);
    const { slots } = entering(pacing, 3);
    await settled();
    expect(slots).toHaveLength(0);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 7000, waiting: 3 });
    await clock.pass(6999);
    expect(slots).toHaveLength(0);
    await clock.pass(1);
    expect(slots).toHaveLength(2);
    expect(pacing.state().paused_until).toBeNull();
  });

  it('without it pauses 30, 60, 120, 240 s and a little, from the start again after a good answer', async () => {
    const { pacing, clock } = paced({ random: () => 0.5 });
    const pauses: number[] = [];
    const pause = async () => {
      (await pacing.enter()).limited(null);
      const ms = (pacing.state().paused_until ?? 0) - clock.ms;
      pauses.push(ms);
      await clock.pass(ms);
    };
    for (let each = 0; each < 5; each++) await pause();
    await answers(pacing, 1);
    await pause();
    expect(pauses).toEqual([30, 60, 120, 240, 240, 30].map((seconds) => seconds * 1125));
  });

  it('met by several at once is one, and the longest pause counts', async () => {
    const { pacing, clock } = paced();
    const { slots } = entering(pacing, 4);
    await settled();
    slots[0]?.limited(null);
    slots[1]?.limited(null);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 30_000 });
    slots[2]?.limited(50_000);
    slots[3]?.limited(1000);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 50_000 });
  });

  it('prolonged while others wait is waited out whole', async () => {
    const { pacing, clock } = paced();
    const first = entering(pacing, 2).slots;
    await settled();
    first[0]?.limited(1000);
    const { slots } = entering(pacing, 1);
    first[1]?.limited(5000);
    await clock.pass(1000);
    expect(slots).toHaveLength(0);
    await clock.pass(4000);
    expect(slots).toHaveLength(1);
  });

  it('for longer than anybody waits is told to all who come', async () => {
    const { pacing, clock } = paced({ longest_wait_ms: 60_000 });
    const first = entering(pacing, 1).slots;
    await settled();
    first[0]?.limited(3_600_000);
    const { errors } = entering(pacing, 2);
    await settled();
    expect(errors).toMatchObject([
      { code: 'rate_limited', retryable: true, retry_after_ms: 3_600_000 },
      { code: 'rate_limited' },
    ]);
    await clock.pass(3_600_000);
    expect(entering(pacing, 1).errors).toEqual([]);
    expect(pacing.state().in_flight).toBe(1);
  });
});

describe('waiting', () => {
  it('ends when its caller gives up, and the place is free for the next', async () => {
    const { pacing } = paced({ max: 1 });
    const slot = await pacing.enter();
    const giving = new AbortController();
    const given = pacing.enter(giving.signal);
    const { slots } = entering(pacing, 1);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    slot.ended();
    await settled();
    expect(slots).toHaveLength(1);
    await expect(pacing.enter(giving.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('for a pause leaves no timer behind when nobody waits any more', async () => {
    const stopped: boolean[] = [];
    const { pacing } = paced({
      sleep: (_ms, signal) =>
        new Promise((_, refuse) => {
          signal?.addEventListener('abort', () => {
            stopped.push(true);
            refuse(signal.reason);
          });
        }),
    });
    (await pacing.enter()).limited(60_000);
    const giving = new AbortController();
    const given = pacing.enter(giving.signal);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    expect(stopped).toEqual([true]);
  });
});

describe('between tries', () => {
  it('the wait is anything under 1, 2, 4 … 32 s', async () => {
    const { pacing, clock } = paced({ random: () => 0.999 });
    for (let attempt = 1; attempt <= 8; attempt++) {
      const wait = pacing.backoff(attempt);
      await clock.pass(40_000);
      await wait;
    }
    expect(clock.slept.map(Math.round)).toEqual([999, 1998, 3996, 7992, 15_984, 31_968, 31_968, 31_968]);
  });

  it('ends when its caller gives up', async () => {
    const { pacing } = paced();
    const giving = new AbortController();
    const wait = pacing.backoff(1, giving.signal);
    giving.abort();
    await expect(wait).rejects.toMatchObject({ code: 'cancelled' });
  });
});
