import { Agent } from 'node:http';
import type { SandboxClock } from '../simulation/sandbox-clock.ts';
import type { MerchantSite } from '../site/merchant-site.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { formatDeliveryAttemptError } from './past-deliveries.ts';
import { computeHmacSignature, computeMd5Signature, postWebhook } from './post-webhook.ts';
import { createWebhookBody } from './webhook-body.ts';
import type { WebhookLog } from './webhook-log.ts';

interface Job {
  readonly row: number;
  readonly attempt: number;
}

/** Records the outcome of one delivery attempt in the journal. */
export type DeliveryAttemptRecorder = (row: number, at: number, url: string, error: string | null) => void;

/** The background queue that posts webhooks to the merchant's endpoint, a few at a time, and retries failed ones. */
export class DeliveryQueue {
  readonly #site: MerchantSite;
  readonly #log: WebhookLog;
  readonly #clock: SandboxClock;
  readonly #url: () => string;
  readonly #onAttempt: DeliveryAttemptRecorder;
  readonly #agent: Agent;
  readonly #jobs: Job[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Number of queued or scheduled delivery attempts per webhook row. */
  readonly #jobCounts = new Map<number, number>();
  /** Rows of webhooks whose first delivery attempt is pending. */
  readonly #untried = new Set<number>();
  mostUntried = 0;
  readonly health: EndpointHealth;
  #sending = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(
    { site, log, clock }: { site: MerchantSite; log: WebhookLog; clock: SandboxClock },
    url: () => string,
    attempted: DeliveryAttemptRecorder,
  ) {
    this.#site = site;
    this.#log = log;
    this.#clock = clock;
    this.#url = url;
    this.#onAttempt = attempted;
    this.health = new EndpointHealth(site.settings.pauseAfter, site.settings.probeEvery);
    this.#agent = new Agent({ keepAlive: true, maxSockets: site.settings.sendersAtOnce });
  }

  /** Number of webhooks that are queued, being sent or waiting for their next attempt. */
  get size(): number {
    return this.#jobCounts.size;
  }

  add(rows: readonly number[]): void {
    for (const row of rows) {
      this.#jobCounts.set(row, (this.#jobCounts.get(row) ?? 0) + 1);
      this.#untried.add(row);
    }
    this.mostUntried = Math.max(this.mostUntried, this.#untried.size);
    this.#enqueue(rows, 1, this.#site.settings.queueDelay);
  }

  /** Resolves when no webhook is queued or waiting for another attempt. */
  async idle(): Promise<void> {
    if (this.#jobCounts.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#jobs.length = 0;
    this.#agent.destroy();
  }

  #sendQueued(): void {
    while (this.#sending < this.#site.settings.sendersAtOnce && this.#jobs.length > 0 && !this.#closed) {
      this.#sending++;
      void this.#send(this.#jobs.shift() as Job).finally(() => {
        this.#sending--;
        this.#sendQueued();
      });
    }
  }

  async #send({ row, attempt }: Job): Promise<void> {
    if (!this.health.allowsSending(this.#clock.seconds)) return this.#release(row);
    const { sharedKey, simulation, settings } = this.#site;
    const body = createWebhookBody(this.#site, row);
    const url = this.#url();
    const headers = {
      'X-Chargify-Webhook-Id': String(simulation.ids.webhook.id(row)),
      'X-Chargify-Webhook-Signature': computeMd5Signature(sharedKey, body),
      'X-Chargify-Webhook-Signature-Hmac-Sha-256': computeHmacSignature(sharedKey, body),
    };
    const refused = await postWebhook(this.#agent, url, { body, headers }, settings.acceptWithin);
    if (this.#closed) return;
    const at = this.#clock.seconds;
    const error = refused === null ? null : formatDeliveryAttemptError(refused, attempt);
    this.health.recordOutcome(error === null, attempt, at);
    this.#untried.delete(row);
    recordDeliveryAttempt(this.#log, row, { at, url, error });
    this.#onAttempt(row, at, url, error);
    const wait = settings.retryAfter[attempt - 1];
    if (error === null || wait === undefined) this.#release(row);
    else this.#enqueue([row], attempt + 1, wait * 1000 * settings.timeScale);
  }

  #release(row: number): void {
    this.#untried.delete(row);
    const left = (this.#jobCounts.get(row) ?? 1) - 1;
    if (left > 0) this.#jobCounts.set(row, left);
    else this.#jobCounts.delete(row);
    if (this.#jobCounts.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Queues a delivery attempt of these webhooks after a delay in milliseconds. */
  #enqueue(rows: readonly number[], attempt: number, delay: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      for (const row of rows) this.#jobs.push({ row, attempt });
      this.#sendQueued();
    }, delay);
    this.#timers.add(timer);
  }
}

/** Records the outcome of a delivery attempt in the webhook log. An accepted delivery clears the error. */
export function recordDeliveryAttempt(
  log: WebhookLog,
  row: number,
  { at, url, error }: { at: number; url: string; error: string | null },
): void {
  const before = log.delivery(row);
  log.change(
    row,
    error === null
      ? { successful: true, acceptedAt: at, sentAt: at, errorAt: null, error: null, url }
      : { successful: false, acceptedAt: before.acceptedAt, sentAt: at, errorAt: at, error, url },
  );
}

/** Marks a replayed webhook as not accepted until it is accepted again. */
export function clearAcceptedAt(log: WebhookLog, row: number): void {
  log.change(row, { ...log.delivery(row), acceptedAt: null });
}
