import type { Choices } from './choices.ts';
import type { Clock } from './clock.ts';
import type { Endpoint, EndpointMode } from './deliveries/endpoint.ts';
import { WebhookLog } from './deliveries/log.ts';
import { baseOutage, type Outage } from './deliveries/outcome.ts';
import { clearAcceptance, DeliveryQueue, recordAttempt } from './deliveries/queue.ts';
import { RowSet } from './deliveries/rowset.ts';
import type { Entry, Journal } from './journal.ts';
import type { Site } from './site.ts';
import type { Change } from './world/billing.ts';
import type { Allocation } from './world/ledger.ts';
import type { Schemes } from './world/plan.ts';
import { fraction, topic } from './world/random.ts';
import type { World } from './world/world.ts';

export interface AllocationRequest {
  readonly subscription: number;
  readonly changes: readonly Change[];
  readonly schemes: Schemes;
}

const DOWN = '503 Service Unavailable';

/** What the billing service does, whatever the wire format: every change goes through here and into the journal. */
export class Service {
  readonly site: Site;
  readonly clock: Clock;
  readonly log: WebhookLog;
  readonly queue: DeliveryQueue;
  readonly #journal: Journal;
  readonly #endpoint: Endpoint;
  readonly #hidden = new RowSet();
  /** Times in which the endpoint was told to be down. */
  readonly #downs: Outage[] = [];

  /** `outages` are those of the past besides the one that the base data has where `outage` says so. */
  constructor(
    site: Site,
    clock: Clock,
    journal: Journal,
    endpoint: Endpoint,
    outage: boolean,
    outages: readonly Outage[],
  ) {
    this.site = site;
    this.clock = clock;
    this.#journal = journal;
    this.#endpoint = endpoint;
    for (const row of site.world.hiddenStatements()) this.#hidden.set(row, true);
    const { shape, webhooks } = site.world;
    const [from, to] = shape.months.slice(-2) as [number, number];
    const base = outage ? [baseOutage(shape.seed, webhooks, from, to)] : [];
    this.log = new WebhookLog(site, [...base, ...outages], outage);
    this.#downs.push(...outages);
    this.queue = new DeliveryQueue(
      site,
      this.log,
      clock,
      () => endpoint.url,
      (row, at, url, error) =>
        this.#journal.append({ op: 'attempt', at, id: this.world.ids.webhook.id(row), url, error }),
    );
  }

  get world(): World {
    return this.site.world;
  }

  get choices(): Choices {
    return this.site.choices;
  }

  /** The row of a webhook of the log, or -1. */
  webhookRow(id: number): number {
    const row = this.world.ids.webhook.row(id);
    return row < this.world.webhooks.length ? row : -1;
  }

  /** The row of a statement that can be read, or -1. */
  statementRow(id: number): number {
    const row = this.world.ids.statement.row(id);
    return row < this.world.statements.length && !this.hidden(row) ? row : -1;
  }

  hidden(row: number): boolean {
    return this.#hidden.has(row);
  }

  get statementCount(): number {
    return this.world.statements.length - this.#hidden.size;
  }

  /** The statements of the site, oldest first: rows `offset` to `offset + limit`. */
  statementRows(offset: number, limit: number): number[] {
    const count = this.statementCount;
    const rows: number[] = [];
    for (let k = offset; k < Math.min(offset + limit, count); k++) rows.push(this.#hidden.missing(0, k));
    return rows;
  }

  /** Queues webhooks for another delivery; ids that name none are passed over. */
  replay(ids: readonly number[]): void {
    const known = [...new Set(ids)].filter((id) => this.webhookRow(id) >= 0);
    if (known.length === 0) return;
    const entry: Entry = { op: 'replay', at: this.clock.seconds, ids: known };
    this.#journal.append(entry);
    this.queue.add(this.#replayed(known));
  }

  /** Puts quantities into effect and sends the webhooks of it. */
  allocate({ subscription, changes, schemes }: AllocationRequest): Allocation[] {
    const nth = this.world.account(subscription).allocations.length;
    const draw = fraction(this.world.shape.seed, subscription, topic.decline, 4096 + nth);
    const entry: Entry = {
      op: 'allocate',
      at: this.clock.seconds,
      subscription,
      changes,
      schemes,
      declined: draw < this.choices.captureFailures,
    };
    this.#journal.append(entry);
    const from = this.log.length;
    const made = this.world.apply(entry);
    this.queue.add(this.log.addNew(from));
    return made;
  }

  /** Moves time to an instant (seconds UTC): renewals, retries, settlements and their webhooks happen on the way. */
  advance(to: number): void {
    const entry: Entry = { op: 'advance', from: this.clock.seconds, to };
    this.#journal.append(entry);
    this.#advanced(entry);
  }

  /** Lets webhooks arrive, every fourth of them failed, and the oldest failed ones turn accepted, as a busy site does between pages. */
  drift(count: number): void {
    const at = this.clock.seconds;
    const entry: Entry = { op: 'arrive', at, count };
    this.#journal.append(entry);
    this.#arrived(entry);
    for (const row of this.log.oldestFailed(count)) {
      const url = this.#endpoint.url;
      recordAttempt(this.log, row, at, url, null);
      this.#journal.append({ op: 'attempt', at, id: this.world.ids.webhook.id(row), url, error: null });
    }
  }

  setEndpoint(mode: EndpointMode): void {
    const wasDown = this.#endpoint.mode.down === true;
    this.#endpoint.mode = { ...mode };
    this.queue.health.reset();
    const down = mode.down === true;
    if (down === wasDown) return;
    const entry: Entry = { op: 'endpoint', at: this.clock.seconds, down };
    this.#journal.append(entry);
    this.#endpointTurned(entry.at, down);
  }

  /** Brings the service to where a journal left it, and queues what was still to be sent. */
  restore(entries: readonly Entry[]): void {
    const pending = new Set<number>();
    let latest = 0;
    for (const entry of entries) {
      latest = Math.max(latest, entry.op === 'advance' ? entry.to : entry.at);
      this.#redo(entry, pending);
    }
    this.clock.moveTo(latest * 1000);
    this.#endpoint.mode = this.#downs.at(-1)?.to === Number.POSITIVE_INFINITY ? { down: true } : {};
    this.queue.add([...pending]);
  }

  close(): void {
    this.queue.close();
    this.#journal.close();
  }

  #redo(entry: Entry, pending: Set<number>): void {
    switch (entry.op) {
      case 'advance':
        this.#advanced(entry);
        return;
      case 'allocate': {
        const from = this.log.length;
        this.world.apply(entry);
        for (const row of this.log.addNew(from)) pending.add(row);
        return;
      }
      case 'replay':
        for (const row of this.#replayed(entry.ids)) pending.add(row);
        return;
      case 'attempt': {
        const row = this.webhookRow(entry.id);
        recordAttempt(this.log, row, entry.at, entry.url, entry.error);
        if (entry.error === null || entry.error.endsWith('(retry 5 of 5)')) pending.delete(row);
        return;
      }
      case 'arrive':
        this.#arrived(entry);
        return;
      case 'endpoint':
        this.#endpointTurned(entry.at, entry.down);
        return;
    }
  }

  #replayed(ids: readonly number[]): number[] {
    const rows = ids.map((id) => this.webhookRow(id));
    for (const row of rows) clearAcceptance(this.log, row);
    return rows;
  }

  #advanced(entry: Entry & { op: 'advance' }): void {
    const from = this.log.length;
    this.world.apply(entry);
    this.log.addPast(from, this.#downs);
    this.clock.moveTo(entry.to * 1000);
  }

  #arrived(entry: Entry & { op: 'arrive' }): void {
    const from = this.log.length;
    this.world.apply(entry);
    this.log.addPast(from, []);
    for (let row = from; row < this.log.length; row++) {
      if (row % 4 === 0)
        recordAttempt(
          this.log,
          row,
          entry.at,
          this.site.merchantUrl,
          '500 Internal Server Error (retry 5 of 5)',
        );
    }
  }

  #endpointTurned(at: number, down: boolean): void {
    const last = this.#downs.pop();
    if (last && last.to !== Number.POSITIVE_INFINITY) this.#downs.push(last);
    else if (last) this.#downs.push({ ...last, to: at });
    if (down) this.#downs.push({ from: at, to: Number.POSITIVE_INFINITY, error: DOWN });
  }
}
