import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import { costOfNumbers } from './id-evidence.ts';
import type { LineFacts, Option, OptionFinder, PairEvidence } from './options.ts';
import { COMBINED, COST } from './rules.ts';

interface Member {
  readonly at: number;
  readonly amount: number;
  readonly id: PairEvidence['id'];
  readonly named: boolean;
}

/** Adds the answers in which one line pays two or more payments that it quotes or whose customer it names. */
export function addCombinedOptions(
  finder: OptionFinder,
  facts: LineFacts,
  { candidates, options }: { candidates: ReadonlySet<number>; options: Option[] },
): void {
  const members = listMembers(finder, facts, candidates);
  if (members.length < 2 || members.length > COMBINED.maxCandidates) return;
  const fee = finder.world.facts.max_fee_in_cents;
  const target = facts.line.amount_in_cents;
  for (const subset of listSubsets(members, target + fee)) {
    const total = subset.reduce((sum, { amount }) => sum + amount, 0);
    if (total < target || subset.length < 2) continue;
    const kind = total === target ? 'equal' : 'short';
    const cost = costOfSubset(facts, subset) + (kind === 'equal' ? 0 : COST.otherAmount);
    const quoted = subset.every(({ id }) => id === 'exact');
    const proved = kind === 'equal' && cost === 0 && quoted && subset.some(({ named }) => named);
    options.push({ payments: subset.map(({ at }) => at), cost, kind, proved });
  }
}

function listMembers(finder: OptionFinder, facts: LineFacts, candidates: ReadonlySet<number>): Member[] {
  const { lag_from_days: from, lag_to_days: to } = finder.world.facts;
  const { line } = facts;
  const members: Member[] = [];
  for (const at of candidates) {
    const payment = finder.payments[at] as MatchPayment;
    const evidence = finder.relate(facts, at);
    const inTime = evidence.lag >= from - 2 && evidence.lag <= to + COMBINED.extraDays;
    const quoted = evidence.id === 'exact' || evidence.id === 'near';
    // A relative's invoice can be in the same wire, so another name is possible if the id is quoted.
    const known = quoted || evidence.id === 'customer' || evidence.name === 'full';
    const fits =
      payment.currency === line.currency && payment.amount_in_cents > 0 && line.amount_in_cents > 0;
    if (!inTime || !known || !fits) continue;
    members.push({ at, amount: payment.amount_in_cents, id: evidence.id, named: evidence.name === 'full' });
  }
  return members;
}

function* listSubsets(members: readonly Member[], limit: number, from = 0): Generator<Member[]> {
  for (let n = from; n < members.length; n++) {
    const member = members[n] as Member;
    if (member.amount > limit) continue;
    yield [member];
    for (const rest of listSubsets(members, limit - member.amount, n + 1)) {
      if (rest.length < COMBINED.maxMembers) yield [member, ...rest];
    }
  }
}

function costOfSubset({ quoted }: LineFacts, subset: readonly Member[]): number {
  const numbers = costOfNumbers(
    quoted,
    subset.map(({ at }) => at),
  );
  const isQuoted = ({ id }: Member): boolean => id === 'exact' || id === 'near';
  const unquoted = subset.some(isQuoted) ? subset.filter((member) => !isQuoted(member)).length : 0;
  return numbers + unquoted * COST.unquotedMember;
}
