import { describe, expect, it } from 'vitest';
import {
  RequestPacer,
  type RequestPacingOptions,
  type RequestSlot,
} from '../../../src/billing/http/request-pacing.ts';

/** Tests the decisions of the request pacer on a simulated clock. */

class SimulatedClock {
  ms = 1_000_000;
  private sleepers: { at: number; wake: () => void }[] = [];
  readonly requestedDelays: number[] = [];

  readonly now = () => this.ms;
  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake, refuse) => {
      this.requestedDelays.push(ms);
      this.sleepers.push({ at: this.ms + ms, wake });
      signal?.addEventListener('abort', () => refuse(signal.reason));
    });

  /** Advances the clock and runs every timer that is due. */
  async advance(ms: number): Promise<void> {
    this.ms += ms;
    const due = this.sleepers.filter(({ at }) => at <= this.ms);
    this.sleepers = this.sleepers.filter(({ at }) => at > this.ms);
    for (const { wake } of due) wake();
    await settlePromises();
  }
}

const settlePromises = () => new Promise<void>((done) => setImmediate(done));

function createPacing(options: RequestPacingOptions = {}): { pacing: RequestPacer; clock: SimulatedClock } {
  const clock = new SimulatedClock();
  const pacing = new RequestPacer({ now: clock.now, sleep: clock.sleep, random: () => 0, ...options });
  return { pacing, clock };
}

async function completeRequests(
  pacing: RequestPacer,
  count: number,
  ms = 10,
  kind = 'webhooks',
): Promise<void> {
  for (let each = 0; each < count; each++) (await pacing.acquireSlot()).succeeded(kind, ms);
}

function acquireSlots(pacing: RequestPacer, count: number): { slots: RequestSlot[]; errors: unknown[] } {
  const slots: RequestSlot[] = [];
  const errors: unknown[] = [];
  for (let each = 0; each < count; each++) {
    pacing.acquireSlot().then(
      (slot) => slots.push(slot),
      (error) => errors.push(error),
    );
  }
  return { slots, errors };
}

describe('the number of concurrent requests', () => {
  it('is limited to four, and further requests wait in order', async () => {
    const { pacing } = createPacing();
    const { slots } = acquireSlots(pacing, 6);
    await settlePromises();
    expect(slots).toHaveLength(4);
    expect(pacing.state()).toEqual({ limit: 4, max: 4, in_flight: 4, waiting: 2, paused_until: null });
    slots[0]?.released();
    slots[0]?.released();
    await settlePromises();
    expect(slots).toHaveLength(5);
    expect(pacing.state()).toMatchObject({ in_flight: 4, waiting: 1 });
  });

  it('is halved after a 503 or timeout and grows by one per fifty normal responses', async () => {
    const { pacing } = createPacing();
    (await pacing.acquireSlot()).overloaded(null);
    expect(pacing.state().limit).toBe(2);
    (await pacing.acquireSlot()).overloaded(null);
    expect(pacing.state().limit).toBe(1);
    (await pacing.acquireSlot()).overloaded(null);
    expect(pacing.state().limit).toBe(1);
    await completeRequests(pacing, 49);
    expect(pacing.state().limit).toBe(1);
    await completeRequests(pacing, 1);
    expect(pacing.state().limit).toBe(2);
    await completeRequests(pacing, 500);
    expect(pacing.state().limit).toBe(4);
  });

  it('is halved once for all requests in flight at the first failure', async () => {
    const { pacing } = createPacing();
    const { slots } = acquireSlots(pacing, 4);
    await settlePromises();
    for (const slot of slots) slot.overloaded(null);
    expect(pacing.state().limit).toBe(2);
  });

  it('is unchanged by errors unrelated to load', async () => {
    const { pacing } = createPacing();
    for (let each = 0; each < 10; each++) (await pacing.acquireSlot()).released();
    expect(pacing.state().limit).toBe(4);
  });
});

describe('response latency', () => {
  it('halves the concurrency when its median doubles', async () => {
    const { pacing } = createPacing();
    await completeRequests(pacing, 40, 200);
    expect(pacing.state().limit).toBe(4);
    await completeRequests(pacing, 20, 390);
    expect(pacing.state().limit).toBe(4);
    await completeRequests(pacing, 20, 410);
    expect(pacing.state().limit).toBe(2);
  });

  it('is compared only between requests of the same kind', async () => {
    const { pacing } = createPacing();
    await completeRequests(pacing, 40, 200, 'webhooks');
    await completeRequests(pacing, 40, 5000, 'statement_ids');
    expect(pacing.state().limit).toBe(4);
  });

  it('may double on a fast server without an effect', async () => {
    const { pacing } = createPacing();
    await completeRequests(pacing, 40, 2);
    await completeRequests(pacing, 40, 40);
    expect(pacing.state().limit).toBe(4);
  });

  it('becomes the new baseline if it stays high at a concurrency of one', async () => {
    const { pacing } = createPacing();
    await completeRequests(pacing, 20, 200);
    await completeRequests(pacing, 60, 1000);
    expect(pacing.state().limit).toBe(1);
    await completeRequests(pacing, 150, 1000);
    expect(pacing.state().limit).toBe(4);
  });
});

describe('a 429 response', () => {
  it('pauses all requests for the Retry-After', async () => {
    const { pacing, clock } = createPacing();
    (await pacing.acquireSlot()).rateLimited(7000);
    const { slots } = acquireSlots(pacing, 3);
    await settlePromises();
    expect(slots).toHaveLength(0);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 7000, waiting: 3 });
    await clock.advance(6999);
    expect(slots).toHaveLength(0);
    await clock.advance(1);
    expect(slots).toHaveLength(2);
    expect(pacing.state().paused_until).toBeNull();
  });

  it('without Retry-After pauses 30, 60, 120 and 240 s plus jitter, starting over after a normal response', async () => {
    const { pacing, clock } = createPacing({ random: () => 0.5 });
    const pauses: number[] = [];
    const pause = async () => {
      (await pacing.acquireSlot()).rateLimited(null);
      const ms = (pacing.state().paused_until ?? 0) - clock.ms;
      pauses.push(ms);
      await clock.advance(ms);
    };
    for (let each = 0; each < 5; each++) await pause();
    await completeRequests(pacing, 1);
    await pause();
    expect(pauses).toEqual([30, 60, 120, 240, 240, 30].map((seconds) => seconds * 1125));
  });

  it('to several requests counts once, with the longest pause', async () => {
    const { pacing, clock } = createPacing();
    const { slots } = acquireSlots(pacing, 4);
    await settlePromises();
    slots[0]?.rateLimited(null);
    slots[1]?.rateLimited(null);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 30_000 });
    slots[2]?.rateLimited(50_000);
    slots[3]?.rateLimited(1000);
    expect(pacing.state()).toMatchObject({ limit: 2, paused_until: clock.ms + 50_000 });
  });

  it('that extends a pause is waited out completely', async () => {
    const { pacing, clock } = createPacing();
    const first = acquireSlots(pacing, 2).slots;
    await settlePromises();
    first[0]?.rateLimited(1000);
    const { slots } = acquireSlots(pacing, 1);
    first[1]?.rateLimited(5000);
    await clock.advance(1000);
    expect(slots).toHaveLength(0);
    await clock.advance(4000);
    expect(slots).toHaveLength(1);
  });

  it('with a pause that is too long is reported to every caller', async () => {
    const { pacing, clock } = createPacing({ maxRetryAfterMs: 60_000 });
    const first = acquireSlots(pacing, 1).slots;
    await settlePromises();
    first[0]?.rateLimited(3_600_000);
    const { errors } = acquireSlots(pacing, 2);
    await settlePromises();
    expect(errors).toMatchObject([
      { code: 'rate_limited', retryable: true, retry_after_ms: 3_600_000 },
      { code: 'rate_limited' },
    ]);
    await clock.advance(3_600_000);
    expect(acquireSlots(pacing, 1).errors).toEqual([]);
    expect(pacing.state().in_flight).toBe(1);
  });
});

describe('waiting for a request slot', () => {
  it('ends when the caller aborts, and the next request takes the slot', async () => {
    const { pacing } = createPacing({ maxConcurrent: 1 });
    const slot = await pacing.acquireSlot();
    const giving = new AbortController();
    const given = pacing.acquireSlot(giving.signal);
    const { slots } = acquireSlots(pacing, 1);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'canceled' });
    slot.released();
    await settlePromises();
    expect(slots).toHaveLength(1);
    await expect(pacing.acquireSlot(giving.signal)).rejects.toMatchObject({ code: 'canceled' });
  });

  it('leaves no timer when the queue is empty', async () => {
    const stopped: boolean[] = [];
    const { pacing } = createPacing({
      sleep: (_ms, signal) =>
        new Promise((_, refuse) => {
          signal?.addEventListener('abort', () => {
            stopped.push(true);
            refuse(signal.reason);
          });
        }),
    });
    (await pacing.acquireSlot()).rateLimited(60_000);
    const giving = new AbortController();
    const given = pacing.acquireSlot(giving.signal);
    giving.abort();
    await expect(given).rejects.toMatchObject({ code: 'canceled' });
    expect(stopped).toEqual([true]);
  });
});

describe('the delay between attempts', () => {
  it('is random, up to 1, 2, 4 … 32 s', async () => {
    const { pacing, clock } = createPacing({ random: () => 0.999 });
    for (let attempt = 1; attempt <= 8; attempt++) {
      const wait = pacing.waitBeforeRetry(attempt);
      await clock.advance(40_000);
      await wait;
    }
    expect(clock.requestedDelays.map(Math.round)).toEqual([
      999, 1998, 3996, 7992, 15_984, 31_968, 31_968, 31_968,
    ]);
  });

  it('ends when the caller aborts', async () => {
    const { pacing } = createPacing();
    const giving = new AbortController();
    const wait = pacing.waitBeforeRetry(1, giving.signal);
    giving.abort();
    await expect(wait).rejects.toMatchObject({ code: 'canceled' });
  });
});
