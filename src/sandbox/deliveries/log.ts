import type { Entity } from '../render/statement.ts';
import type { Site } from '../site.ts';
import { bodyOf } from './body.ts';
import { type Delivery, type Outage, pastDelivery } from './outcome.ts';
import { RowSet } from './rowset.ts';
import { hmacSignature, signature } from './signature.ts';

export type Status = 'successful' | 'failed';

export interface Selection {
  readonly status: Status | null;
  /** Created at or after, and before, in seconds. */
  readonly from: number;
  readonly before: number;
  readonly newestFirst: boolean;
}

/** Part of the webhooks of the past that failed for no reason of the endpoint's: one in this many. */
const SCATTER = 260;

/** The webhook log: how each webhook of the site stands, and pages of them. */
export class WebhookLog {
  readonly #site: Site;
  readonly #outages: readonly Outage[];
  readonly #failed = new RowSet();
  /** Neither accepted nor failed yet. */
  readonly #waiting = new RowSet();
  readonly #changed = new Map<number, Delivery>();
  readonly #scatter: number;
  /** Webhooks of one second change places with every page asked for. */
  unstableTies = false;
  #pages = 0;

  constructor(site: Site, outages: readonly Outage[], scattered: boolean) {
    this.#site = site;
    this.#scatter = scattered ? SCATTER : 0;
    this.#outages = outages;
    for (let row = 0; row < this.length; row++) {
      if (site.world.unsent(row)) this.addNew(row, row + 1);
      else this.#failed.set(row, !this.#past(row).successful);
    }
  }

  get length(): number {
    return this.#site.world.webhooks.length;
  }

  /** Takes in the webhooks from a row on as sent in the past, the endpoint having been down at the times given. */
  addPast(from: number, outages: readonly Outage[]): void {
    for (let row = from; row < this.length; row++) {
      const delivery = this.#past(row, outages);
      if (delivery.acceptedAt !== this.#past(row).acceptedAt) this.change(row, delivery);
      else this.#failed.set(row, !delivery.successful);
    }
  }

  /** Takes in the webhooks from a row on as not sent yet; returns them. */
  addNew(from: number, before = this.length): number[] {
    const rows: number[] = [];
    for (let row = from; row < before; row++) {
      this.#changed.set(row, {
        successful: false,
        acceptedAt: null,
        sentAt: null,
        errorAt: null,
        error: null,
        url: this.#site.merchantUrl,
      });
      this.#waiting.set(row, true);
      rows.push(row);
    }
    return rows;
  }

  delivery(row: number): Delivery {
    return this.#changed.get(row) ?? this.#past(row);
  }

  change(row: number, delivery: Delivery): void {
    this.#changed.set(row, delivery);
    this.#failed.set(row, !delivery.successful && delivery.sentAt !== null);
    this.#waiting.set(row, delivery.sentAt === null);
  }

  count(selection: Selection): number {
    const { low, high } = this.#range(selection);
    const failed = this.#failed.below(high) - this.#failed.below(low);
    if (selection.status === 'failed') return failed;
    const waiting = this.#waiting.below(high) - this.#waiting.below(low);
    return selection.status === 'successful' ? high - low - failed - waiting : high - low;
  }

  /** The rows `offset` to `offset + limit` of a selection. */
  rows(selection: Selection, offset: number, limit: number): number[] {
    const count = this.count(selection);
    const rows: number[] = [];
    this.#pages++;
    for (let i = offset; i < Math.min(offset + limit, count); i++) {
      const place = selection.newestFirst ? count - 1 - i : i;
      rows.push(this.#row(selection, this.unstableTies ? this.#unstable(selection, place) : place));
    }
    return rows;
  }

  /** The oldest failed rows, up to a number. */
  oldestFailed(limit: number): number[] {
    return Array.from({ length: Math.min(limit, this.#failed.size) }, (_, i) => this.#failed.at(i));
  }

  /** Another place among the rows of the same second: every second page sees them turned round. */
  #unstable(selection: Selection, place: number): number {
    if (this.#pages % 2 === 0) return place;
    const at = this.#site.world.webhooks.at(this.#row(selection, place));
    const first = this.count({ ...selection, before: Math.min(selection.before, at) });
    const after = this.count({ ...selection, before: Math.min(selection.before, at + 1) });
    return first + after - 1 - place;
  }

  /** A log entry, section 2.1. */
  entity(row: number): Entity {
    const { zone, sharedKey, world, choices } = this.#site;
    const time = (at: number | null): string | null => (at === null ? null : zone.iso(at));
    const delivery = this.delivery(row);
    const body = bodyOf(this.#site, row);
    return {
      id: world.ids.webhook.id(row),
      successful: delivery.successful,
      event: world.event(row),
      body,
      signature: signature(sharedKey, body),
      ...(choices.hmacInLog && { signature_hmac_sha_256: hmacSignature(sharedKey, body) }),
      created_at: zone.iso(world.webhooks.at(row)),
      accepted_at: time(delivery.acceptedAt),
      last_sent_at: time(delivery.sentAt),
      last_error_at: time(delivery.errorAt),
      last_sent_url: delivery.url,
      last_error: delivery.error,
    };
  }

  #past(row: number, outages = this.#outages): Delivery {
    const { world, merchantUrl } = this.#site;
    return pastDelivery(world.shape.seed, row, world.webhooks.at(row), outages, this.#scatter, merchantUrl);
  }

  #range({ from, before }: Selection): { low: number; high: number } {
    const low = this.#site.world.webhooks.firstFrom(from);
    return { low, high: Math.max(this.#site.world.webhooks.firstFrom(before), low) };
  }

  #row(selection: Selection, k: number): number {
    const { low } = this.#range(selection);
    if (selection.status === 'failed') return this.#failed.at(this.#failed.below(low) + k);
    if (selection.status === null) return low + k;
    return this.#notAmong(low, k);
  }

  /** The k-th successful row: neither failed nor waiting. */
  #notAmong(low: number, k: number): number {
    let row = this.#failed.missing(low, k);
    for (let waiting = -1; ; ) {
      const seen = this.#waiting.below(row + 1) - this.#waiting.below(low);
      if (seen === waiting) return row;
      waiting = seen;
      row = this.#failed.missing(low, k + seen);
    }
  }
}
