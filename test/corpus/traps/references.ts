import { addDays } from '../../../src/domain/ledger/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (names: readonly string[]): string => (names[0] ?? '').toUpperCase();

/** Adds an unpaid payment with a certain id, and a stranger's anonymous line with that number in its text. */
function addStrangersNumber(trap: TrapBuilder, id: number, description: string): void {
  trap.addBackground();
  trap.pay({ name: trap.person(), statement_id: id });
  trap.line({ description }, { confirm: 'never', kind: 'date-like-id' });
}

/** Draws an id and its neighbor, which differ in one digit. */
function drawNeighbors(trap: TrapBuilder): readonly [number, number] {
  const first = trap.random.integer(1_000_000, 8_000_000) * 10;
  return [first + 3, first + 8];
}

/** Causes 1, 4 and 5: numbers in texts that mean something else, or somebody else. */
export const references: readonly Trap[] = [
  {
    title: 'a telephone number equals a statement id',
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(30_100_000, 89_900_000);
      const label = ['TEL 0', 'PHONE +44', 'TEL. 0049', 'FAX 0', 'MOB +33', 'CALL 00'][trap.variant];
      addStrangersNumber(trap, id, `CREDIT TRANSFER ${label}${trap.variant % 2 === 0 ? '' : ' '}${id}`);
    },
  },
  {
    title: "groups of the payer's IBAN equal a statement id",
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(10_000_000, 99_999_999);
      const [left, right] = [String(id).slice(0, 4), String(id).slice(4)];
      const rest = trap.random.integer(1000, 9999);
      addStrangersNumber(
        trap,
        id,
        trap.variant % 2 === 0
          ? `IBAN DE89 ${left} ${right} 0532 ${rest} 00`
          : `CREDIT TRANSFER ES91 ${rest} 0418 ${left} ${right} 1332`,
      );
    },
  },
  {
    title: 'a postal code equals a statement id',
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(10_115, 99_998);
      const town = trap.random.pick(['BERLIN', 'LYON', 'MADRID', 'TORINO', 'WARSZAWA', 'HELSINKI']);
      addStrangersNumber(trap, id, `CREDIT TRANSFER ${id} ${town}`);
    },
  },
  {
    title: "the payer's own invoice number with a year equals a statement id",
    cause: 5,
    fill: (trap) => {
      const number = trap.random.integer(1000, 9999);
      const year = trap.start.slice(0, 4);
      const separator = ['-', '/', '.', ' ', '-', '/'][trap.variant];
      addStrangersNumber(trap, Number(`${year}${number}`), `RE ${year}${separator}${number}`);
    },
  },
  {
    title: "a named company's invoice number equals a statement id",
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(1_000_000, 9_999_999);
      trap.addBackground();
      trap.pay({ name: trap.person(), statement_id: id });
      const payer = trap.company().toUpperCase();
      trap.line(
        trap.variant % 2 === 0
          ? { description: `${payer} INVOICE ${id}` }
          : { counterparty: payer, description: `INVOICE ${id}` },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  {
    title: 'an authorization code of a card payment equals a statement id',
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(100_000, 999_999);
      addStrangersNumber(trap, id, `CARD XXXX ${trap.random.integer(1000, 9999)} AUTH ${id}`);
    },
  },
  {
    title: 'one number is the statement id of one customer and the payment id of another',
    cause: 5,
    fill: (trap) => {
      const id = trap.random.integer(10_000_000, 99_999_999);
      trap.addBackground();
      const own = trap.pay({ name: trap.person(), statement_id: id });
      trap.pay({ name: trap.company(), payment_id: id });
      trap.line({ reference: String(id) }, { payments: [own], kind: 'id-only' });
    },
  },
  {
    title: "the payer's reference and ours are both stored ids",
    cause: 5,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person() });
      const other = trap.pay({ name: trap.company() });
      const text = [
        `OUR REF ${other.statement_id} YOUR REF ${own.statement_id}`,
        `YOUR REF ${own.statement_id} OUR REF ${other.statement_id}`,
      ][trap.variant % 2];
      trap.line({ description: text ?? '' }, { payments: [own], confirm: 'never', kind: 'id-only' });
    },
  },
  {
    title: "a slipped customer number is another customer's number",
    cause: 5,
    fill: (trap) => {
      const [own, hit] = drawNeighbors(trap);
      trap.addBackground();
      const payment = trap.pay({ name: trap.person(), subscription_id: own });
      trap.pay({ name: trap.company(), subscription_id: hit });
      const label = ['CUSTOMER', 'KD-NR', 'CLIENT', 'SUBSCRIPTION', 'ABO', 'KUNDE'][trap.variant];
      trap.line(
        { reference: `${label} ${hit}` },
        { payments: [payment], confirm: 'never', kind: 'customer-number' },
      );
    },
  },
  {
    title: 'a slipped id hits another open payment of the named customer',
    cause: 4,
    fill: (trap) => {
      const [own, hit] = drawNeighbors(trap);
      trap.addBackground();
      const name = trap.variant % 2 === 0 ? trap.company() : trap.person();
      const payment = trap.pay({ name, statement_id: own, subscription_id: 77_001 });
      trap.pay({ name, statement_id: hit, subscription_id: 77_002 });
      trap.line(
        { reference: `INV ${hit}`, counterparty: capitals([name]) },
        { payments: [payment], confirm: 'never', kind: 'slipped-id' },
      );
    },
  },
  {
    title: 'an id with two digits exchanged is the id of an open neighbor',
    cause: 1,
    fill: (trap) => {
      const tens = trap.random.integer(100_000, 800_000) * 100;
      trap.addBackground();
      const own = trap.pay({ name: trap.person(), statement_id: tens + 35 });
      trap.pay({ name: trap.company(), statement_id: tens + 53 });
      trap.line(
        { description: `PAYMENT ${tens + 53}` },
        { payments: [own], confirm: 'never', kind: 'slipped-id' },
      );
    },
  },
  {
    title: 'an id without one digit is the id of an open payment',
    cause: 1,
    fill: (trap) => {
      const short = trap.random.integer(1_000_000, 9_999_999);
      trap.addBackground();
      const own = trap.pay({
        name: trap.person(),
        statement_id: Number(`${short}`.replace(/^(...)/, '$17')),
      });
      trap.pay({ name: trap.company(), statement_id: short });
      trap.line({ reference: `INVOICE ${short}` }, { payments: [own], confirm: 'never', kind: 'slipped-id' });
    },
  },
  {
    title: 'a slipped id hits a payment that its own line quotes as well',
    cause: 1,
    fill: (trap) => {
      const [own, hit] = drawNeighbors(trap);
      trap.addBackground();
      const payment = trap.pay({ name: trap.person(), statement_id: own });
      const neighbor = trap.pay({ name: trap.company(), statement_id: hit });
      const days = trap.variant % 2 === 0 ? [2, 3] : [3, 2];
      trap.line(
        { reference: `INV ${hit}`, days: days[0] as number },
        { payments: [payment], confirm: 'never', kind: 'slipped-id' },
      );
      trap.line(
        { reference: `INV ${hit}`, days: days[1] as number },
        { payments: [neighbor], confirm: 'never', kind: 'id-only' },
      );
    },
  },
  {
    title: "last month's id on this month's wire of the same customer",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const last = trap.pay({ name, paid_on: addDays(trap.start, -30), subscription_id: 88_123 });
      const own = trap.pay({ name, subscription_id: 88_123 });
      trap.line(
        { days: -28, reference: `INV ${last.statement_id}`, counterparty: capitals([name]) },
        { payments: [last], kind: 'clean' },
      );
      trap.line(
        { reference: `INV ${last.statement_id}`, counterparty: trap.variant < 3 ? capitals([name]) : null },
        { payments: [own], kind: 'wrong-id' },
      );
    },
  },
  {
    title: 'a template with an old id of another customer at the same price',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const old = trap.pay({ name: trap.company(), paid_on: addDays(trap.start, -90) });
      const own = trap.pay({ name: trap.person() });
      trap.line(
        { reference: `INV ${old.statement_id}`, counterparty: trap.variant < 3 ? capitals(own.names) : null },
        { payments: [own], kind: 'wrong-id' },
      );
    },
  },
  {
    title: 'a name in the text after "for" is not the payer',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const payment = trap.pay({ name: trap.person() });
      const word = ['FOR', 'FUER', 'POUR', 'PARA', 'C/O', 'OBO'][trap.variant];
      trap.line(
        { description: `${word} ${capitals(payment.names)}`, counterparty: trap.company().toUpperCase() },
        { payments: [payment], confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
];
