import type { JsonRecord } from '../render/json-records.ts';
import type { MerchantSite } from '../site/merchant-site.ts';
import { type DeliveryState, type EndpointOutage, simulatePastDelivery } from './past-deliveries.ts';
import { computeHmacSignature, computeMd5Signature } from './post-webhook.ts';
import { SortedRowSet } from './sorted-row-set.ts';
import { createWebhookBody } from './webhook-body.ts';

export type DeliveryStatus = 'successful' | 'failed';

export interface WebhookSelection {
  readonly status: DeliveryStatus | null;
  /** Start of the creation time range in seconds, inclusive. */
  readonly from: number;
  readonly before: number;
  readonly newestFirst: boolean;
}

/** Interval of single failures: outside outages, one of this many past webhooks failed. */
const SCATTERED_FAILURE_INTERVAL = 260;

/** The webhook log, with the delivery state of each webhook. Returns the log page by page. */
export class WebhookLog {
  readonly #site: MerchantSite;
  readonly #outages: readonly EndpointOutage[];
  readonly #failed = new SortedRowSet();
  /** Rows of webhooks that the endpoint has neither accepted nor refused. */
  readonly #waiting = new SortedRowSet();
  readonly #changed = new Map<number, DeliveryState>();
  readonly #scatteredInterval: number;
  /** True if webhooks created in the same second change their order with every requested page. */
  unstableTies = false;
  #pages = 0;

  constructor(site: MerchantSite, outages: readonly EndpointOutage[], scattered: boolean) {
    this.#site = site;
    this.#scatteredInterval = scattered ? SCATTERED_FAILURE_INTERVAL : 0;
    this.#outages = outages;
    for (let row = 0; row < this.length; row++) {
      if (site.simulation.isUnsent(row)) this.addNew(row, row + 1);
      else this.#failed.set(row, !this.#simulatePast(row).successful);
    }
  }

  get length(): number {
    return this.#site.simulation.webhooks.length;
  }

  /** Adds the webhooks from a row onward to the log as already sent. Those sent during an outage are marked as failed. */
  addPast(from: number, outages: readonly EndpointOutage[]): void {
    for (let row = from; row < this.length; row++) {
      const delivery = this.#simulatePast(row, outages);
      if (delivery.acceptedAt !== this.#simulatePast(row).acceptedAt) this.change(row, delivery);
      else this.#failed.set(row, !delivery.successful);
    }
  }

  /** Adds the webhooks from a row onward to the log as not yet sent, and returns the rows. */
  addNew(from: number, before = this.length): number[] {
    const url = this.#site.merchantUrl;
    const unsent = { successful: false, acceptedAt: null, sentAt: null, errorAt: null, error: null, url };
    const rows = Array.from({ length: before - from }, (_, i) => from + i);
    for (const row of rows) {
      this.#changed.set(row, unsent);
      this.#waiting.set(row, true);
    }
    return rows;
  }

  delivery(row: number): DeliveryState {
    return this.#changed.get(row) ?? this.#simulatePast(row);
  }

  change(row: number, delivery: DeliveryState): void {
    this.#changed.set(row, delivery);
    this.#failed.set(row, !delivery.successful && delivery.sentAt !== null);
    this.#waiting.set(row, delivery.sentAt === null);
  }

  count(selection: WebhookSelection): number {
    const { low, high } = this.#range(selection);
    const failed = this.#failed.countBelow(high) - this.#failed.countBelow(low);
    if (selection.status === 'failed') return failed;
    const waiting = this.#waiting.countBelow(high) - this.#waiting.countBelow(low);
    return selection.status === 'successful' ? high - low - failed - waiting : high - low;
  }

  /** Returns the rows `offset` to `offset + limit` of a selection of webhooks. */
  rows(selection: WebhookSelection, offset: number, limit: number): number[] {
    const count = this.count(selection);
    const length = Math.max(Math.min(limit, count - offset), 0);
    this.#pages++;
    return Array.from({ length }, (_, i) => {
      const index = selection.newestFirst ? count - 1 - offset - i : offset + i;
      return this.#row(selection, this.unstableTies ? this.#reverseTies(selection, index) : index);
    });
  }

  /** Returns the oldest rows of failed webhooks, at most `limit` of them. */
  listOldestFailedRows(limit: number): number[] {
    return Array.from({ length: Math.min(limit, this.#failed.size) }, (_, i) => this.#failed.at(i));
  }

  /** On every other page, reverses the order of rows created in the same second. Returns the row's changed position. */
  #reverseTies(selection: WebhookSelection, index: number): number {
    if (this.#pages % 2 === 0) return index;
    const at = this.#site.simulation.webhooks.at(this.#row(selection, index));
    const first = this.count({ ...selection, before: Math.min(selection.before, at) });
    const after = this.count({ ...selection, before: Math.min(selection.before, at + 1) });
    return first + after - 1 - index;
  }

  /** Returns an entry of the webhook log (interface 2.1). */
  toWebhookJson(row: number): JsonRecord {
    const { zone, sharedKey, simulation, settings } = this.#site;
    const time = (at: number | null): string | null => (at === null ? null : zone.iso(at));
    const { successful, acceptedAt, sentAt, errorAt, url, error } = this.delivery(row);
    const body = createWebhookBody(this.#site, row);
    return {
      id: simulation.ids.webhook.id(row),
      successful,
      event: simulation.event(row),
      body,
      signature: computeMd5Signature(sharedKey, body),
      ...(settings.hmacInLog && { signature_hmac_sha_256: computeHmacSignature(sharedKey, body) }),
      created_at: zone.iso(simulation.webhooks.at(row)),
      accepted_at: time(acceptedAt),
      last_sent_at: time(sentAt),
      last_error_at: time(errorAt),
      last_sent_url: url,
      last_error: error,
    };
  }

  #simulatePast(row: number, outages = this.#outages): DeliveryState {
    const { simulation, merchantUrl } = this.#site;
    const webhook = { seed: simulation.parameters.seed, row, createdAt: simulation.webhooks.at(row) };
    return simulatePastDelivery(webhook, outages, this.#scatteredInterval, merchantUrl);
  }

  #range({ from, before }: WebhookSelection): { low: number; high: number } {
    const low = this.#site.simulation.webhooks.findFirstRow(from);
    return { low, high: Math.max(this.#site.simulation.webhooks.findFirstRow(before), low) };
  }

  #row(selection: WebhookSelection, k: number): number {
    const { low } = this.#range(selection);
    if (selection.status === 'failed') return this.#failed.at(this.#failed.countBelow(low) + k);
    if (selection.status === null) return low + k;
    return this.#successfulRow(low, k);
  }

  /** Returns the k-th webhook row, at or after `low`, that is neither failed nor pending. */
  #successfulRow(low: number, k: number): number {
    let row = this.#failed.findMissing(low, k);
    for (let waiting = -1; ; ) {
      const waitingBefore = this.#waiting.countBelow(row + 1) - this.#waiting.countBelow(low);
      if (waitingBefore === waiting) return row;
      waiting = waitingBefore;
      row = this.#failed.findMissing(low, k + waiting);
    }
  }
}
