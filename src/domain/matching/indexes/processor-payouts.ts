import { toCalendarDate } from '../../ledger/index.ts';
import type { MatchAccount, MatchPayout, MatchShare, PayoutBridge } from '../model/match-types.ts';
import { type BankLineTable, getLineKind, toLineKindIndex } from './bank-lines.ts';
import type { TextNumbering } from './columns.ts';
import { ID_FIELD_POSITION, type IdEvidence, IdMentions } from './id-evidence.ts';
import { type DayNumberCache, PAYOUT_ID, type PaymentTable } from './payments.ts';
import { hashCode } from './text-runs.ts';

const PAYOUT_LINE_KIND = toLineKindIndex('payout');
/** Kinds of lines that their payout explains. Lines of other kinds belong to payments. */
const PAYOUT_EXPLAINED_KINDS = new Set(['fee', 'reserve', 'fx', 'adjustment', 'transfer', 'interest']);

/** A processor's payout with its lines and its row among the payments. */
interface ProcessorPayout {
  readonly account: number;
  readonly currency: number;
  readonly payout_id: string;
  readonly lineRows: number[];
  paymentRow: number;
  day: number;
  netCents: number;
  readonly statedCents: number | null;
  readonly depositedCents: number;
}

interface PayoutSources {
  readonly lines: BankLineTable;
  readonly payments: PaymentTable;
  /** Payouts named by lines. The key consists of account index, currency index and payout id, separated by spaces. */
  readonly payoutNumbering: TextNumbering;
  readonly currencies: TextNumbering;
  readonly accounts: readonly MatchAccount[];
  readonly reportedPayouts: Iterable<MatchPayout>;
  readonly days: DayNumberCache;
}

/** Payouts from payout reports. A payout's deposit is searched for by payout id, then by amount like a payment. */
export class ProcessorPayouts {
  readonly all: ProcessorPayout[];
  readonly #indexOfPayment = new Map<number, number>();

  constructor(sources: PayoutSources) {
    const { lines, payments } = sources;
    this.all = collectPayouts(sources);
    for (let row = 0; row < lines.length; row++) {
      const payout = this.all[lines.payoutIndex.at(row)];
      if (payout === undefined) continue;
      payout.lineRows.push(row);
      if (lines.kind.at(row) !== PAYOUT_LINE_KIND)
        payout.netCents += lines.amountCents.at(row) - lines.feeCents.at(row);
    }
    for (const [index, payout] of this.all.entries()) this.#addPaymentRow(payout, index, lines, payments);
  }

  /** Adds a payout to the payments, so that its deposit is matched like a payment. */
  #addPaymentRow(payout: ProcessorPayout, index: number, lines: BankLineTable, payments: PaymentTable): void {
    const { lineRows, netCents, payout_id: id, currency } = payout;
    if (payout.day === Number.NEGATIVE_INFINITY)
      payout.day = lineRows.reduce((latest, row) => Math.max(latest, lines.day.at(row)), payout.day);
    if (netCents === 0) return;
    const isClaimed = lineRows.some(
      (row) => lines.kind.at(row) === PAYOUT_LINE_KIND && lines.openCents.at(row) === 0,
    );
    const openCents = isClaimed ? 0 : netCents - payout.depositedCents;
    const amounts = { amountCents: netCents, openCents };
    payout.paymentRow = payments.addPayout(id, { day: payout.day, currency, ...amounts });
    this.#indexOfPayment.set(payout.paymentRow, index);
  }

  /** Returns the bank lines whose text contains a payout's id. */
  findIdMentions({ payoutCodeLine, payoutCodes }: IdEvidence): IdMentions {
    const mentions = new IdMentions();
    const payouts = this.all.filter(({ paymentRow }) => paymentRow !== -1);
    const payoutsByCode = Map.groupBy(payouts, ({ payout_id }) => hashCode(payout_id));
    for (let at = 0; at < payoutCodes.length; at++)
      for (const { paymentRow } of payoutsByCode.get(payoutCodes.at(at)) ?? [])
        mentions.add(payoutCodeLine.at(at), paymentRow, {
          kind: PAYOUT_ID,
          position: ID_FIELD_POSITION,
          value: -1,
        });
    return mentions;
  }

  /** Returns the index of the payout at a payment row; -1 if the row is not a payout. */
  indexOfPayment(paymentRow: number): number {
    return this.#indexOfPayment.get(paymentRow) ?? -1;
  }

  /** Returns the report's payout lines if they add up to the net amount, and lines that only the payout explains. */
  findPayoutLines(
    index: number,
    lines: BankLineTable,
  ): { payoutLines: readonly number[]; explainedLines: readonly number[] } {
    const { lineRows, netCents } = this.all[index] as ProcessorPayout;
    const payoutLines = lineRows.filter((row) => lines.kind.at(row) === PAYOUT_LINE_KIND);
    const addsUp = payoutLines.reduce((sum, row) => sum + lines.openCents.at(row), 0) === -netCents;
    return {
      payoutLines: addsUp ? payoutLines : [],
      explainedLines: lineRows.filter(
        (row) => PAYOUT_EXPLAINED_KINDS.has(getLineKind(lines.kind.at(row))) && lines.openCents.at(row) !== 0,
      ),
    };
  }

  /** Returns true if neither the report nor the payout lines state another amount than the payout's lines add up to. */
  balances(index: number, lines: BankLineTable): boolean {
    const { lineRows, netCents, statedCents } = this.all[index] as ProcessorPayout;
    const payoutLines = lineRows.filter((row) => lines.kind.at(row) === PAYOUT_LINE_KIND);
    const paidOut = payoutLines.reduce((sum, row) => sum - lines.amountCents.at(row), 0);
    return (payoutLines.length === 0 || paidOut === netCents) && (statedCents ?? netCents) === netCents;
  }

  /** Builds the gross-to-net bridge of a payout. `deposit` is its confirmed bank deposit. */
  buildBridge(
    index: number,
    lines: BankLineTable,
    { accountId, currency, deposit }: { accountId: number; currency: string; deposit: MatchShare | null },
  ): PayoutBridge {
    const { lineRows, netCents, statedCents, day, payout_id } = this.all[index] as ProcessorPayout;
    const parts = new Map<string, { count: number; amount_in_cents: number }>();
    const addPart = (category: string, amount: number): void => {
      const part = parts.get(category) ?? { count: 0, amount_in_cents: 0 };
      parts.set(category, { count: part.count + 1, amount_in_cents: part.amount_in_cents + amount });
    };
    let lineCount = 0;
    for (const row of lineRows) {
      if (lines.kind.at(row) === PAYOUT_LINE_KIND) continue;
      lineCount++;
      addPart(toBridgeCategory(getLineKind(lines.kind.at(row))), lines.amountCents.at(row));
      if (lines.feeCents.at(row) !== 0) addPart('fee', -lines.feeCents.at(row));
    }
    const depositedCents = deposit?.allocated_in_cents ?? statedCents;
    return {
      account: accountId,
      payout_id,
      currency,
      paid_on: toCalendarDate(day),
      lines: lineCount,
      parts: [...parts]
        .map(([category, part]) => ({ category, ...part }))
        .sort((a, b) => (a.category < b.category ? -1 : 1)),
      net_in_cents: netCents,
      stated_in_cents: statedCents,
      deposit,
      unexplained_in_cents: depositedCents === null ? 0 : depositedCents - netCents,
    };
  }
}

/** Returns the payouts that lines name, with the information that the report states about them. */
function collectPayouts({ payoutNumbering, currencies, accounts, reportedPayouts, days }: PayoutSources) {
  const reported = new Map<string, MatchPayout>();
  const buildKey = (accountId: number | undefined, currency: string, id: string): string =>
    `${accountId} ${currency.toUpperCase()} ${id}`;
  for (const payout of reportedPayouts)
    reported.set(buildKey(payout.account, payout.currency ?? '', payout.payout_id), payout);
  return payoutNumbering.texts.map((text) => {
    const [account, currency, ...id] = text.split(' ');
    const payout_id = id.join(' ');
    const accountId = accounts[Number(account)]?.id;
    const stated =
      reported.get(buildKey(accountId, currencies.getText(Number(currency)), payout_id)) ??
      reported.get(buildKey(accountId, '', payout_id));
    const paidOn = stated?.paid_on ?? null;
    return {
      account: Number(account),
      currency: Number(currency),
      payout_id,
      lineRows: [],
      paymentRow: -1,
      day: paidOn === null ? Number.NEGATIVE_INFINITY : days.toDayNumber(paidOn),
      netCents: 0,
      statedCents: stated?.stated_in_cents ?? null,
      depositedCents: stated?.deposited_in_cents ?? 0,
    };
  });
}

const toBridgeCategory = (kind: string): string => (kind === 'entry' ? 'payment' : kind);
