import type { WorkSteps } from '../../work-steps/work-steps.ts';
import type { CustomerNames } from '../indexes/customer-names.ts';
import { GATEWAY_ID, STATEMENT_ID, TRANSACTION_ID } from '../indexes/payments.ts';
import type { MatchPassId, MatchRule } from '../model/match-types.ts';
import { ProofGate } from '../proof/proof-gate.ts';
import { confirmMatchesWithoutAlternatives, suggestPairsWithRivals } from '../proof/second-review.ts';
import { SeedPairs } from '../proof/seed-pairs.ts';
import { ArrivalWindows } from '../state/arrival-windows.ts';
import { CandidateCounts } from '../state/candidate-counts.ts';
import { type MatchState, ROW_FREE } from '../state/match-state.ts';
import { AmountEvidence } from './amount-evidence.ts';
import { collectIdHints } from './line-hints.ts';
import { matchByAmount } from './match-by-amount.ts';
import { type IdPassOptions, matchByIds } from './match-by-ids.ts';
import { matchByPayee } from './match-by-payee.ts';
import { matchByPayoutDays } from './match-by-payout-days.ts';
import { matchByTolerance } from './match-by-tolerance.ts';
import { matchReversals } from './match-reversals.ts';
import { suggestSumMatches } from './suggest-sums.ts';

type PassSteps<Result = void> = Generator<MatchPassId, Result, undefined>;

/** Runs the matching passes in order, each over all rows. Yields the id of the current pass. */
export function* runPasses(state: MatchState, names: CustomerNames, rules: readonly MatchRule[]): PassSteps {
  yield 'gateway-id';
  const seeds = new SeedPairs(state);
  state.arrivalWindows = learnArrivalWindows(state, seeds);
  yield 'gateway-id';
  const gate = new ProofGate(state, names, seeds);
  state.gate = gate;
  yield* runIdPasses(state, rules);
  confirmMatchesWithoutAlternatives(state);
  matchReversals(state, 'refunds');
  yield 'user-rule';
  applyRules(state, rules);
  const idHints = collectIdHints(state.lines.evidence, state.lines.length);
  const namesOtherCustomer = yield* runPass('payee', matchByPayee(state, names, idHints));
  confirmMatchesWithoutAlternatives(state);
  matchByTolerance(state, { names, rules, namesOtherId: idHints.namesOtherId });
  confirmMatchesWithoutAlternatives(state);
  yield 'amount-date';
  const counts = yield* runPass('amount-date', CandidateCounts.count(state));
  gate.measureAnonymousLines(counts);
  const hints = { ...idHints, namesOtherCustomer };
  const evidence = yield* runPass('amount-date', AmountEvidence.evaluate(state, counts, hints));
  yield* runPass('amount-date', matchByAmount(state, counts, evidence));
  confirmMatchesWithoutAlternatives(state);
  yield* runPass('payout-days', matchByPayoutDays(state, counts));
  matchReversals(state, 'all');
  suggestPairsWithRivals(state);
  yield* runPass('sum', suggestSumMatches(state, counts));
}

function* runIdPasses(state: MatchState, rules: readonly MatchRule[]): PassSteps {
  const { lines, payouts } = state;
  const { mentions, positions } = lines.evidence;
  const isNumber = (at: number): boolean => {
    const idKind = mentions.kind.at(at);
    return idKind >= TRANSACTION_ID && idKind <= STATEMENT_ID;
  };
  const pass = {
    mentions,
    isTrusted: (at: number): boolean => positions.containsIds(mentions.position.at(at), mentions.kind.at(at)),
    rules,
  };
  const idPasses: readonly IdPassOptions[] = [
    { ...pass, rule: 'gateway-id', isUsed: (at) => mentions.kind.at(at) === GATEWAY_ID },
    {
      ...pass,
      rule: 'payout-reference',
      isUsed: (at) => isNumber(at) && lines.isProcessorLine(mentions.line.at(at)),
    },
    {
      rule: 'payout-reference',
      mentions: payouts.findIdMentions(lines.evidence),
      isUsed: () => true,
      isTrusted: () => true,
      rules,
    },
    { ...pass, rule: 'id-in-text', isUsed: isNumber },
  ];
  for (const idPass of idPasses) yield* runPass(idPass.rule, matchByIds(state, idPass));
}

function* runPass<Result>(pass: MatchPassId, steps: WorkSteps<Result>): PassSteps<Result> {
  yield pass;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield pass;
  }
}

/** Learns how long money takes to arrive, from lines that quote the id of a payment. */
function learnArrivalWindows(state: MatchState, seeds: SeedPairs): ArrivalWindows {
  const windows = new ArrivalWindows(state.accounts);
  seeds.forEach((line, payment) => {
    windows.recordLag(state.lines.account.at(line), state.getLagDays(line, payment));
  });
  windows.learn(state.accounts);
  return windows;
}

function applyRules(state: MatchState, rules: readonly MatchRule[]): void {
  const { lines } = state;
  for (let row = 0; row < lines.length; row++) {
    const userRule = lines.assigningRule.at(row);
    const action = rules[userRule]?.action;
    if (action === undefined || action.do === 'tolerate') continue;
    if (state.lineState[row] !== ROW_FREE || state.isDeclined(row, -1)) continue;
    const category = action.do === 'ignore' ? 'ignored' : action.category;
    state.addMatch({
      rule: 'user-rule',
      status: 'confirmed',
      score: 100,
      lines: [row],
      payments: [],
      adjustments: [[category, lines.openCents.at(row), null]],
      userRule,
    });
  }
}
