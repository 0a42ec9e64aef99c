import { go } from '../view/view.ts';

/** The parts of the matching screen, in the order they are worked through. */
export const matchingParts = ['review', 'hand', 'payments', 'payouts', 'rules', 'runs'] as const;
export type MatchingPart = (typeof matchingParts)[number];

export interface MatchingPlace {
  readonly part: MatchingPart;
  /** What is open there: a match, a payment, a payout, a rule. */
  readonly id: number | null;
}

/** What an address names: `17` is a match, `payments-80` a payment, `payouts-3` a payout; nothing known leads to the review. */
export function matchingPlace(item: string | null): MatchingPlace {
  const [, name, id] = /^(?:(hand|payments|payouts|rules|runs)(?:-|$))?(\d{1,15})?$/.exec(item ?? '') ?? [];
  const part = matchingParts.find((known) => known === name) ?? 'review';
  return { part, id: id === undefined ? null : Number(id) };
}

export function matchingItem({ part, id }: MatchingPlace): string | null {
  if (part === 'review') return id === null ? null : String(id);
  return id === null ? part : `${part}-${id}`;
}

/** Where closing what is open leads: to the list it stands in. */
export function matchingBehind(item: string | null): string | null {
  return matchingItem({ part: matchingPlace(item).part, id: null });
}

export function openMatching(part: MatchingPart, id: number | null = null, replace = false): void {
  go({ screen: 'matching', item: matchingItem({ part, id }) }, replace);
}
