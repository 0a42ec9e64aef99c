import { clearAcceptedAt, DeliveryQueue, recordDeliveryAttempt } from '../deliveries/delivery-queue.ts';
import type { EndpointBehavior, MerchantEndpoint } from '../deliveries/merchant-endpoint.ts';
import { type EndpointOutage, pickOutageTime } from '../deliveries/past-deliveries.ts';
import { SortedRowSet } from '../deliveries/sorted-row-set.ts';
import { WebhookLog } from '../deliveries/webhook-log.ts';
import type { SandboxClock } from '../simulation/sandbox-clock.ts';
import { randomFraction, randomTopics } from '../simulation/seeded-random.ts';
import type { SiteOperation, SiteSimulation } from '../simulation/site-simulation.ts';
import type { Allocation } from '../simulation/subscription-ledger.ts';
import type { MerchantSite } from '../site/merchant-site.ts';
import type { ServiceSettings } from '../site/service-settings.ts';
import type { SandboxJournal, SandboxJournalEntry } from './sandbox-journal.ts';

type AllocateOperation = SiteOperation & { op: 'allocate' };

const DOWN = '503 Service Unavailable';

/** The simulated billing service, independent of the wire format. Records all changes in the journal. */
export class BillingService {
  readonly site: MerchantSite;
  readonly clock: SandboxClock;
  readonly log: WebhookLog;
  readonly queue: DeliveryQueue;
  readonly #journal: SandboxJournal;
  readonly #endpoint: MerchantEndpoint;
  readonly #hidden = new SortedRowSet();
  /** Time ranges in which the endpoint was configured to be down. */
  readonly #downs: EndpointOutage[] = [];

  /** `outages` are past outages in addition to the outage of the base data, which `outage` enables. */
  constructor(
    { site, clock, journal }: { site: MerchantSite; clock: SandboxClock; journal: SandboxJournal },
    endpoint: MerchantEndpoint,
    { outage, outages }: { outage: boolean; outages: readonly EndpointOutage[] },
  ) {
    this.site = site;
    this.clock = clock;
    this.#journal = journal;
    this.#endpoint = endpoint;
    for (const row of site.simulation.listHiddenStatementRows()) this.#hidden.set(row, true);
    const { parameters, webhooks } = site.simulation;
    const [from, to] = parameters.months.slice(-2) as [number, number];
    const base = outage ? [pickOutageTime(parameters.seed, webhooks, from, to)] : [];
    this.log = new WebhookLog(site, [...base, ...outages], outage);
    this.#downs.push(...outages);
    this.queue = new DeliveryQueue(
      { site, log: this.log, clock },
      () => endpoint.url,
      (row, at, url, error) =>
        this.#journal.append({ op: 'attempt', at, id: this.simulation.ids.webhook.id(row), url, error }),
    );
  }

  get simulation(): SiteSimulation {
    return this.site.simulation;
  }

  get endpointUrl(): string {
    return this.#endpoint.url;
  }

  get settings(): ServiceSettings {
    return this.site.settings;
  }

  /** Returns a webhook's row in the log; -1 if the id is unknown. */
  webhookRow(id: number): number {
    const row = this.simulation.ids.webhook.row(id);
    return row < this.simulation.webhooks.length ? row : -1;
  }

  /** Returns the index row of a statement; -1 if it does not exist or is hidden. */
  statementRow(id: number): number {
    const row = this.simulation.ids.statement.row(id);
    return row < this.simulation.statements.length && !this.isHidden(row) ? row : -1;
  }

  isHidden(row: number): boolean {
    return this.#hidden.has(row);
  }

  get statementCount(): number {
    return this.simulation.statements.length - this.#hidden.size;
  }

  /** Returns the rows `offset` to `offset + limit` of the site's statements, oldest first. */
  statementRows(offset: number, limit: number): number[] {
    const length = Math.max(Math.min(limit, this.statementCount - offset), 0);
    return Array.from({ length }, (_, i) => this.#hidden.findMissing(0, offset + i));
  }

  /** Queues webhooks for another delivery. Unknown ids are ignored. */
  replay(ids: readonly number[]): void {
    const knownIds = [...new Set(ids)].filter((id) => this.webhookRow(id) >= 0);
    if (knownIds.length === 0) return;
    this.#journal.append({ op: 'replay', at: this.clock.seconds, ids: knownIds });
    this.queue.add(this.#applyReplay(knownIds));
  }

  /** Changes quantities and sends the resulting webhooks. */
  allocate({
    subscription,
    changes,
    schemes,
  }: Omit<AllocateOperation, 'op' | 'at' | 'declined'>): Allocation[] {
    const { seed } = this.simulation.parameters;
    const nth = this.simulation.account(subscription).allocations.length;
    const draw = randomFraction(seed, subscription, randomTopics.decline, 4096 + nth);
    const declined = draw < this.settings.captureFailures;
    const at = this.clock.seconds;
    const entry: SandboxJournalEntry = { op: 'allocate', at, subscription, changes, schemes, declined };
    this.#journal.append(entry);
    const from = this.log.length;
    const allocations = this.simulation.apply(entry);
    this.queue.add(this.log.addNew(from));
    return allocations;
  }

  /** Moves the clock to a time in seconds UTC and executes every action that is due by then. */
  advance(to: number): void {
    const entry: SandboxJournalEntry = { op: 'advance', from: this.clock.seconds, to };
    this.#journal.append(entry);
    this.#applyAdvance(entry);
  }

  /** Simulates changes between pages: adds webhooks, every fourth failed, and accepts the oldest failed ones. */
  drift(count: number): void {
    const at = this.clock.seconds;
    const entry: SandboxJournalEntry = { op: 'arrive', at, count };
    this.#journal.append(entry);
    this.#applyArrival(entry);
    const attempt = { at, url: this.#endpoint.url, error: null };
    for (const row of this.log.listOldestFailedRows(count)) {
      recordDeliveryAttempt(this.log, row, attempt);
      this.#journal.append({ op: 'attempt', id: this.simulation.ids.webhook.id(row), ...attempt });
    }
  }

  setEndpoint(mode: EndpointBehavior): void {
    const wasDown = this.#endpoint.mode.down === true;
    this.#endpoint.mode = { ...mode };
    this.queue.health.reset();
    const down = mode.down === true;
    if (down === wasDown) return;
    const entry: SandboxJournalEntry = { op: 'endpoint', at: this.clock.seconds, down };
    this.#journal.append(entry);
    this.#applyEndpointState(entry.at, down);
  }

  /** Applies the entries of a journal, then queues the webhooks that still have to be sent. */
  restore(entries: readonly SandboxJournalEntry[]): void {
    const pending = new Set<number>();
    let latest = 0;
    for (const entry of entries) {
      latest = Math.max(latest, entry.op === 'advance' ? entry.to : entry.at);
      this.#applyEntry(entry, pending);
    }
    this.clock.moveTo(latest * 1000);
    this.#endpoint.mode = this.#downs.at(-1)?.to === Number.POSITIVE_INFINITY ? { down: true } : {};
    this.queue.add([...pending]);
  }

  close(): void {
    this.queue.close();
    this.#journal.close();
  }

  #applyEntry(entry: SandboxJournalEntry, pending: Set<number>): void {
    switch (entry.op) {
      case 'advance':
        this.#applyAdvance(entry);
        return;
      case 'allocate': {
        const from = this.log.length;
        this.simulation.apply(entry);
        for (const row of this.log.addNew(from)) pending.add(row);
        return;
      }
      case 'replay':
        for (const row of this.#applyReplay(entry.ids)) pending.add(row);
        return;
      case 'attempt': {
        const row = this.webhookRow(entry.id);
        recordDeliveryAttempt(this.log, row, entry);
        if (entry.error === null || entry.error.endsWith('(retry 5 of 5)')) pending.delete(row);
        return;
      }
      case 'arrive':
        this.#applyArrival(entry);
        return;
      case 'endpoint':
        this.#applyEndpointState(entry.at, entry.down);
        return;
    }
  }

  #applyReplay(ids: readonly number[]): number[] {
    const rows = ids.map((id) => this.webhookRow(id));
    for (const row of rows) clearAcceptedAt(this.log, row);
    return rows;
  }

  #applyAdvance(entry: SandboxJournalEntry & { op: 'advance' }): void {
    const from = this.log.length;
    this.simulation.apply(entry);
    this.log.addPast(from, this.#downs);
    this.clock.moveTo(entry.to * 1000);
  }

  #applyArrival(entry: SandboxJournalEntry & { op: 'arrive' }): void {
    const from = this.log.length;
    this.simulation.apply(entry);
    this.log.addPast(from, []);
    const error = '500 Internal Server Error (retry 5 of 5)';
    const attempt = { at: entry.at, url: this.site.merchantUrl, error };
    for (let row = from; row < this.log.length; row++)
      if (row % 4 === 0) recordDeliveryAttempt(this.log, row, attempt);
  }

  #applyEndpointState(at: number, down: boolean): void {
    const last = this.#downs.pop();
    if (last && last.to !== Number.POSITIVE_INFINITY) this.#downs.push(last);
    else if (last) this.#downs.push({ ...last, to: at });
    if (down) this.#downs.push({ from: at, to: Number.POSITIVE_INFINITY, error: DOWN });
  }
}
