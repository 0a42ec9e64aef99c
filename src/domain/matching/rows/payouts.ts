import type { CalendarDate } from '../../ledger/index.ts';
import { dateOfDay } from '../../ledger/index.ts';
import type { MatchAccount, MatchPayout, PayoutBridge, Share } from '../model.ts';
import type { Names } from './column.ts';
import { type Evidence, FIELD, Mentions } from './evidence.ts';
import { kindName, kindNumber, type Lines } from './lines.ts';
import { type Days, PAYOUT, type Payments } from './payments.ts';
import { codeHash } from './text.ts';

const PAYOUT_LINE = kindNumber('payout');
/** Kinds of lines that are explained by the payout they are in. The others are of payments. */
const INNER = new Set(['fee', 'reserve', 'fx', 'adjustment', 'transfer', 'interest']);

/** A batch of a processor: its lines, and its place among the payments. */
interface Batch {
  readonly account: number;
  readonly currency: number;
  readonly payout_id: string;
  readonly rows: number[];
  payment: number;
  day: number;
  net: number;
  stated: number | null;
  deposited: number;
}

/** Batches of payout reports: each is to be found at the bank by its id, else as a payment is by its amount. */
export class Batches {
  readonly all: Batch[] = [];
  readonly #ofPayment = new Map<number, number>();

  constructor(given: {
    lines: Lines;
    payments: Payments;
    names: Names;
    currencies: Names;
    accounts: readonly MatchAccount[];
    told: Iterable<MatchPayout>;
    days: Days;
  }) {
    const { lines, payments, names, currencies, accounts, told, days } = given;
    const said = new Map<string, MatchPayout>();
    const keyOf = (account: number | undefined, currency: string, id: string): string =>
      `${account} ${currency.toUpperCase()} ${id}`;
    for (const payout of told)
      said.set(keyOf(payout.account, payout.currency ?? '', payout.payout_id), payout);
    for (const name of names.texts) {
      const [account, currency, ...id] = name.split(' ');
      const payout_id = id.join(' ');
      const own = accounts[Number(account)]?.id;
      const known =
        said.get(keyOf(own, currencies.text(Number(currency)), payout_id)) ??
        said.get(keyOf(own, '', payout_id));
      this.all.push({
        account: Number(account),
        currency: Number(currency),
        payout_id,
        rows: [],
        payment: -1,
        day: known?.paid_on != null ? days.of(known.paid_on) : Number.NEGATIVE_INFINITY,
        net: 0,
        stated: known?.stated_in_cents ?? null,
        deposited: known?.deposited_in_cents ?? 0,
      });
    }
    for (let row = 0; row < lines.length; row++) {
      const batch = this.all[lines.payout.at(row)];
      if (batch === undefined) continue;
      batch.rows.push(row);
      if (lines.kind.at(row) !== PAYOUT_LINE) batch.net += lines.amount.at(row) - lines.fee.at(row);
    }
    for (const [at, batch] of this.all.entries()) {
      const last = (sum: number, row: number): number => Math.max(sum, lines.day.at(row));
      if (batch.day === Number.NEGATIVE_INFINITY) batch.day = batch.rows.reduce(last, batch.day);
      if (batch.net === 0) continue;
      const claimed = batch.rows.some(
        (row) => lines.kind.at(row) === PAYOUT_LINE && lines.open.at(row) === 0,
      );
      const open = claimed ? 0 : batch.net - batch.deposited;
      batch.payment = payments.addPayout(batch.payout_id, batch.day, batch.currency, batch.net, open);
      this.#ofPayment.set(batch.payment, at);
    }
  }

  /** Lines at banks that say a batch’s id. */
  mentions({ codeLine, codes }: Evidence): Mentions {
    const mentions = new Mentions();
    const batches = new Map<number, number[]>();
    for (const { payment, payout_id } of this.all) {
      if (payment === -1) continue;
      const code = codeHash(payout_id);
      const same = batches.get(code);
      if (same === undefined) batches.set(code, [payment]);
      else same.push(payment);
    }
    for (let at = 0; at < codes.length; at++) {
      for (const payment of batches.get(codes.at(at)) ?? [])
        mentions.add(codeLine.at(at), payment, PAYOUT, FIELD);
    }
    return mentions;
  }

  of(payment: number): number {
    return this.#ofPayment.get(payment) ?? -1;
  }

  /** The report’s own line of the payout, and the lines that only the payout explains. */
  inner(batch: number, lines: Lines): { paid: readonly number[]; others: readonly number[] } {
    const { rows, net } = this.all[batch] as Batch;
    const paid = rows.filter((row) => lines.kind.at(row) === PAYOUT_LINE);
    const whole = paid.reduce((sum, row) => sum + lines.open.at(row), 0) === -net;
    return {
      paid: whole ? paid : [],
      others: rows.filter((row) => INNER.has(kindName(lines.kind.at(row))) && lines.open.at(row) !== 0),
    };
  }

  bridge(
    at: number,
    lines: Lines,
    accounts: readonly MatchAccount[],
    currency: string,
    deposit: Share | null,
  ): PayoutBridge {
    const batch = this.all[at] as Batch;
    const parts = new Map<string, { count: number; amount_in_cents: number }>();
    const add = (category: string, amount: number): void => {
      const part = parts.get(category) ?? { count: 0, amount_in_cents: 0 };
      parts.set(category, { count: part.count + 1, amount_in_cents: part.amount_in_cents + amount });
    };
    let count = 0;
    for (const row of batch.rows) {
      if (lines.kind.at(row) === PAYOUT_LINE) continue;
      count++;
      add(categoryOf(kindName(lines.kind.at(row))), lines.amount.at(row));
      if (lines.fee.at(row) !== 0) add('fee', -lines.fee.at(row));
    }
    const known = deposit?.allocated_in_cents ?? batch.stated;
    const paid_on: CalendarDate = dateOfDay(batch.day);
    return {
      account: accounts[batch.account]?.id ?? -1,
      payout_id: batch.payout_id,
      currency,
      paid_on,
      lines: count,
      parts: [...parts]
        .map(([category, part]) => ({ category, ...part }))
        .sort((a, b) => (a.category < b.category ? -1 : 1)),
      net_in_cents: batch.net,
      stated_in_cents: batch.stated,
      deposit,
      unexplained_in_cents: known === null ? 0 : known - batch.net,
    };
  }
}

const categoryOf = (kind: string): string => (kind === 'entry' ? 'payment' : kind);
