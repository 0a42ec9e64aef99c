import type { IntColumn } from '../indexes/columns.ts';
import { idKinds, SUBSCRIPTION_ID } from '../indexes/payments.ts';
import { StateCounts } from '../indexes/rows-by-amount.ts';
import type { CertificateFact, ExcludedAlternatives, MatchCertificate } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import type { LagRangeDays } from '../state/arrival-windows.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED } from '../state/match-state.ts';
import { REVERSAL_LAG_DAYS } from './id-proof.ts';
import { PAYOUT_DAYS_BEFORE } from './payout-proof.ts';

const CONFIRMED = matchStatuses.indexOf('confirmed');

/** Writes the certificates of confirmed matches. Alternatives are compared with the final result. */
export class CertificateWriter {
  readonly #state: MatchState;
  readonly #payments: StateCounts;
  readonly #lines: StateCounts;

  constructor(state: MatchState) {
    this.#state = state;
    this.#payments = new StateCounts(state.paymentsByAmount, state.paymentState, ROW_EXPLAINED);
    this.#lines = new StateCounts(state.linesByAmount, state.lineState, ROW_EXPLAINED);
  }

  /** Returns the certificate of a match; null if it is not confirmed or if a person's rule made it. */
  write(match: number): MatchCertificate | null {
    const state = this.#state;
    if (state.status.at(match) !== CONFIRMED || matchPassIds[state.pass.at(match)] === 'user-rule')
      return null;
    const lines = listMembers(state.line, state.linesFrom, match);
    const payments = listMembers(state.payment, state.paymentsFrom, match);
    const line = lines[0] as number;
    const isPair = lines.length === 1 && payments.length === 1;
    const facts = this.#listFacts(match, lines, payments);
    return {
      facts,
      ...this.#getWindows(line, facts[0]),
      slip_rate: state.gate?.estimateSlipRate(line) ?? 0,
      payments: isPair ? this.#excludePayments(line, payments[0] as number, facts) : null,
      lines: isPair ? this.#excludeLines(line, payments[0] as number, facts) : null,
    };
  }

  #getWindows(line: number, fact: CertificateFact | undefined): Pick<MatchCertificate, 'window' | 'usual'> {
    const account = this.#state.lines.account.at(line);
    const [candidate, usual] = (['candidate', 'usual'] as const).map((kind) =>
      this.#state.arrivalWindows!.getRange(kind, account),
    ) as [LagRangeDays, LagRangeDays];
    if (fact?.fact === 'reversal')
      return { window: toDays(REVERSAL_LAG_DAYS), usual: toDays(REVERSAL_LAG_DAYS) };
    if (fact?.fact !== 'payout') return { window: toDays(candidate), usual: toDays(usual) };
    const window = toDays({ from: -PAYOUT_DAYS_BEFORE, to: candidate.to });
    return { window, usual: window };
  }

  #listFacts(match: number, lines: readonly number[], payments: readonly number[]): CertificateFact[] {
    const state = this.#state;
    const payout = state.payouts.all[state.payout.at(match)];
    if (payout !== undefined) return [{ fact: 'payout', value: payout.payout_id }];
    if (matchPassIds[state.pass.at(match)] === 'reversal') {
      const reversed = state.reversedPayment.at(match);
      const value = this.#getId(reversed, state.idKind.at(match));
      const fact: CertificateFact = { fact: 'reversal', value, payment: state.payments.id.at(reversed) };
      return state.gate?.namesCustomer(lines[0] as number, reversed) === true
        ? [fact, { fact: 'name' }]
        : [fact];
    }
    if (lines.length === 1 && payments.length === 1)
      return this.#listPairFacts(match, lines[0] as number, payments[0] as number);
    return lines.flatMap((line) =>
      payments.flatMap((payment) => {
        const idKind = state.gate?.findQuotedKind(line, payment) ?? -1;
        if (idKind === -1) return [];
        const members = { line: state.lines.id.at(line), payment: state.payments.id.at(payment) };
        const id = { fact: 'id' as const, value: this.#getId(payment, idKind), ...members };
        const isNamed = state.gate?.namesCustomer(line, payment) === true;
        return isNamed ? [id, { fact: 'name' as const, ...members }] : [id];
      }),
    );
  }

  #listPairFacts(match: number, line: number, payment: number): CertificateFact[] {
    const state = this.#state;
    const facts: CertificateFact[] = [];
    const idKind = state.idKind.at(match);
    if (idKind >= 0 && idKind < SUBSCRIPTION_ID)
      facts.push({ fact: 'id', value: this.#getId(payment, idKind) });
    if (state.gate?.namesCustomer(line, payment) === true) facts.push({ fact: 'name' });
    else if (matchPassIds[state.pass.at(match)] === 'payee')
      facts.push({ fact: 'subscription', value: String(state.payments.subscriptionId.at(payment)) });
    return facts.length > 0 ? facts : [{ fact: 'amount' }];
  }

  #getId(payment: number, idKind: number): string {
    const { payments } = this.#state;
    const name = idKinds[idKind];
    if (name === 'gateway') return payments.gatewayId.at(payment);
    if (name === 'statement') return String(payments.statementId.at(payment));
    return String(name === 'payment' ? payments.paymentId.at(payment) : payments.id.at(payment));
  }

  #excludePayments(line: number, payment: number, facts: readonly CertificateFact[]): ExcludedAlternatives {
    const { lines, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    const amount = [lines.amountCents.at(line), lines.currency.at(line)] as const;
    return countExcluded(this.#payments.countOthers(payment, amount, [day - to, day - from]), facts);
  }

  #excludeLines(line: number, payment: number, facts: readonly CertificateFact[]): ExcludedAlternatives {
    const { lines, payments, arrivalWindows } = this.#state;
    const { from, to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = payments.day.at(payment);
    const amount = [lines.amountCents.at(line), lines.currency.at(line)] as const;
    return countExcluded(this.#lines.countOthers(line, amount, [day + from, day + to]), facts);
  }
}

function listMembers(rows: IntColumn, from: IntColumn, match: number): number[] {
  const first = from.at(match);
  return Array.from({ length: from.at(match + 1) - first }, (_, at) => rows.at(first + at));
}

const toDays = ({ from, to }: LagRangeDays) => ({ from_days: from, to_days: to });

function countExcluded(
  others: { readonly all: number; readonly withState: number },
  facts: readonly CertificateFact[],
): ExcludedAlternatives {
  const isById = facts.some(({ fact }) => fact === 'id');
  const isByName = facts.some(({ fact }) => fact === 'name' || fact === 'subscription');
  const unmatched = others.all - others.withState;
  return {
    considered: others.all,
    matched: others.withState,
    id: isById ? unmatched : 0,
    name: isByName && !isById ? unmatched : 0,
  };
}
