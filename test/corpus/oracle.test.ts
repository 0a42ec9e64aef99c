import { describe, expect, it } from 'vitest';
import { generateWorld } from './generators/index.ts';
import type { World } from './model/world.ts';
import { type Component, splitIntoComponents } from './oracle/components.ts';
import { findAnswerable, listOptions, solveWorld } from './oracle/index.ts';
import type { LineOptions, Option } from './oracle/options.ts';
import { COST, MARGIN } from './oracle/rules.ts';
import { TrapBuilder } from './traps/trap-builder.ts';

type Choice = readonly (Option | null)[];

/** Lists all assignments of a component with their costs, without any shortcut. */
function listAssignments({ lines, payments }: Component, world: World): { choice: Choice; cost: number }[] {
  let partial: (Option | null)[][] = [[]];
  for (const { options } of lines) {
    partial = partial.flatMap((choice) => [...options, null].map((option) => [...choice, option]));
    partial = partial.filter((choice) => isPossible(choice, lines, world));
  }
  return partial.map((choice) => {
    const paid = new Set(choice.flatMap((option) => option?.payments ?? []));
    const errors = lines.map(({ strangerCost }, n) => choice[n]?.cost ?? strangerCost);
    const unpaid = (payments.length - paid.size) * COST.unpaid;
    return { choice, cost: errors.reduce((sum, cost) => sum + cost, unpaid) };
  });
}

/** Returns true if no payment is paid twice or with more than its amount. */
function isPossible(choice: Choice, lines: readonly LineOptions[], world: World): boolean {
  const used = new Map<number, number>();
  for (const [n, option] of choice.entries()) {
    for (const at of option?.payments ?? []) {
      const total = world.payments[at]?.amount_in_cents ?? 0;
      const share = option?.kind === 'part' ? (lines[n]?.line.amount_in_cents ?? 0) / total : 1;
      used.set(at, (used.get(at) ?? 0) + share);
    }
  }
  return [...used.values()].every((share) => share <= 1 + 1e-9);
}

/** Returns the forced answers of a component as texts. */
function listForced(component: Component, world: World): string[] {
  const all = listAssignments(component, world);
  const best = Math.min(...all.map(({ cost }) => cost));
  const consistent = all.filter(({ cost }) => cost <= best + MARGIN).map(({ choice }) => choice);
  return component.lines.flatMap(({ line }, n) => {
    const [first, ...others] = new Set(consistent.map((choice) => choice[n] ?? null));
    return first == null || others.length > 0 ? [] : [`${line.id}=${first.payments}`];
  });
}

describe('the oracle', () => {
  it('agrees with an enumeration without shortcuts on small components', () => {
    let compared = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const world = generateWorld(seed, 30);
      const lines = listOptions(world);
      const { answers } = solveWorld(world, lines);
      for (const component of splitIntoComponents(lines)) {
        if (component.lines.length > 6) continue;
        const expected = listForced(component, world);
        const found = component.lines.flatMap(({ line: { id } }) => {
          const answer = answers.get(id);
          return answer === undefined ? [] : [`${id}=${answer.payments}`];
        });
        expect(found.sort(), `seed ${seed}`).toEqual(expected.sort());
        compared += expected.length;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });

  it('forces no answer that a label contradicts', () => {
    for (let seed = 20; seed < 28; seed++) {
      const { misleading, forced } = findAnswerable(generateWorld(seed, 300));
      expect([...misleading]).toEqual([]);
      expect(forced.size).toBeGreaterThan(0);
    }
  });
});

describe('answers by hand', () => {
  const solve = (fill: (trap: TrapBuilder) => void): number[] => {
    const trap = new TrapBuilder(0, 1);
    trap.addBackground(10);
    fill(trap);
    return [...findAnswerable(trap.build('by hand').world).forced]
      .filter((id) => id > 10)
      .map((id) => id - 10);
  };

  it('forces an exact id without a name', () => {
    const forced = solve((trap) => {
      const payment = trap.pay({ name: 'Ada Moll' });
      trap.line({ reference: String(payment.statement_id) }, { payments: [payment], kind: 'id-only' });
    });
    expect(forced).toEqual([1]);
  });

  it('forces nothing if the unpaid neighbor differs by one digit', () => {
    const forced = solve((trap) => {
      const payment = trap.pay({ name: 'Ada Moll', statement_id: 7_000_001 });
      trap.pay({ name: 'Bo Lind', statement_id: 7_000_002 });
      trap.line({ reference: String(payment.statement_id) }, { payments: [payment], kind: 'id-only' });
    });
    expect(forced).toEqual([]);
  });

  it('forces both if the neighbor has its own line', () => {
    const forced = solve((trap) => {
      for (const [n, name] of ['Ada Moll', 'Bo Lind'].entries()) {
        const payment = trap.pay({ name, statement_id: 7_000_001 + n });
        trap.line({ reference: String(payment.statement_id) }, { payments: [payment], kind: 'id-only' });
      }
    });
    expect(forced).toEqual([1, 2]);
  });

  it('forces neither of two lines for one payment', () => {
    const forced = solve((trap) => {
      const payment = trap.pay({ name: 'Ada Moll' });
      for (const days of [2, 3]) {
        trap.line({ days, counterparty: 'ADA MOLL' }, { payments: [payment], kind: 'duplicate' });
      }
    });
    expect(forced).toEqual([]);
  });

  it('forces a sum of two payments of the named customer', () => {
    const forced = solve((trap) => {
      const payments = [100, 230].map((more) =>
        trap.pay({ name: 'Ada Moll', amount_in_cents: trap.price + more }),
      );
      trap.line(
        { amount_in_cents: 2 * trap.price + 330, counterparty: 'ADA MOLL' },
        { payments, kind: 'combined' },
      );
    });
    expect(forced).toEqual([1]);
  });
});
