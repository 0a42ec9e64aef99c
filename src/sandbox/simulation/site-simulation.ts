import {
  computeExtraWebhookTime,
  type ExtraWebhookEvent,
  FIRST_EXTRA_WEBHOOK_ORDINAL,
  FIRST_NEW_WEBHOOK_ORDINAL,
  pickExtraWebhookEvent,
  REMOVABLE_EVENTS,
} from './extra-webhook-events.ts';
import type { PlantedErrorPosition } from './planted-error-kinds.ts';
import { createRecordIds, type RecordIds } from './record-ids.ts';
import { TimeIndex } from './row-time-index.ts';
import { hashNumbers, randomTopics } from './seeded-random.ts';
import type { ProrationSchemes, SiteParameters } from './site-parameters.ts';
import {
  createBaseSubscriptionAccount,
  type SubscriptionAccount,
  WEBHOOK_NOTICE_MARGIN_SECONDS,
} from './subscription-account.ts';
import type { QuantityChange } from './subscription-billing.ts';
import type { Allocation, Statement, WebhookNotice } from './subscription-ledger.ts';

/** A change to the simulated site after its base data, which the journal applies again at the next start. */
export type SiteOperation =
  | { op: 'advance'; from: number; to: number }
  | {
      op: 'allocate';
      at: number;
      subscription: number;
      changes: readonly QuantityChange[];
      schemes: ProrationSchemes;
      declined: boolean;
    }
  | { op: 'arrive'; at: number; count: number };

const MAX_CACHED_ACCOUNTS = 1200;

/** All subscriptions of the site, with time indexes of their webhooks and statements. Rows are generated on request. */
export class SiteSimulation {
  readonly parameters: SiteParameters;
  readonly ids: RecordIds;
  webhooks = new TimeIndex();
  statements = new TimeIndex();
  /** Webhooks that were not created because the endpoint was disabled. */
  readonly ungenerated = new TimeIndex();
  readonly #accounts = new Map<number, SubscriptionAccount>();
  /** Operations by subscription. `order` gives their order across all subscriptions. */
  readonly #operationsBySubscription = new Map<number, AppliedOperation[]>();
  readonly #advances: AppliedOperation[] = [];
  #order = 0;
  #arrivals = 0;
  readonly #noticeCounts: Uint32Array;
  readonly #statementCounts: Uint32Array;
  readonly #due: Float64Array;
  readonly #lifetimes: { readonly from: Uint32Array; readonly to: Uint32Array };
  #firstStatement = new Uint32Array(0) as Uint32Array;
  #statementRows = new Uint32Array(0) as Uint32Array;
  readonly #laterStatements = new Map<number, number>();

  /** `target` is the requested number of webhooks. By default, it is the number that the history produces. */
  constructor(parameters: SiteParameters, target?: number) {
    this.parameters = parameters;
    this.ids = createRecordIds(parameters.seed);
    const count = parameters.subscriptions;
    this.#noticeCounts = new Uint32Array(count);
    this.#statementCounts = new Uint32Array(count);
    this.#due = new Float64Array(count);
    this.#lifetimes = { from: new Uint32Array(count), to: new Uint32Array(count) };
    this.#index(target);
  }

  account(subscription: number): SubscriptionAccount {
    const cached = this.#accounts.get(subscription);
    if (cached) {
      this.#accounts.delete(subscription);
      this.#accounts.set(subscription, cached);
      return cached;
    }
    const account = this.#createAccount(subscription);
    this.#accounts.set(subscription, account);
    if (this.#accounts.size > MAX_CACHED_ACCOUNTS)
      this.#accounts.delete(this.#accounts.keys().next().value as number);
    return account;
  }

  /** Returns the notice for a row of the webhook index; null for an extra webhook, which belongs to no statement. */
  notice(row: number, index = this.webhooks): WebhookNotice | null {
    const ordinal = index.ordinal(row);
    if (ordinal >= FIRST_EXTRA_WEBHOOK_ORDINAL) return null;
    return this.account(index.subscription(row)).notices[ordinal] as WebhookNotice;
  }

  extra(row: number, index = this.webhooks): { n: number; at: number; event: ExtraWebhookEvent } {
    const n = index.ordinal(row) - FIRST_EXTRA_WEBHOOK_ORDINAL;
    const event = pickExtraWebhookEvent(this.parameters.seed, index.subscription(row), n);
    return { n, at: index.at(row), event };
  }

  event(row: number, index = this.webhooks): string {
    return this.notice(row, index)?.event ?? this.extra(row, index).event;
  }

  statement(row: number): Statement {
    const account = this.account(this.statements.subscription(row));
    return account.ledger.statements[this.statements.ordinal(row)] as Statement;
  }

  /** Returns the index row of the n-th statement of a subscription. */
  statementRow(subscription: number, n: number): number {
    const first = this.#firstStatement[subscription] as number;
    const next = this.#firstStatement[subscription + 1] as number;
    if (first + n < next) return this.#statementRows[first + n] as number;
    return this.#laterStatements.get(subscription * 65_536 + n) as number;
  }

  statementId(subscription: number, n: number): number {
    return this.ids.statement.id(this.statementRow(subscription, n));
  }

  /** Applies an operation and appends the new webhooks and statements to the indexes. */
  apply(operation: SiteOperation): Allocation[] {
    if (operation.op === 'advance') this.#advance(operation);
    if (operation.op === 'arrive') this.#arrive(operation.at, operation.count);
    if (operation.op !== 'allocate') return [];
    const { subscription, at, changes, schemes, declined } = operation;
    const account = this.account(subscription);
    const own = this.#operationsBySubscription.get(subscription) ?? [];
    this.#operationsBySubscription.set(subscription, own);
    own.push({ operation, order: this.#order++ });
    const allocations = account.allocate(at, changes, schemes, declined);
    this.#indexNewRows([subscription]);
    return allocations;
  }

  #advance(operation: SiteOperation & { op: 'advance' }): void {
    this.#advances.push({ operation, order: this.#order++ });
    const touched: number[] = [];
    for (let subscription = 0; subscription < this.parameters.subscriptions; subscription++) {
      if ((this.#due[subscription] as number) > operation.to - WEBHOOK_NOTICE_MARGIN_SECONDS) continue;
      this.#accounts.get(subscription)?.run(operation.to - WEBHOOK_NOTICE_MARGIN_SECONDS, operation.from);
      touched.push(subscription);
    }
    this.#indexNewRows(touched);
  }

  /** Adds webhooks that arrive while the sandbox is running. */
  #arrive(at: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const serial = this.#arrivals++;
      const subscription =
        hashNumbers(this.parameters.seed, serial, randomTopics.extra) % this.parameters.subscriptions;
      const tickAt = at - (at % this.parameters.tick);
      this.#chooseLog(this.webhooks, at).push(tickAt, subscription, FIRST_NEW_WEBHOOK_ORDINAL + serial);
    }
  }

  #createAccount(subscription: number): SubscriptionAccount {
    const account = createBaseSubscriptionAccount(this.parameters, subscription);
    const own = this.#operationsBySubscription.get(subscription);
    const all = own ? [...own, ...this.#advances].sort((a, b) => a.order - b.order) : this.#advances;
    for (const { operation } of all) {
      if (operation.op === 'advance')
        account.run(operation.to - WEBHOOK_NOTICE_MARGIN_SECONDS, operation.from);
      else if (operation.op === 'allocate') {
        account.allocate(operation.at, operation.changes, operation.schemes, operation.declined);
      }
    }
    return account;
  }

  /** Appends the new webhooks and statements of the given subscriptions to the time indexes. */
  #indexNewRows(subscriptions: readonly number[]): void {
    const notices = new TimeIndex();
    const statements = new TimeIndex();
    for (const subscription of subscriptions) {
      this.#collectNewRows(this.account(subscription), notices, statements);
    }
    const newNotices = notices.sorted().rows;
    for (let i = 0; i < newNotices.length; i++)
      this.webhooks.push(newNotices.at(i), newNotices.subscription(i), newNotices.ordinal(i));
    const newStatements = statements.sorted().rows;
    for (let i = 0; i < newStatements.length; i++) {
      const [subscription, n] = [newStatements.subscription(i), newStatements.ordinal(i)];
      this.#laterStatements.set(subscription * 65_536 + n, this.statements.length);
      this.statements.push(newStatements.at(i), subscription, n);
    }
  }

  #collectNewRows(account: SubscriptionAccount, notices: TimeIndex, statements: TimeIndex): void {
    const subscription = account.subscriber.index;
    const { tick, plantedErrors } = this.parameters;
    const plant = plantedErrors.get(subscription);
    for (let n = this.#noticeCounts[subscription] as number; n < account.notices.length; n++) {
      const notice = account.notices[n] as WebhookNotice;
      const entries = plant ? logEntryCount(plant, notice) : 1;
      for (let i = 0; i < entries; i++)
        this.#chooseLog(notices, notice.at).push(notice.at - (notice.at % tick), subscription, n);
    }
    const all = account.ledger.statements;
    for (let n = this.#statementCounts[subscription] as number; n < all.length; n++)
      statements.push((all[n] as Statement).openedAt, subscription, n);
    this.#noticeCounts[subscription] = account.notices.length;
    this.#statementCounts[subscription] = all.length;
    this.#due[subscription] = account.due;
  }

  /** Returns the index for a webhook of this time: `log`, or the ungenerated ones while the endpoint is disabled. */
  #chooseLog(log: TimeIndex, at: number): TimeIndex {
    const { disabled } = this.parameters;
    return disabled !== null && at >= disabled.from && at < disabled.to ? this.ungenerated : log;
  }

  /** Returns true if a planted error prevents a webhook from being sent. */
  isUnsent(row: number): boolean {
    const plant = this.parameters.plantedErrors.get(this.webhooks.subscription(row));
    const notice = plant?.kind === 'unsent_webhook' ? this.notice(row) : null;
    return notice?.event === 'payment_success' && notice.statement.index === plant?.statement;
  }

  /** Returns the index rows of the statements that planted errors hide. */
  listHiddenStatementRows(): number[] {
    return [...this.parameters.plantedErrors.values()]
      .filter(({ kind }) => kind === 'missing_statement')
      .map(({ subscription, statement }) => this.statementRow(subscription, statement));
  }

  #index(target: number | undefined): void {
    const count = this.parameters.subscriptions;
    const webhooks = new TimeIndex(count * 16);
    const statements = new TimeIndex(count * 8);
    const optional = new Map(REMOVABLE_EVENTS.map((event) => [event, [] as number[]]));
    this.#firstStatement = new Uint32Array(count + 1);
    for (let subscription = 0; subscription < count; subscription++) {
      const account = this.#createAccount(subscription);
      const from = webhooks.length;
      this.#firstStatement[subscription] = statements.length;
      this.#collectNewRows(account, webhooks, statements);
      this.#lifetimes.from[subscription] = account.subscriber.signup;
      this.#lifetimes.to[subscription] =
        account.state === 'canceled' ? (account.notices.at(-1)?.at ?? 0) : this.parameters.now;
      if (target === undefined) continue;
      for (let row = from; row < webhooks.length; row++) {
        const notice = account.notices[webhooks.ordinal(row)] as WebhookNotice;
        optional.get(notice.event)?.push(row);
      }
    }
    this.#firstStatement[count] = statements.length;
    const sorted = statements.sorted();
    this.statements = sorted.rows;
    this.#statementRows = sorted.newRows;
    this.webhooks = this.#resizeLog(webhooks, optional, target ?? webhooks.length);
  }

  /**
   * Resizes the log to the requested length. A shorter log first omits event types, as if the merchant had not subscribed
   * to them, and then the oldest webhooks. A longer log contains extra webhooks.
   */
  #resizeLog(rows: TimeIndex, optional: ReadonlyMap<string, readonly number[]>, target: number): TimeIndex {
    const leaving = new Uint8Array(rows.length);
    let left = rows.length;
    for (const dispensed of optional.values()) {
      if (left <= target) break;
      for (const row of dispensed) leaving[row] = 1;
      left -= dispensed.length;
    }
    const count = this.parameters.subscriptions;
    const missing = target - left;
    for (let subscription = 0; subscription < count && missing > 0; subscription++) {
      const extras = Math.floor(missing / count) + (subscription < missing % count ? 1 : 0);
      for (let n = 0; n < extras; n++) {
        const at = this.#findExtraTime(subscription, n);
        this.#chooseLog(rows, at).push(at, subscription, FIRST_EXTRA_WEBHOOK_ORDINAL + n);
      }
    }
    const remaining = rows.sorted((row) => leaving[row] !== 1).rows;
    if (remaining.length <= target) return remaining;
    const newest = new TimeIndex(Math.max(target, 16));
    for (let row = remaining.length - target; row < remaining.length; row++)
      newest.push(remaining.at(row), remaining.subscription(row), remaining.ordinal(row));
    return newest;
  }

  #findExtraTime(subscription: number, n: number): number {
    const from = this.#lifetimes.from[subscription] as number;
    const to = this.#lifetimes.to[subscription] as number;
    const at = computeExtraWebhookTime(this.parameters.seed, subscription, n, { from, to });
    return at - (at % this.parameters.tick);
  }
}

interface AppliedOperation {
  readonly operation: SiteOperation;
  readonly order: number;
}

/** Returns the number of log entries for a notice: one, unless a planted error changes it. */
function logEntryCount(plant: PlantedErrorPosition, { event, statement }: WebhookNotice): number {
  if (event !== 'payment_success' || statement.index !== plant.statement) return 1;
  return plant.kind === 'lost_webhook' ? 0 : plant.kind === 'duplicate_webhook' ? 2 : 1;
}
