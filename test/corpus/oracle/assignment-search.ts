import type { Component } from './components.ts';
import type { LineOptions, Option } from './options.ts';
import { COST, MAX_STEPS } from './rules.ts';

/** Answer per line in the order of the search; null for a stranger. */
export type Choice = (Option | null)[];

interface SearchRules {
  /** Largest number of errors. */
  readonly limit: number;
  readonly forbidden?: { readonly line: number; readonly option: Option };
}

/** Depth-first search over the lines of a component with a lower bound for the lines that are still open. */
export class AssignmentSearch {
  readonly lines: readonly LineOptions[];
  readonly #amounts: ReadonlyMap<number, number>;
  readonly #unpaidCosts: ReadonlyMap<number, number>;
  readonly #open: Map<number, number>;
  /** Lower bound of the cost of the lines from a position on, if each can pay its own payments. */
  readonly #bounds: number[] = [0];
  /** Lower bound of the errors of the lines from a position on, without what paid payments save. */
  readonly #errorBounds: number[] = [0];
  /** Cost that the payments without a line can still save. */
  #savable: number;
  /** Cost if all payments are unpaid. */
  readonly #unpaid: number;
  #steps = 0;

  constructor(
    component: Component,
    amounts: ReadonlyMap<number, number>,
    unpaidCosts: ReadonlyMap<number, number>,
  ) {
    this.lines = [...component.lines].sort(
      (a, b) => a.options.length - b.options.length || a.line.id - b.line.id,
    );
    this.#amounts = amounts;
    this.#unpaidCosts = unpaidCosts;
    this.#open = new Map(amounts);
    this.#unpaid = this.#sumUnpaid(component.payments);
    this.#savable = this.#sumPositive(component.payments);
    for (const line of this.lines.toReversed()) {
      const costs = line.options.map(({ cost, payments }) => cost - this.#sumPositive(payments));
      const cheapest = Math.min(line.strangerCost, ...costs);
      this.#bounds.unshift((this.#bounds[0] as number) + cheapest);
      const fewest = Math.min(line.strangerCost, ...line.options.map(({ cost }) => cost));
      this.#errorBounds.unshift((this.#errorBounds[0] as number) + fewest);
    }
  }

  /** Returns an assignment with the fewest errors; null if the search takes too long. */
  findBest(): { cost: number; choice: Choice } | null {
    let best: { cost: number; choice: Choice } | null = null;
    this.#steps = 0;
    for (;;) {
      const limit: number = best === null ? Number.MAX_SAFE_INTEGER : best.cost - 1;
      const choice: Choice = [];
      const cost = this.#search(choice, this.#unpaid, { limit });
      if (cost === undefined) return null;
      if (cost === null) return best;
      best = { cost, choice: [...choice] };
    }
  }

  /** Returns an assignment with another answer for one line; null if there is none, undefined after too many steps. */
  findOther(line: number, option: Option, limit: number): Choice | null | undefined {
    this.#steps = 0;
    const choice: Choice = [];
    const cost = this.#search(choice, this.#unpaid, { limit, forbidden: { line, option } });
    return cost === null || cost === undefined ? cost : choice;
  }

  computeCost(choice: Choice): number {
    const paid = new Set(choice.flatMap((option) => option?.payments ?? []));
    const errors = this.lines.map(({ strangerCost }, n) => choice[n]?.cost ?? strangerCost);
    return errors.reduce((sum, cost) => sum + cost, this.#unpaid - this.#sumUnpaid([...paid]));
  }

  /** Completes an assignment. Returns its cost, null if there is none, undefined after too many steps. */
  #search(choice: Choice, cost: number, rules: SearchRules): number | null | undefined {
    const n = choice.length;
    if (cost + this.#boundFrom(n) > rules.limit) return null;
    if (n === this.lines.length) return cost;
    if (++this.#steps > MAX_STEPS) return undefined;
    const line = this.lines[n] as LineOptions;
    const forbidden = rules.forbidden?.line === n ? rules.forbidden.option : undefined;
    for (const answer of this.#listAnswers(line, forbidden)) {
      const saved = answer === null ? 0 : this.#take(line, answer);
      choice.push(answer);
      const errors = answer === null ? line.strangerCost : answer.cost - saved;
      const found = this.#search(choice, cost + errors, rules);
      if (answer !== null) this.#giveBack(line, answer);
      if (found !== null) return found;
      choice.pop();
    }
    return null;
  }

  #boundFrom(n: number): number {
    return Math.max(this.#bounds[n] as number, (this.#errorBounds[n] as number) - this.#savable);
  }

  /** Lists the answers whose payments are open, the cheapest first, and the stranger last. */
  #listAnswers(line: LineOptions, forbidden: Option | undefined): (Option | null)[] {
    const answers = line.options.filter((option) => option !== forbidden && this.#isOpen(line, option));
    return [...answers.sort((a, b) => a.cost - b.cost), null];
  }

  #isOpen({ line }: LineOptions, { payments, kind }: Option): boolean {
    return payments.every((at) => {
      const open = this.#open.get(at) ?? 0;
      return kind === 'part' ? open >= line.amount_in_cents : open === this.#amounts.get(at);
    });
  }

  /** Takes the payments of an answer and returns the saved cost of those that had no line before. */
  #take({ line }: LineOptions, { payments, kind }: Option): number {
    const unpaid = payments.filter((at) => this.#open.get(at) === this.#amounts.get(at));
    for (const at of payments) {
      this.#open.set(at, kind === 'part' ? (this.#open.get(at) ?? 0) - line.amount_in_cents : 0);
    }
    this.#savable -= this.#sumPositive(unpaid);
    return this.#sumUnpaid(unpaid);
  }

  #giveBack({ line }: LineOptions, { payments, kind }: Option): void {
    for (const at of payments) {
      const open = this.#open.get(at) ?? 0;
      this.#open.set(at, kind === 'part' ? open + line.amount_in_cents : (this.#amounts.get(at) ?? 0));
      if (this.#open.get(at) === this.#amounts.get(at)) this.#savable += this.#sumPositive([at]);
    }
  }

  #sumUnpaid(payments: readonly number[]): number {
    return payments.reduce((sum, at) => sum + (this.#unpaidCosts.get(at) ?? COST.unpaid), 0);
  }

  /** Sums only positive costs: if two lines share a payment, the second one saves nothing. */
  #sumPositive(payments: readonly number[]): number {
    return payments.reduce((sum, at) => sum + Math.max(0, this.#unpaidCosts.get(at) ?? COST.unpaid), 0);
  }
}
