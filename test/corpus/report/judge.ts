import type { MatchGroup } from '../../../src/domain/matching/index.ts';
import type { LineLabel, World } from '../model/world.ts';

/** Result for one line: its place in the matcher's answer. */
export type LineOutcome = 'right' | 'wrong' | 'suggested' | 'ambiguous' | 'open';

export interface WrongMatch {
  readonly line: number;
  /** Payments, reversed payment or payout that the matcher confirmed. */
  readonly confirmed: string;
  readonly truth: string;
  readonly pass: string;
}

export interface Judgement {
  /** Outcome per line, in the order of the world's lines. */
  readonly outcomes: readonly LineOutcome[];
  readonly wrong: readonly WrongMatch[];
}

/** Compares matches with the labels. Ids of lines need not be consecutive. */
export function judge(world: World, groups: Iterable<MatchGroup>): Judgement {
  const position = new Map(world.labels.map(({ line }, n) => [line, n]));
  const outcomes: LineOutcome[] = world.labels.map(() => 'open');
  const wrong: WrongMatch[] = [];
  for (const group of groups) {
    const labels = group.lines.flatMap(({ id }) => world.labels[position.get(id) ?? -1] ?? []);
    const outcome = group.status === 'confirmed' ? judgeConfirmed(group, labels) : group.status;
    for (const label of labels) {
      const at = position.get(label.line) as number;
      outcomes[at] = worse(outcomes[at] as LineOutcome, outcome);
      if (outcome === 'wrong') wrong.push(describeWrong(group, label));
    }
  }
  return { outcomes, wrong };
}

const order: readonly LineOutcome[] = ['open', 'ambiguous', 'suggested', 'right', 'wrong'];
const worse = (a: LineOutcome, b: LineOutcome): LineOutcome => (order.indexOf(a) > order.indexOf(b) ? a : b);

function judgeConfirmed(group: MatchGroup, labels: readonly LineLabel[]): 'right' | 'wrong' {
  if (group.payout !== null) {
    const { payout_id } = group.payout;
    return labels.every((label) => label.payout_id === payout_id) ? 'right' : 'wrong';
  }
  // The match of a refund names the original payment as well, but claims only the refund.
  if (group.payments.length > 0) return paysExactly(group, labels) ? 'right' : 'wrong';
  if (group.reverses !== null) {
    const reversed = group.reverses;
    const takesBack = (label: LineLabel): boolean =>
      label.reverses === reversed || label.payments.includes(reversed);
    return labels.some(({ reverses }) => reverses === reversed) && labels.every(takesBack)
      ? 'right'
      : 'wrong';
  }
  return cancelsOut(labels) ? 'right' : 'wrong';
}

/** Returns true if each payment is paid by one of the lines, and no line pays anything else. */
function paysExactly(group: MatchGroup, labels: readonly LineLabel[]): boolean {
  const confirmed = new Set(group.payments.map(({ id }) => id));
  const truth = new Set(labels.flatMap(({ payments }) => payments));
  const used = labels.every(({ payments }) => payments.some((id) => confirmed.has(id)));
  return used && truth.size === confirmed.size && [...truth].every((id) => confirmed.has(id));
}

/** Returns true if lines without payments belong to the same payment: a collection and its return. */
function cancelsOut(labels: readonly LineLabel[]): boolean {
  const taken = new Set(
    labels.flatMap(({ reverses, payments }) => (reverses === null ? payments : [reverses])),
  );
  return (
    taken.size === 1 && labels.every(({ reverses, payments }) => reverses !== null || payments.length === 1)
  );
}

function describeWrong(group: MatchGroup, label: LineLabel): WrongMatch {
  const payments = group.payments.map(({ id }) => id).join('+');
  const reversed = group.reverses === null ? '' : `reverses ${group.reverses}`;
  const payout = group.payout === null ? '' : `payout ${group.payout.payout_id}`;
  return {
    line: label.line,
    confirmed: [payments, reversed, payout].filter((part) => part !== '').join(' ') || 'nothing',
    truth: describeLabel(label),
    pass: group.rule,
  };
}

export function describeLabel({ payments, reverses, payout_id }: LineLabel): string {
  if (payments.length > 0) return payments.join('+');
  if (reverses !== null) return `reverses ${reverses}`;
  return payout_id === null ? 'stranger' : `payout ${payout_id}`;
}
