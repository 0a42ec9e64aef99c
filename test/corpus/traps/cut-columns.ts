import { cutAtWidth } from '../text/name-forms.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

type NamePair = readonly [customer: string, other: string];

const print = (name: string, width: number): string => cutAtWidth(name.toUpperCase(), width);
const towns = ['ROTTERDAM', 'GOTEBORG', 'BARCELONA', 'LIVERPOOL', 'KOBENHAVN', 'MARSEILLE', 'ANTWERPEN'];

/** Adds lines of suppliers whose names are cut, so that the column's width shows in the data. */
function addCutSuppliers(trap: TrapBuilder, width: number): void {
  for (let n = 0; n < 40; n++) {
    const name = `${towns[n % towns.length]} ${trap.surname().toUpperCase()} TRANSPORT AND WAREHOUSING COMPANY`;
    trap.line(
      { counterparty: print(name, width), amount_in_cents: -(400_000 + n * 717), days: n % 30 },
      { confirm: 'never', kind: 'stranger' },
    );
  }
}

/** Adds a customer, and the same amount from a stranger whose cut name begins as the customer's does. */
function addCutStranger(trap: TrapBuilder, width: number, pairs: readonly NamePair[]): void {
  const [customer, other] = pairs[trap.variant % pairs.length] as NamePair;
  trap.addBackground();
  addCutSuppliers(trap, width);
  trap.pay({ name: customer });
  trap.line({ counterparty: print(other, width) }, { confirm: 'never', kind: 'stranger-namesake' });
}

/** Cause 2: names cut at the widths that banks use. */
export const cutColumns: readonly Trap[] = [
  {
    title: "a stranger's trade and surname, cut within the surname",
    cause: 2,
    fill: (trap) =>
      addCutStranger(trap, 16, [
        ['Schreinerei Hofmann', 'Schreinerei Hofmeister'],
        ['Boulangerie Delmas', 'Boulangerie Delmont et Fils'],
        ['Panaderia Ramos', 'Panaderia Ramosol'],
      ]),
  },
  {
    title: "a stranger's given name and surname, cut within the surname",
    cause: 2,
    fill: (trap) =>
      addCutStranger(trap, 16, [
        ['Alexandra Hoffmann', 'Alexandra Hoffmaier'],
        ['Christopher Mueller', 'Christopher Muelhens'],
        ['Montserrat Gonzalez', 'Montserrat Gonzaga'],
      ]),
  },
  {
    title: 'a company cut within its last word',
    cause: 2,
    fill: (trap) =>
      addCutStranger(trap, 27, [
        ['Northern Harbour Engineering Ltd', 'Northern Harbour Enginemen Union'],
        ['Grupo Constructor Levante Norte', 'Grupo Constructor Levante Nova SL'],
        ['Gemeinschaftspraxis Dr. Holzmann', 'Gemeinschaftspraxis Dr. Holzer'],
      ]),
  },
  {
    title: 'a company cut before its legal form',
    cause: 2,
    fill: (trap) =>
      addCutStranger(trap, 35, [
        ['Vereinigte Sanitaerbetriebe Ostholst GmbH', 'Vereinigte Sanitaerbetriebe Ostholst AG'],
        ['Compagnie Generale des Eaux du Midi SA', 'Compagnie Generale des Eaux du Midi SARL'],
        ['Royal Western Agricultural Suppliers Ltd', 'Royal Western Agricultural Suppliers PLC'],
      ]),
  },
  {
    title: 'a name of exactly the width that continues for another company',
    cause: 2,
    fill: (trap) =>
      addCutStranger(trap, 27, [
        ['Maschinenbau Weber und Soeh', 'Maschinenbau Weber und Soehngen KG'],
        ['Atelier de Couture Beaumonde', 'Atelier de Couture Beaumont et Cie'],
        ['Transportes Hermanos Vidal', 'Transportes Hermanos Vidales SA'],
      ]),
  },
  {
    title: 'a cut name beside the exact id of the customer with the longer name',
    cause: 2,
    fill: (trap) => {
      const pairs: readonly NamePair[] = [
        ['Katherine Westbrooke', 'Katherine Westbury'],
        ['Boulangerie Delmas', 'Boulangerie Delmont'],
        ['Schreinerei Hofmeister', 'Schreinerei Hofmann'],
      ];
      const [name, other] = pairs[trap.variant % pairs.length] as NamePair;
      trap.addBackground();
      addCutSuppliers(trap, 14);
      const own = trap.pay({ name });
      trap.pay({ name: other, statement_id: own.statement_id + 2_468_013 });
      trap.line(
        { counterparty: print(name, 14), reference: `INV ${own.statement_id}` },
        { payments: [own], kind: 'truncated-name', confirm: 'must' },
      );
    },
  },
];
