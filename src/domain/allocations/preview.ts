import type { AllocationChange, ChangeProblem, WantedChange } from '../../contract/index.ts';
import { compareQuantities, type Quantity, sameQuantity } from '../ledger/index.ts';

/** What is held of a change's pair. `known`: its history is held; `missing`: the service says there is no such pair. */
export interface PairSight {
  readonly state: 'known' | 'unknown' | 'missing';
  /** The quantity in effect; null where the history is empty or not held. */
  readonly quantity: Quantity | null;
  /** Why it is missing, in a sentence. */
  readonly missing?: string | undefined;
}

export interface Found {
  readonly problem: ChangeProblem;
  readonly text: string;
}

/** Which way a change goes; null where the quantity in effect is not known. */
export function directionOf(
  from: Quantity | null,
  to: Quantity | null,
): Exclude<AllocationChange['direction'], null> | null {
  if (from === null || to === null) return null;
  const difference = compareQuantities(to, from);
  return difference > 0 ? 'upgrade' : difference < 0 ? 'downgrade' : 'none';
}

/** The scheme that a change names for the way it goes; null where the service's own setting applies, or none. */
export function schemeOf(
  schemes: {
    readonly proration_upgrade_scheme?: string | null | undefined;
    readonly proration_downgrade_scheme?: string | null | undefined;
  },
  direction: AllocationChange['direction'],
): string | null {
  if (direction === 'upgrade') return schemes.proration_upgrade_scheme || null;
  if (direction === 'downgrade') return schemes.proration_downgrade_scheme || null;
  return null;
}

/** What is wrong with a change by what is held of its pair; null where it can be sent. */
export function problemOf(change: WantedChange, sight: PairSight): Found | null {
  const { subscription_id, component_id, quantity } = change;
  const which = `component ${component_id} on subscription ${subscription_id}`;
  if (sight.state === 'missing') {
    return { problem: 'missing', text: sight.missing ?? `The service has no ${which}.` };
  }
  if (sight.state === 'unknown') {
    return { problem: 'unknown_pair', text: `Nothing is held of ${which}; check it against the service.` };
  }
  if (sight.quantity !== null && sameQuantity(sight.quantity, quantity)) {
    return { problem: 'no_change', text: `The quantity is ${quantity} already.` };
  }
  return null;
}

/**
 * What is wrong with changes that name the same pair: where they agree, those behind the first are duplicates; where they do
 * not, none of them can be sent. `name` tells of a place in the list, such as `line 7`.
 */
export function repeatsIn(
  changes: readonly (WantedChange | null)[],
  name: (at: number) => string,
): ReadonlyMap<number, Found> {
  const byPair = new Map<string, number[]>();
  for (const [at, change] of changes.entries()) {
    if (change === null) continue;
    const key = `${change.subscription_id}/${change.component_id}`;
    const places = byPair.get(key);
    if (places === undefined) byPair.set(key, [at]);
    else places.push(at);
  }
  const found = new Map<number, Found>();
  for (const places of byPair.values()) {
    if (places.length < 2) continue;
    const first = places[0] as number;
    const wanted = changes[first] as WantedChange;
    const agree = places.every((at) => sameQuantity((changes[at] as WantedChange).quantity, wanted.quantity));
    for (const at of places) {
      if (agree && at !== first) {
        found.set(at, { problem: 'duplicate', text: `The same change stands in ${name(first)}.` });
      } else if (!agree) {
        const others = places.filter((each) => each !== at).slice(0, 3);
        found.set(at, {
          problem: 'contradiction',
          text: `${capital(others.map(name).join(', '))} ${others.length === 1 ? 'names' : 'name'} another quantity for it; none of them is sent.`,
        });
      }
    }
  }
  return found;
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
