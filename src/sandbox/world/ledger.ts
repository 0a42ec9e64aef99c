import type { Product } from './catalog.ts';

export type TransactionType = 'charge' | 'credit' | 'adjustment' | 'payment' | 'refund';

/** What a memo is about; the words are put together only when a row is shown. */
export type Subject =
  | 'product'
  | 'component'
  | 'prorated'
  | 'coupon'
  | 'tax'
  | 'signup'
  | 'renewal'
  | 'retry'
  | 'capture'
  | 'one_time'
  | 'refund';

export interface Transaction {
  readonly statement: Statement;
  /** Its place in the statement. */
  readonly n: number;
  readonly at: number;
  readonly type: TransactionType;
  readonly kind: string | null;
  readonly subject: Subject;
  /** Cents as the service writes them: a credit is negative, an adjustment either, the others positive. */
  readonly amount: number;
  readonly starting: number;
  readonly ending: number;
  readonly success: boolean;
  /** Place of the component in the catalog, or -1. */
  readonly component: number;
  readonly quantity: number;
  readonly previous: number;
  readonly from: number;
  readonly to: number;
  /** The payment that paid this charge, or that this refund gives back. */
  payment: Transaction | null;
  /** The refund of this payment, where there is one. */
  refund: Transaction | null;
}

export interface StatementEvent {
  readonly statement: Statement;
  readonly n: number;
  readonly at: number;
  readonly key: string;
  readonly transaction: Transaction | null;
  readonly allocation: Allocation | null;
  readonly states: readonly [before: State, after: State] | null;
}

export interface Statement {
  readonly index: number;
  readonly openedAt: number;
  /** 0 while open. */
  closedAt: number;
  /** 0 while unpaid. */
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
  /** Null where the allocation was not made within a period. */
  readonly schemes: { readonly upgrade: string; readonly downgrade: string } | null;
  /** The payment the change led to, where its scheme asks for one. */
  payment: Transaction | null;
}

export type State = 'active' | 'past_due' | 'canceled';

/** The subscription as a webhook tells of it, at the moment of the webhook. */
export interface Snapshot {
  readonly state: State;
  readonly previousState: State;
  readonly balance: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly revenue: number;
  readonly product: Product;
}

/** A thing the service tells the merchant of. */
export interface Notice {
  readonly at: number;
  readonly event: string;
  readonly snapshot: Snapshot;
  readonly statement: Statement;
  readonly entry: StatementEvent | null;
  readonly transaction: Transaction | null;
  readonly allocation: Allocation | null;
}

/** The running balance of a subscription and the statements it is written down in. */
export class Ledger {
  readonly statements: Statement[] = [];
  balance = 0;
  /** What closed statements still wait for. */
  due = 0;
  revenue = 0;
  #unpaid: Transaction[] = [];
  #newlySettled: Statement[] = [];

  get current(): Statement {
    return this.statements.at(-1) as Statement;
  }

  open(at: number): void {
    this.statements.push({
      index: this.statements.length,
      openedAt: at,
      closedAt: 0,
      settledAt: 0,
      starting: this.balance,
      ending: this.balance,
      transactions: [],
      events: [],
      futurePayments: [],
    });
  }

  /** Closes the open statement; one with nothing to pay is settled at once. */
  close(at: number): void {
    this.current.closedAt = at;
    this.due = Math.max(this.balance, 0);
    if (this.due === 0) this.#settle(at);
  }

  /** The statements settled since this was last asked. */
  takeSettled(): Statement[] {
    const settled = this.#newlySettled;
    this.#newlySettled = [];
    return settled;
  }

  post(
    entry: Omit<Transaction, 'statement' | 'n' | 'starting' | 'ending' | 'payment' | 'refund'>,
  ): Transaction {
    const statement = this.current;
    const transaction: Transaction = {
      ...entry,
      statement,
      n: statement.transactions.length,
      starting: this.balance,
      ending: this.balance + effect(entry.type, entry.amount, entry.success),
      payment: null,
      refund: null,
    };
    this.balance = transaction.ending;
    statement.ending = this.balance;
    statement.transactions.push(transaction);
    if (transaction.type === 'charge' || transaction.type === 'adjustment') this.#unpaid.push(transaction);
    if (transaction.type === 'credit') this.#lowerDue(transaction.at);
    return transaction;
  }

  /** Notes which charges a successful payment paid, and settles the closed statements it pays off. */
  paid(payment: Transaction, covers: 'everything' | 'due' | readonly Transaction[]): void {
    this.revenue += payment.amount;
    const covered = (charge: Transaction): boolean =>
      covers === 'everything' || (covers === 'due' ? charge.statement.closedAt > 0 : covers.includes(charge));
    for (const charge of this.#unpaid) if (covered(charge)) charge.payment = payment;
    this.#unpaid = this.#unpaid.filter((charge) => charge.payment === null);
    if (typeof covers === 'string') {
      for (const statement of this.statements) {
        if (statement.closedAt > 0 && statement.settledAt === 0) statement.futurePayments.push(payment);
      }
    }
    if (covers === 'due') this.due -= payment.amount;
    this.#lowerDue(payment.at);
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

/** What a transaction does to the balance. */
function effect(type: TransactionType, amount: number, success: boolean): number {
  if (!success || type === 'refund') return 0;
  return type === 'payment' ? -amount : amount;
}
