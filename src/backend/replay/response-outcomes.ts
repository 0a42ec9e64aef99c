import type { StoredReplayItem } from '../store/replay/replay.ts';
import type { OutcomeSource } from './outcome-source.ts';
import type { ReplayDecisions, UnresolvedWebhook, WebhookResolution } from './replay-resolution-decisions.ts';

/** Response of an endpoint to a webhook that was posted from the local copy. Instants are UTC milliseconds. */
export interface DeliveryResponse {
  webhook_id: number;
  outcome: 'accepted' | 'failed' | 'refused';
  /** Reason why the webhook was not accepted, or null. */
  error: string | null;
  sent_at: number | null;
  responded_at: number;
}

/** Responses that the endpoint has given since the previous call of `take`. */
export interface ResponseSource {
  /** Maximum number of webhooks that may be queued or in transit at once. */
  readonly maxInFlight: number;
  /** Returns true if enough responses have arrived to record them together, or if one has waited long enough. */
  isReady(): boolean;
  take(): DeliveryResponse[];
}

/** Outcomes of a local delivery, taken from the endpoint's responses. */
export class ResponseOutcomes implements OutcomeSource {
  readonly #responses: ResponseSource;

  constructor(responses: ResponseSource) {
    this.#responses = responses;
  }

  get pollAt(): number {
    return this.#responses.isReady() ? 0 : Infinity;
  }

  recordPost(): void {}

  delayPoll(): void {}

  async poll(inFlight: ReadonlyMap<number, UnresolvedWebhook>): Promise<ReplayDecisions> {
    const resolutions = toResolutions(this.#responses.take(), (id) => inFlight.get(id)?.item);
    return { resolutions, confirmedSent: [], toResend: [] };
  }
}

/** Converts responses to the outcomes of the webhooks that `find` returns. */
export function toResolutions(
  responses: readonly DeliveryResponse[],
  find: (id: number) => StoredReplayItem | undefined,
): WebhookResolution[] {
  return responses.flatMap(
    ({ webhook_id, outcome, error: last_error, sent_at, responded_at: resolved_at }) => {
      const item = find(webhook_id);
      return item === undefined ? [] : [{ item, outcome, last_error, sent_at, resolved_at }];
    },
  );
}
