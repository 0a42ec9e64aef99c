import { Agent } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Site } from '../site.ts';
import { bodyOf } from './body.ts';
import { Health } from './health.ts';
import type { WebhookLog } from './log.ts';
import { attemptText } from './outcome.ts';
import { send } from './sender.ts';
import { hmacSignature, signature } from './signature.ts';

interface Job {
  readonly row: number;
  readonly attempt: number;
}

/** What became of one attempt, for the journal. */
export type Attempted = (row: number, at: number, url: string, error: string | null) => void;

/** The background queue: posts webhooks to the merchant's endpoint, a few at a time, and tries refused ones again. */
export class DeliveryQueue {
  readonly #site: Site;
  readonly #log: WebhookLog;
  readonly #clock: Clock;
  readonly #url: () => string;
  readonly #attempted: Attempted;
  readonly #agent: Agent;
  readonly #jobs: Job[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Rows that are queued or wait for another attempt, with the number of jobs they have. */
  readonly #held = new Map<number, number>();
  /** Rows whose first attempt is still to come, and the most there ever were. */
  readonly #untried = new Set<number>();
  mostUntried = 0;
  readonly health: Health;
  #sending = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(site: Site, log: WebhookLog, clock: Clock, url: () => string, attempted: Attempted) {
    this.#site = site;
    this.#log = log;
    this.#clock = clock;
    this.#url = url;
    this.#attempted = attempted;
    this.health = new Health(site.choices.pauseAfter, site.choices.probeEvery);
    this.#agent = new Agent({ keepAlive: true, maxSockets: site.choices.sendersAtOnce });
  }

  /** Webhooks queued, being sent, or waiting for their next attempt. */
  get size(): number {
    return this.#held.size;
  }

  /** Puts webhooks on the queue; they are sent shortly after. */
  add(rows: readonly number[]): void {
    for (const row of rows) {
      this.#held.set(row, (this.#held.get(row) ?? 0) + 1);
      this.#untried.add(row);
    }
    this.mostUntried = Math.max(this.mostUntried, this.#untried.size);
    this.#after(this.#site.choices.queueDelay, () => {
      for (const row of rows) this.#jobs.push({ row, attempt: 1 });
      this.#work();
    });
  }

  /** Resolves when nothing is queued or waiting for another attempt. */
  async idle(): Promise<void> {
    if (this.#held.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#jobs.length = 0;
    this.#agent.destroy();
  }

  #work(): void {
    while (this.#sending < this.#site.choices.sendersAtOnce && this.#jobs.length > 0 && !this.#closed) {
      this.#sending++;
      void this.#send(this.#jobs.shift() as Job).finally(() => {
        this.#sending--;
        this.#work();
      });
    }
  }

  async #send({ row, attempt }: Job): Promise<void> {
    if (!this.health.allows(this.#clock.seconds)) {
      this.#release(row);
      return;
    }
    const { sharedKey, world, choices } = this.#site;
    const body = bodyOf(this.#site, row);
    const url = this.#url();
    const headers = {
      'X-Chargify-Webhook-Id': String(world.ids.webhook.id(row)),
      'X-Chargify-Webhook-Signature': signature(sharedKey, body),
      'X-Chargify-Webhook-Signature-Hmac-Sha-256': hmacSignature(sharedKey, body),
    };
    const refused = await send(this.#agent, url, body, headers, choices.acceptWithin);
    if (this.#closed) return;
    const at = this.#clock.seconds;
    const error = refused === null ? null : attemptText(refused, attempt);
    this.health.hear(error === null, attempt, at);
    this.#untried.delete(row);
    recordAttempt(this.#log, row, at, url, error);
    this.#attempted(row, at, url, error);
    const wait = choices.retryAfter[attempt - 1];
    if (error !== null && wait !== undefined) {
      this.#after(wait * 1000 * choices.timeScale, () => {
        this.#jobs.push({ row, attempt: attempt + 1 });
        this.#work();
      });
    } else {
      this.#release(row);
    }
  }

  #release(row: number): void {
    this.#untried.delete(row);
    const left = (this.#held.get(row) ?? 1) - 1;
    if (left > 0) this.#held.set(row, left);
    else this.#held.delete(row);
    if (this.#held.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }
}

/** Writes the outcome of an attempt into the log: an acceptance clears the error, a refusal is the latest state. */
export function recordAttempt(
  log: WebhookLog,
  row: number,
  at: number,
  url: string,
  error: string | null,
): void {
  const before = log.delivery(row);
  log.change(
    row,
    error === null
      ? { successful: true, acceptedAt: at, sentAt: at, errorAt: null, error: null, url }
      : { successful: false, acceptedAt: before.acceptedAt, sentAt: at, errorAt: at, error, url },
  );
}

/** A replay clears the acceptance until the webhook is accepted again. */
export function clearAcceptance(log: WebhookLog, row: number): void {
  log.change(row, { ...log.delivery(row), acceptedAt: null });
}
