import { computeWebhookSignatures, matchSignature, type WebhookEndpoint } from '../../billing/index.ts';
import { readWebhookBody, type StoredWebhookBody } from '../store/replay/local-deliveries.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { DeliveryResponse, ResponseSource } from './response-outcomes.ts';

/** Milliseconds that a first response waits for others, so that one transaction can record them all. */
const MAX_RESPONSE_AGE_MS = 20;
/** Webhooks in flight per connection: enough to keep every connection busy while responses are recorded. */
const IN_FLIGHT_PER_CONNECTION = 4;

export interface LocalDeliveryOptions {
  cache: ReadableDb;
  endpoint: WebhookEndpoint;
  sharedKey: string;
  connections: number;
  /** True to also send bodies whose stored signature the shared key does not reproduce. */
  includeUnverified: boolean;
  now: () => number;
  /** Returns true while nothing new may be sent. */
  isPaused: () => boolean;
  /** Called when enough responses have arrived. */
  onReady: () => void;
}

/**
 * Posts stored webhook bodies to an endpoint, in the given order and several at once, and collects the responses. Reads
 * each body when it is sent, so that memory use does not grow with the number of webhooks.
 */
export class LocalDeliveries implements ResponseSource {
  readonly maxInFlight: number;
  readonly #options: LocalDeliveryOptions;
  #queue: number[] = [];
  #sending = 0;
  #responses: DeliveryResponse[] = [];
  #isOld = false;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #onIdle = () => {};

  constructor(options: LocalDeliveryOptions) {
    this.#options = options;
    this.maxInFlight = options.connections * IN_FLIGHT_PER_CONNECTION;
  }

  /** Queues webhooks. A free connection sends the next queued webhook. */
  post(ids: readonly number[]): void {
    this.#queue.push(...ids);
    this.sendQueued();
  }

  /** Sends queued webhooks while connections are free. Must be called when a pause ends. */
  sendQueued(): void {
    while (this.#sending < this.#options.connections && this.#queue.length > 0) {
      if (this.#isStopped || this.#options.isPaused()) return;
      const id = this.#queue.shift() as number;
      this.#sending++;
      void this.#send(id).then((response) => {
        this.#sending--;
        this.#addResponse(response);
        this.sendQueued();
        if (this.#sending === 0) this.#onIdle();
      });
    }
  }

  isReady(): boolean {
    const pending = this.#queue.length + this.#sending;
    return this.#responses.length > 0 && (this.#isOld || this.#responses.length >= pending);
  }

  take(): DeliveryResponse[] {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isOld = false;
    return this.#responses.splice(0);
  }

  /** Stops sending. Resolves when all requests in progress have a response, after `ms` milliseconds at the latest. */
  async stop(ms: number): Promise<void> {
    this.#isStopped = true;
    if (this.#sending === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #addResponse(response: DeliveryResponse): void {
    this.#responses.push(response);
    if (this.isReady()) {
      this.#options.onReady();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#isOld = true;
      this.#options.onReady();
    }, MAX_RESPONSE_AGE_MS);
  }

  async #send(id: number): Promise<DeliveryResponse> {
    const { cache, endpoint, sharedKey, includeUnverified, now } = this.#options;
    const stored = readWebhookBody(cache, id);
    const signatures = computeWebhookSignatures(sharedKey, stored?.body ?? '');
    const problem =
      stored === null
        ? 'it is no longer stored locally'
        : findDeliveryProblem(stored, includeUnverified ? null : signatures);
    const sent_at = now();
    if (stored === null || problem !== null) {
      const error = `not sent: ${problem}`;
      return { webhook_id: id, outcome: 'refused', error, sent_at: null, responded_at: sent_at };
    }
    const { accepted, error } = await endpoint.post({ id, body: stored.body, signatures });
    return { webhook_id: id, outcome: accepted ? 'accepted' : 'failed', error, sent_at, responded_at: now() };
  }
}

/**
 * Returns the reason why a stored body must not be delivered in the service's name, or null. `signatures` are computed
 * with the shared key; null skips the comparison with the stored signature.
 */
export function findDeliveryProblem(
  { body_form, body, signature }: StoredWebhookBody,
  signatures: ReturnType<typeof computeWebhookSignatures> | null,
): string | null {
  if (body_form !== 'form' || body === '') return 'its body is not stored in the original form encoding';
  if (signature === null || signatures === null || matchSignature(signatures, signature) !== null)
    return null;
  return 'the shared key does not reproduce the signature that the service sent with it';
}
