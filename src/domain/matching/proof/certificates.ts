import { idKinds, PAYOUT_ID, SUBSCRIPTION_ID } from '../indexes/payments.ts';
import { StateCounts } from '../indexes/rows-by-amount.ts';
import type { CertificateFact, ExcludedAlternatives, MatchCertificate } from '../model/match-types.ts';
import { matchPassIds } from '../model/match-types.ts';
import type { LagRangeDays } from '../state/arrival-windows.ts';
import { type MatchState, matchStatuses, ROW_EXPLAINED } from '../state/match-state.ts';

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
    const line = state.line.at(state.linesFrom.at(match));
    const paymentAt = state.paymentsFrom.at(match);
    const paymentCount = state.paymentsFrom.at(match + 1) - paymentAt;
    const lineCount = state.linesFrom.at(match + 1) - state.linesFrom.at(match);
    const isPair = lineCount === 1 && paymentCount === 1;
    const payment = paymentCount > 0 ? state.payment.at(paymentAt) : -1;
    const facts = this.#listFacts(match, { line, payment, isPair });
    const account = state.lines.account.at(line);
    return {
      facts,
      window: toDays(state.arrivalWindows!.getRange('candidate', account)),
      usual: toDays(state.arrivalWindows!.getRange('usual', account)),
      slip_rate: state.gate?.estimateSlipRate(line) ?? 0,
      payments: isPair ? this.#excludePayments(line, payment, facts) : null,
      lines: isPair ? this.#excludeLines(line, payment, facts) : null,
    };
  }

  #listFacts(
    match: number,
    { line, payment, isPair }: { line: number; payment: number; isPair: boolean },
  ): CertificateFact[] {
    const state = this.#state;
    const rule = matchPassIds[state.pass.at(match)];
    if (state.payout.at(match) !== -1) return [{ fact: 'payout' }];
    if (rule === 'reversal') return [{ fact: 'reversal' }];
    if (!isPair) return [{ fact: 'sum' }];
    const facts: CertificateFact[] = [];
    const idKind = state.idKind.at(match);
    if (idKind >= 0 && idKind < SUBSCRIPTION_ID)
      facts.push({ fact: 'id', value: this.#getId(payment, idKind) });
    if (state.gate?.namesCustomer(line, payment) === true) facts.push({ fact: 'name' });
    else if (rule === 'payee')
      facts.push({ fact: 'subscription', value: String(state.payments.subscriptionId.at(payment)) });
    return facts.length > 0 ? facts : [{ fact: idKind === PAYOUT_ID ? 'payout' : 'amount' }];
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
