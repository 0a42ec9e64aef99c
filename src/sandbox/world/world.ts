import { type Account, baseAccount, MARGIN } from './account.ts';
import type { Change } from './billing.ts';
import { ARRIVAL, dispensable, EXTRA, type ExtraEvent, extraAt, extraEvent } from './extras.ts';
import { type Ids, idsOf } from './ids.ts';
import type { Allocation, Notice, Statement } from './ledger.ts';
import type { Schemes, Shape } from './plan.ts';
import type { Plant } from './plant.ts';
import { hash, topic } from './random.ts';
import { Rows } from './rows.ts';

/** What is done to the made-up site after its base data: kept in the journal, applied again at the next start. */
export type Operation =
  | { op: 'advance'; from: number; to: number }
  | {
      op: 'allocate';
      at: number;
      subscription: number;
      changes: readonly Change[];
      schemes: Schemes;
      declined: boolean;
    }
  | { op: 'arrive'; at: number; count: number };

const REMEMBERED = 1200;

/** The site's subscriptions, with everything that happened to them in two indexes by time; rows are made when asked for. */
export class World {
  readonly shape: Shape;
  readonly ids: Ids;
  webhooks = new Rows();
  statements = new Rows();
  readonly #accounts = new Map<number, Account>();
  /** Operations on one subscription, and those that move everyone's time; `order` is over both. */
  readonly #own = new Map<number, Done[]>();
  readonly #advances: Done[] = [];
  #order = 0;
  #arrivals = 0;
  readonly #noticeCount: Uint32Array;
  readonly #statementCount: Uint32Array;
  readonly #due: Float64Array;
  readonly #life: { readonly from: Uint32Array; readonly to: Uint32Array };
  #firstStatement = new Uint32Array(0) as Uint32Array;
  #statementPlaces = new Uint32Array(0) as Uint32Array;
  readonly #laterStatements = new Map<number, number>();

  /** `target` is the wanted number of webhooks; without it, what happens of itself. */
  constructor(shape: Shape, target?: number) {
    this.shape = shape;
    this.ids = idsOf(shape.seed);
    const count = shape.subscriptions;
    this.#noticeCount = new Uint32Array(count);
    this.#statementCount = new Uint32Array(count);
    this.#due = new Float64Array(count);
    this.#life = { from: new Uint32Array(count), to: new Uint32Array(count) };
    this.#index(target);
  }

  /** A subscription as it stands now. */
  account(subscription: number): Account {
    const known = this.#accounts.get(subscription);
    if (known) {
      this.#accounts.delete(subscription);
      this.#accounts.set(subscription, known);
      return known;
    }
    const account = this.#make(subscription);
    this.#accounts.set(subscription, account);
    if (this.#accounts.size > REMEMBERED) this.#accounts.delete(this.#accounts.keys().next().value as number);
    return account;
  }

  /** The notice behind a row of the webhook index; null for one of the extras, which belong to no statement. */
  notice(row: number): Notice | null {
    const ordinal = this.webhooks.ordinal(row);
    if (ordinal >= EXTRA) return null;
    return this.account(this.webhooks.subscription(row)).notices[ordinal] as Notice;
  }

  extra(row: number): { n: number; at: number; event: ExtraEvent } {
    const n = this.webhooks.ordinal(row) - EXTRA;
    const event = extraEvent(this.shape.seed, this.webhooks.subscription(row), n);
    return { n, at: this.webhooks.at(row), event };
  }

  event(row: number): string {
    return this.notice(row)?.event ?? this.extra(row).event;
  }

  statement(row: number): Statement {
    const account = this.account(this.statements.subscription(row));
    return account.ledger.statements[this.statements.ordinal(row)] as Statement;
  }

  /** The row of a subscription's n-th statement in the index. */
  statementRow(subscription: number, n: number): number {
    const first = this.#firstStatement[subscription] as number;
    const next = this.#firstStatement[subscription + 1] as number;
    if (first + n < next) return this.#statementPlaces[first + n] as number;
    return this.#laterStatements.get(subscription * 65_536 + n) as number;
  }

  statementCount(subscription: number): number {
    return this.#statementCount[subscription] as number;
  }

  /** Applies an operation; the new webhooks and statements are at the end of the indexes. */
  apply(operation: Operation): Allocation[] {
    if (operation.op === 'advance') {
      this.#advance(operation);
      return [];
    }
    if (operation.op === 'arrive') {
      this.#arrive(operation.at, operation.count);
      return [];
    }
    const { subscription, at, changes, schemes, declined } = operation;
    const account = this.account(subscription);
    const own = this.#own.get(subscription) ?? [];
    this.#own.set(subscription, own);
    own.push({ operation, order: this.#order++ });
    const made = account.allocate(at, changes, schemes, declined);
    this.#takeIn([subscription]);
    return made;
  }

  #advance(operation: Operation & { op: 'advance' }): void {
    this.#advances.push({ operation, order: this.#order++ });
    const touched: number[] = [];
    for (let subscription = 0; subscription < this.shape.subscriptions; subscription++) {
      if ((this.#due[subscription] as number) > operation.to - MARGIN) continue;
      this.#accounts.get(subscription)?.run(operation.to - MARGIN, operation.from);
      touched.push(subscription);
    }
    this.#takeIn(touched);
  }

  /** Webhooks that come of themselves while the sandbox runs. */
  #arrive(at: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const serial = this.#arrivals++;
      const subscription = hash(this.shape.seed, serial, topic.extra) % this.shape.subscriptions;
      this.webhooks.push(at - (at % this.shape.tick), subscription, ARRIVAL + serial);
    }
  }

  #make(subscription: number): Account {
    const account = baseAccount(this.shape, subscription);
    const own = this.#own.get(subscription);
    const all = own ? [...own, ...this.#advances].sort((a, b) => a.order - b.order) : this.#advances;
    for (const { operation } of all) {
      if (operation.op === 'advance') account.run(operation.to - MARGIN, operation.from);
      else if (operation.op === 'allocate') {
        account.allocate(operation.at, operation.changes, operation.schemes, operation.declined);
      }
    }
    return account;
  }

  /** Adds what subscriptions did since they were last looked at to the ends of the indexes. */
  #takeIn(subscriptions: readonly number[]): void {
    const notices = new Rows();
    const statements = new Rows();
    for (const subscription of subscriptions) {
      const account = this.account(subscription);
      this.#collect(account, subscription, notices, statements);
    }
    const newNotices = notices.sorted().rows;
    for (let i = 0; i < newNotices.length; i++) {
      this.webhooks.push(newNotices.at(i), newNotices.subscription(i), newNotices.ordinal(i));
    }
    const newStatements = statements.sorted().rows;
    for (let i = 0; i < newStatements.length; i++) {
      const [subscription, n] = [newStatements.subscription(i), newStatements.ordinal(i)];
      this.#laterStatements.set(subscription * 65_536 + n, this.statements.length);
      this.statements.push(newStatements.at(i), subscription, n);
    }
  }

  #collect(account: Account, subscription: number, notices: Rows, statements: Rows): void {
    const { tick } = this.shape;
    const plant = this.shape.plants.get(subscription);
    const known = this.#noticeCount[subscription] as number;
    for (let n = known; n < account.notices.length; n++) {
      const notice = account.notices[n] as Notice;
      const entries = plant ? copies(plant, notice) : 1;
      for (let i = 0; i < entries; i++) notices.push(notice.at - (notice.at % tick), subscription, n);
    }
    const held = this.#statementCount[subscription] as number;
    const list = account.ledger.statements;
    for (let n = held; n < list.length; n++) {
      statements.push((list[n] as Statement).openedAt, subscription, n);
    }
    this.#noticeCount[subscription] = account.notices.length;
    this.#statementCount[subscription] = list.length;
    this.#due[subscription] = account.due;
  }

  /** Whether a webhook is one that a planted error keeps from being sent. */
  unsent(row: number): boolean {
    const plant = this.shape.plants.get(this.webhooks.subscription(row));
    const notice = plant?.kind === 'unsent_webhook' ? this.notice(row) : null;
    return notice?.event === 'payment_success' && notice.statement.index === plant?.statement;
  }

  /** The statements a planted error hides, as rows of the index. */
  hiddenStatements(): number[] {
    return [...this.shape.plants.values()]
      .filter(({ kind }) => kind === 'missing_statement')
      .map(({ subscription, statement }) => this.statementRow(subscription, statement));
  }

  #index(target: number | undefined): void {
    const count = this.shape.subscriptions;
    const webhooks = new Rows(count * 16);
    const statements = new Rows(count * 8);
    const optional = new Map(dispensable.map((event) => [event, [] as number[]]));
    this.#firstStatement = new Uint32Array(count + 1);
    for (let subscription = 0; subscription < count; subscription++) {
      const account = this.#make(subscription);
      const from = webhooks.length;
      this.#firstStatement[subscription] = statements.length;
      this.#collect(account, subscription, webhooks, statements);
      this.#life.from[subscription] = account.subscriber.signup;
      this.#life.to[subscription] =
        account.state === 'canceled' ? (account.notices.at(-1)?.at ?? 0) : this.shape.now;
      if (target === undefined) continue;
      for (let row = from; row < webhooks.length; row++) {
        const notice = account.notices[webhooks.ordinal(row)] as Notice;
        optional.get(notice.event)?.push(row);
      }
    }
    this.#firstStatement[count] = statements.length;
    const sorted = statements.sorted();
    this.statements = sorted.rows;
    this.#statementPlaces = sorted.places;
    this.webhooks = this.#sized(webhooks, optional, target ?? webhooks.length);
  }

  /**
   * Brings the log to the wanted length. A shorter one lacks whole events, as if the merchant had not asked for them, and then
   * the oldest webhooks, as if they were no longer kept; never one here and there. Further webhooks make up the number.
   */
  #sized(rows: Rows, optional: ReadonlyMap<string, readonly number[]>, target: number): Rows {
    const leaving = new Uint8Array(rows.length);
    let left = rows.length;
    for (const dispensed of optional.values()) {
      if (left <= target) break;
      for (const row of dispensed) leaving[row] = 1;
      left -= dispensed.length;
    }
    const count = this.shape.subscriptions;
    const missing = target - left;
    for (let subscription = 0; subscription < count && missing > 0; subscription++) {
      const extras = Math.floor(missing / count) + (subscription < missing % count ? 1 : 0);
      for (let n = 0; n < extras; n++) rows.push(this.#extraAt(subscription, n), subscription, EXTRA + n);
    }
    const kept = rows.sorted((row) => leaving[row] !== 1).rows;
    if (kept.length <= target) return kept;
    const newest = new Rows(Math.max(target, 16));
    for (let row = kept.length - target; row < kept.length; row++) {
      newest.push(kept.at(row), kept.subscription(row), kept.ordinal(row));
    }
    return newest;
  }

  #extraAt(subscription: number, n: number): number {
    const [from, to] = [this.#life.from[subscription] as number, this.#life.to[subscription] as number];
    const at = extraAt(this.shape.seed, subscription, n, from, to);
    return at - (at % this.shape.tick);
  }
}

interface Done {
  readonly operation: Operation;
  readonly order: number;
}

/** How often a notice stands in the log: once, unless an error is planted in it. */
function copies(plant: Plant, { event, statement }: Notice): number {
  if (event !== 'payment_success' || statement.index !== plant.statement) return 1;
  return plant.kind === 'lost_webhook' ? 0 : plant.kind === 'duplicate_webhook' ? 2 : 1;
}
