import type { CatalogProduct } from './catalog.ts';
import type { PlantedErrorPosition } from './planted-error-kinds.ts';
import { SECONDS_PER_DAY } from './time-zone.ts';

export type TransactionType = 'charge' | 'credit' | 'adjustment' | 'payment' | 'refund';

/** Subject of a transaction. The text of the memo is only composed when a row is displayed. */
export type TransactionSubject =
  | ('product' | 'component' | 'prorated' | 'coupon' | 'tax' | 'one_time' | 'refund')
  | ('signup' | 'renewal' | 'retry' | 'capture');

export interface Transaction {
  readonly statement: Statement;
  /** Index of the transaction within its statement. */
  readonly n: number;
  readonly at: number;
  readonly type: TransactionType;
  readonly kind: string | null;
  readonly subject: TransactionSubject;
  /** Amount in cents with the service's sign. Credits are negative, adjustments have either sign. */
  readonly amount: number;
  readonly starting: number;
  readonly ending: number;
  readonly success: boolean;
  /** Index of the component in the catalog, or -1 if there is none. */
  readonly component: number;
  readonly quantity: number;
  readonly previous: number;
  readonly from: number;
  readonly to: number;
  /** For a charge, the payment that paid it. For a refund, the payment that it refunds. */
  payment: Transaction | null;
  /** Refund of this payment; null if there is none. */
  refund: Transaction | null;
  /** Original payment if this one is a duplicate planted as an error; null for all other transactions. */
  original: Transaction | null;
}

type NewTransaction = Omit<
  Transaction,
  'statement' | 'n' | 'starting' | 'ending' | 'payment' | 'refund' | 'original'
>;

export interface StatementEvent {
  readonly statement: Statement;
  readonly n: number;
  readonly at: number;
  readonly key: string;
  readonly transaction: Transaction | null;
  readonly allocation: Allocation | null;
  readonly states: readonly [before: SubscriptionState, after: SubscriptionState] | null;
}

export interface Statement {
  readonly index: number;
  readonly openedAt: number;
  /** Closing time of the statement in seconds UTC; 0 while it is open. */
  closedAt: number;
  /** Settlement time of the statement in seconds UTC; 0 while it is unpaid. */
  settledAt: number;
  readonly starting: number;
  ending: number;
  readonly transactions: Transaction[];
  readonly events: StatementEvent[];
  readonly futurePayments: Transaction[];
}

export interface Allocation {
  readonly component: number;
  readonly quantity: number;
  readonly previous: number;
  readonly memo: string | null;
  readonly at: number;
  /** Proration schemes of the allocation; null if it was not made within a period. */
  readonly schemes: { readonly upgrade: string; readonly downgrade: string } | null;
  /** Payment that the quantity change caused, if the proration scheme requires one. */
  payment: Transaction | null;
}

export type SubscriptionState = 'active' | 'past_due' | 'canceled';

/** The subscription as shown in a webhook, at the time of the webhook. */
export interface SubscriptionSnapshot {
  readonly state: SubscriptionState;
  readonly previousState: SubscriptionState;
  readonly balance: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly revenue: number;
  readonly product: CatalogProduct;
}

/** An event about which the service notifies the merchant. */
export interface WebhookNotice {
  readonly at: number;
  readonly event: string;
  readonly snapshot: SubscriptionSnapshot;
  readonly statement: Statement;
  readonly entry: StatementEvent | null;
  readonly transaction: Transaction | null;
  readonly allocation: Allocation | null;
}

/** The statements of a subscription and its running balance. */
export class SubscriptionLedger {
  readonly statements: Statement[] = [];
  balance = 0;
  /** Amount due on closed statements, in cents. */
  due = 0;
  revenue = 0;
  #unpaid: Transaction[] = [];
  #newlySettled: Statement[] = [];
  readonly #plant: PlantedErrorPosition | null;

  constructor(plant: PlantedErrorPosition | null = null) {
    this.#plant = plant;
  }

  get current(): Statement {
    return this.statements.at(-1) as Statement;
  }

  open(at: number): void {
    const index = this.statements.length;
    if (this.#plant?.statement === index && this.#plant.kind === 'continuity')
      this.balance -= this.#plant.cents;
    this.statements.push({
      index,
      openedAt: at + (this.#plant?.statement === index ? getOpeningShiftSeconds(this.#plant) : 0),
      closedAt: 0,
      settledAt: 0,
      starting: this.balance,
      ending: this.balance,
      transactions: [],
      events: [],
      futurePayments: [],
    });
  }

  /** Closes the open statement. If nothing is due, the statement is settled immediately. */
  close(at: number): void {
    this.current.closedAt = at;
    const unpaid = this.#hasPlantedError('settled_unpaid');
    this.due = unpaid ? 0 : Math.max(this.balance, 0);
    if (this.due === 0) this.#settle(at);
  }

  /** Returns the statements that were settled since the last call. */
  takeSettled(): Statement[] {
    const settled = this.#newlySettled;
    this.#newlySettled = [];
    return settled;
  }

  post(entry: NewTransaction): Transaction {
    const statement = this.current;
    const starting = this.balance;
    this.balance += findEffect(entry);
    const isMisstated = this.#hasPlantedError('running_balance') && statement.transactions.length === 0;
    const misstatedCents = isMisstated ? this.#cents : 0;
    const transaction: Transaction = {
      ...entry,
      ...this.#applyPlantedError(entry),
      statement,
      n: statement.transactions.length,
      starting,
      ending: this.balance + misstatedCents,
      payment: null,
      refund: null,
      original: null,
    };
    statement.ending = this.balance;
    statement.transactions.push(transaction);
    if (transaction.type === 'charge' || transaction.type === 'adjustment') this.#unpaid.push(transaction);
    if (transaction.type === 'credit') this.#lowerDue(transaction.at);
    return transaction;
  }

  /** Records which charges a successful payment paid. Settles the closed statements that it pays in full. */
  applyPayment(payment: Transaction, covers: 'everything' | 'due' | readonly Transaction[]): void {
    this.revenue += payment.amount;
    const covered = (charge: Transaction): boolean =>
      covers === 'everything' || (covers === 'due' ? charge.statement.closedAt > 0 : covers.includes(charge));
    for (const charge of this.#unpaid) if (covered(charge)) charge.payment = payment;
    this.#unpaid = this.#unpaid.filter((charge) => charge.payment === null);
    const unsettled = this.statements.filter(({ closedAt, settledAt }) => closedAt > 0 && settledAt === 0);
    if (typeof covers === 'string') for (const { futurePayments } of unsettled) futurePayments.push(payment);
    if (covers === 'due') this.due -= payment.amount;
    this.#lowerDue(payment.at);
  }

  #hasPlantedError(kind: PlantedErrorPosition['kind']): boolean {
    return this.#plant?.kind === kind && this.#plant.statement === this.current.index;
  }

  get #cents(): number {
    return this.#plant?.cents ?? 0;
  }

  /** Returns the changes that a planted error makes to a transaction, apart from its balances. */
  #applyPlantedError({ subject, amount }: Pick<Transaction, 'subject' | 'amount'>): Partial<Transaction> {
    if (subject === 'product' && this.#hasPlantedError('arithmetic')) return { amount: amount + this.#cents };
    return subject === 'renewal' && this.#hasPlantedError('failed_counts') ? { success: false } : {};
  }

  #lowerDue(at: number): void {
    this.due = Math.min(this.due, Math.max(this.balance, 0));
    if (this.due === 0) this.#settle(at);
  }

  #settle(at: number): void {
    for (let i = this.statements.length - 1; i >= 0; i--) {
      const statement = this.statements[i] as Statement;
      if (statement.closedAt === 0) continue;
      if (statement.settledAt > 0) break;
      statement.settledAt = at;
      this.#newlySettled.unshift(statement);
    }
  }
}

/** Returns the number of seconds by which a planted error moves the opening of a statement. */
const getOpeningShiftSeconds = ({ kind }: PlantedErrorPosition): number =>
  kind === 'gap' ? 2 * SECONDS_PER_DAY : kind === 'overlap' ? -SECONDS_PER_DAY : 0;

/** Returns the effect of a transaction on the balance in cents. */
function findEffect({ type, amount, success }: NewTransaction): number {
  if (!success || type === 'refund') return 0;
  return type === 'payment' ? -amount : amount;
}
