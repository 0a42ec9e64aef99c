import type { CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Customer, LineClass } from '../model/world.ts';
import { cutId, slipDigit } from '../text/ids.ts';
import type { DrawnName } from '../text/name-factory.ts';
import { cutAtWidth, toBankLetters, toInitials, toSurname, toSurnameFirst } from '../text/name-forms.ts';
import type { WorldBuilder } from './world-builder.ts';

/** How the payers and the bank of a world write. Shares are fractions of the lines from 0 to 1. */
export interface WritingHabits {
  readonly idShare: number;
  readonly nameShare: number;
  readonly slipRate: number;
  readonly cutRate: number;
  readonly wrongIdRate: number;
  readonly dateRate: number;
  readonly customerNumberRate: number;
  readonly initialsRate: number;
  readonly surnameRate: number;
  readonly capitals: boolean;
  readonly surnameFirst: boolean;
  readonly nameField: 'counterparty' | 'description';
  readonly idField: 'reference' | 'description';
  readonly idKind: 'statement' | 'payment';
  /** Words of the description, and words before an id. */
  readonly words: readonly string[];
  readonly idWords: readonly string[];
}

/** Texts of a bank line. */
export interface LineTexts {
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
}

export interface WrittenLine {
  readonly texts: LineTexts;
  readonly classes: LineClass[];
}

/** Evidence that a line must contain regardless of the habits. */
export interface RequiredEvidence {
  readonly id?: 'exact' | 'none';
  readonly name?: 'full' | 'none';
}

interface Parts {
  readonly id: string | null;
  readonly name: string | null;
  readonly classes: LineClass[];
}

/** Writes the texts of bank lines with the errors of payers and banks. */
export class LineWriter {
  readonly habits: WritingHabits;
  readonly #world: WorldBuilder;

  constructor(world: WorldBuilder, habits: WritingHabits) {
    this.#world = world;
    this.habits = habits;
  }

  write(customer: Customer, payments: readonly MatchPayment[], must: RequiredEvidence = {}): WrittenLine {
    const name = this.#writeName(customer, must);
    const id = this.#writeIds(customer, payments, { ...must, named: name.name !== null });
    const classes = [...id.classes, ...name.classes];
    if (classes.length === 0) classes.push(summarizeEvidence(id.id, name.name));
    return { texts: this.compose(id.id, name.name, payments[0]?.paid_on), classes };
  }

  /** Puts an id and a name into the columns that the world uses. */
  compose(id: string | null, name: string | null, date?: CalendarDate): LineTexts {
    const { random } = this.#world;
    const { habits } = this;
    const words = [random.pick(habits.words)];
    if (date !== undefined && random.chance(habits.dateRate))
      words.push(writeDate(date, random.integer(0, 3)));
    const quoted = id === null ? null : `${random.pick(habits.idWords)}${id}`;
    if (quoted !== null && habits.idField === 'description') words.push(quoted);
    if (name !== null && habits.nameField === 'description') words.push(name);
    return {
      description: words.join(' '),
      reference: habits.idField === 'reference' ? quoted : null,
      counterparty: habits.nameField === 'counterparty' ? name : null,
    };
  }

  /** Returns a name as the bank prints it. */
  printName({ name, company }: DrawnName): string {
    return this.#print(this.habits.surnameFirst && !company ? toSurnameFirst(name) : name);
  }

  #writeName(customer: Customer, must: RequiredEvidence): Omit<Parts, 'id'> {
    const { random } = this.#world;
    const { habits } = this;
    if (must.name === 'none') return { name: null, classes: [] };
    if (must.name !== 'full' && !random.chance(habits.nameShare)) return { name: null, classes: [] };
    const classes: LineClass[] = [];
    let name = customer.name;
    const person = !customer.company && must.name !== 'full';
    if (person && random.chance(habits.initialsRate)) {
      name = toInitials(name);
      classes.push('initials');
    } else if (person && random.chance(habits.surnameRate)) {
      name = toSurname(name);
      classes.push('surname-only');
    }
    const printed = classes.length > 0 ? this.#print(name) : this.printName(customer);
    if (this.#nameWidth !== null && name.length > this.#nameWidth) classes.push('truncated-name');
    return { name: printed, classes };
  }

  get #nameWidth(): number | null {
    return this.habits.nameField === 'counterparty' ? this.#world.facts.name_width : null;
  }

  #print(name: string): string {
    return cutAtWidth(this.habits.capitals ? toBankLetters(name).toUpperCase() : name, this.#nameWidth);
  }

  #writeIds(
    customer: Customer,
    payments: readonly MatchPayment[],
    must: RequiredEvidence & { named: boolean },
  ): Omit<Parts, 'name'> {
    const { random } = this.#world;
    const { habits } = this;
    if (must.id === 'none' || payments.length === 0) return { id: null, classes: [] };
    const ids = payments.map((payment) => this.idOf(payment));
    if (must.id === 'exact') return { id: ids.join(' '), classes: [] };
    if (!random.chance(habits.idShare)) return this.#writeCustomerNumber(customer);
    const at = random.integer(0, ids.length - 1);
    const id = ids[at] as number;
    const put = (text: string): string => ids.map((each, n) => (n === at ? text : String(each))).join(' ');
    if (random.chance(habits.slipRate)) return { id: put(slipDigit(random, id)), classes: ['slipped-id'] };
    if (random.chance(habits.cutRate)) return { id: put(cutId(random, id)), classes: ['cut-id'] };
    if (random.chance(habits.wrongIdRate)) {
      const other = this.#pickOther(payments[at] as MatchPayment, must.named);
      if (other !== null) return { id: put(String(this.idOf(other))), classes: ['wrong-id'] };
    }
    for (const payment of payments) this.#world.settled.add(payment.id);
    return { id: ids.join(' '), classes: [] };
  }

  idOf(payment: MatchPayment): number {
    return this.habits.idKind === 'statement' ? payment.statement_id : payment.id;
  }

  #writeCustomerNumber(customer: Customer): Omit<Parts, 'name'> {
    if (!this.#world.random.chance(this.habits.customerNumberRate)) return { id: null, classes: [] };
    return { id: String(customer.subscription), classes: ['customer-number'] };
  }

  /**
   * Picks a payment whose id a payer quotes by mistake. A line without a name quotes only a payment of another amount,
   * because otherwise no evidence contradicts the wrong answer.
   */
  #pickOther(own: MatchPayment, named: boolean): MatchPayment | null {
    const { random, payments, settled } = this.#world;
    for (let tries = 0; tries < 20; tries++) {
      const other = payments[random.integer(Math.max(0, payments.length - 400), payments.length - 1)];
      if (other === undefined || other.id === own.id || other.kind === 'refund') continue;
      const sameCustomer = other.subscription_id === own.subscription_id;
      const differs = other.amount_in_cents !== own.amount_in_cents;
      if (sameCustomer ? settled.has(other.id) : named || differs) return other;
    }
    return null;
  }
}

function summarizeEvidence(id: string | null, name: string | null): LineClass {
  if (id !== null) return name === null ? 'id-only' : 'clean';
  return name === null ? 'amount-only' : 'name-only';
}

/** Writes a date as one of four formats that contain or resemble a number. */
export function writeDate(date: CalendarDate, format: number): string {
  const [year = '', month = '', day = ''] = date.split('-');
  if (format === 0) return `${year}${month}${day}`;
  if (format === 1) return `${day}.${month}.${year}`;
  if (format === 2) return `${day}${month}${year}`;
  return `${month}/${year}`;
}
