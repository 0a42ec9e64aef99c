import { toBankLetters } from '../text/name-forms.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

/** A customer's name, and the name of somebody else that a careless comparison takes for it. */
type NamePair = readonly [customer: string, other: string];

/** Adds a customer with an unpaid payment, and the same amount from somebody else. Some banks print the text instead. */
function addOther(trap: TrapBuilder, pairs: readonly NamePair[]): void {
  const [customer, other] = pairs[trap.variant % pairs.length] as NamePair;
  const printed = trap.variant % 2 === 0 ? other : toBankLetters(other).toUpperCase();
  trap.addBackground();
  trap.pay({ name: customer });
  trap.line(
    trap.variant < 4
      ? { counterparty: printed }
      : { description: `CREDIT TRANSFER ${printed.toUpperCase()}` },
    { confirm: 'never', kind: 'stranger-namesake' },
  );
}

/** Adds a customer whose line spells the name in another way and quotes the exact id. */
function addSpelling(trap: TrapBuilder, pairs: readonly NamePair[]): void {
  const [name, printed] = pairs[trap.variant % pairs.length] as NamePair;
  trap.addBackground();
  const own = trap.pay({ name });
  trap.line(
    { counterparty: printed, reference: `INV ${own.statement_id}` },
    { payments: [own], kind: 'clean', confirm: 'must' },
  );
}

/** Adds two customers with unpaid payments at one price, and a line whose name fits both. */
function addEither(trap: TrapBuilder, pairs: readonly NamePair[], printed: (pair: NamePair) => string): void {
  const pair = pairs[trap.variant % pairs.length] as NamePair;
  trap.addBackground();
  const [own] = pair.map((name) => trap.pay({ name }));
  trap.line(
    { counterparty: printed(pair) },
    { payments: own === undefined ? [] : [own], confirm: 'never', kind: 'stranger-namesake' },
  );
}

const spellings: readonly NamePair[] = [
  ['Işık Yıldırım', 'ISIK YILDIRIM'],
  ['Łukasz Wójcik', 'LUKASZ WOJCIK'],
  ['Søren Kjærgaard', 'SOEREN KJAERGAARD'],
  ['Núria Güell i Puig', 'NURIA GUELL I PUIG'],
  ['Åse Bjørnstad', 'BJOERNSTAD AASE'],
  ['Jürgen Großmann', 'Grossmann, Juergen'],
];

/** Causes 2 and 3 with names of other languages, titles and company suffixes. */
export const foreignNames: readonly Trap[] = [
  {
    title: 'another second surname',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['María García López', 'María García Ruiz'],
        ['Javier Ortega Núñez', 'Javier Ortega Salas'],
        ['Lucía Romero Vidal', 'Lucía Romero'],
      ]),
  },
  {
    title: 'a feminine surname for a masculine one',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Adam Kowalski', 'Anna Kowalska'],
        ['Petr Novák', 'Petra Nováková'],
        ['Ivan Sokolov', 'Iva Sokolova'],
      ]),
  },
  {
    title: 'given names that differ by one letter',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Michal Nowak', 'Michael Nowak'],
        ['Noel Larsson', 'Nol Larsson'],
        ['Manuel Pinto', 'Manul Pinto'],
        ['Rafal Berg', 'Raffael Berg'],
        ['Joel Carver', 'Jol Carver'],
        ['Daniel Moreau', 'Danièle Moreau'],
      ]),
  },
  {
    title: 'surnames that differ by one letter',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Anja Meier', 'Anja Meyer'],
        ['Ruth Schmidt', 'Ruth Schmitt'],
        ['Owen Clarke', 'Owen Clark'],
        ['Kari Hansen', 'Kari Hanssen'],
      ]),
  },
  {
    title: 'junior and senior',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Thomas Keller jun.', 'Thomas Keller sen.'],
        ['Walter Boyd Jr.', 'Walter Boyd Sr.'],
        ['Henri Duval père', 'Henri Duval fils'],
        ['Thomas Keller', 'Thomas Keller jun.'],
      ]),
  },
  {
    title: 'another middle initial',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['John A. Whitmore', 'John B. Whitmore'],
        ['Mary J. Colby', 'Mary K. Colby'],
        ['Luis M. Prado', 'Luis R. Prado'],
      ]),
  },
  {
    title: 'only a part of a double name',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Anna Meyer-Landau', 'Anna Meyer'],
        ['Karl-Heinz Lutz', 'Karl Lutz'],
        ['Jean-Pierre Roux', 'Pierre Roux'],
        ['Anne-Marie Tessier', 'Marie Tessier'],
      ]),
  },
  {
    title: 'a title of nobility with another given name',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Karl Graf von Hohenfels', 'Elisabeth Gräfin von Hohenfels'],
        ['Moritz Freiherr zu Tannberg', 'Ludwig Freiherr zu Tannberg'],
        ['Duarte de Bragança e Sousa', 'Duarte de Sousa'],
      ]),
  },
  {
    title: 'a title of nobility after the name makes another name',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Stefan Graf', 'Stefan Graf von Hohenfels'],
        ['Otto Ritter', 'Otto Ritter von Ehrenstein'],
        ['Eva Prinz', 'Eva Prinz zu Löwenberg'],
      ]),
  },
  {
    title: 'a patronymic of the father or of the son',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Ahmed bin Khalid', 'Khalid bin Ahmed'],
        ['Jón Einarsson', 'Einar Jónsson'],
        ['Omar ibn Yusuf', 'Yusuf ibn Omar'],
      ]),
  },
  {
    title: 'an initial for the given name in another order',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Cornelis de Wit', 'de Wit C'],
        ['Sanne van Leeuwen', 'Leeuwen, S. van'],
        ['Pedro dos Santos', 'Santos P'],
      ]),
  },
  {
    title: 'the husband pays with the surname in both names',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Greta Brandt', 'Jonas Brandt und Greta Lindt'],
        ['Chloé Perrin', 'M. ou Mme Perrin'],
        ['Alice Doyle', 'Mr & Mrs R Doyle'],
      ]),
  },
  {
    title: 'companies that differ by a number',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Apotheke 24 GmbH', 'Apotheke 42 GmbH'],
        ['Studio 7 Ltd', 'Studio 9 Ltd'],
        ['Lager 2000 AG', 'Lager AG'],
        ['Praxis am Park', 'Praxis am Park 2'],
      ]),
  },
  {
    title: 'companies that differ by their town',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Autohaus Krämer Bonn', 'Autohaus Krämer Köln'],
        ['Harbour Dental Leeds Ltd', 'Harbour Dental York Ltd'],
        ['Pizzeria Roma Lyon SARL', 'Pizzeria Roma Paris SARL'],
      ]),
  },
  {
    title: 'partners of a firm in another order',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Ross & Reed LLP', 'Reed & Ross LLP'],
        ['Lang & Stern GmbH', 'Stern & Lang GmbH'],
        ['Martin Thomas SARL', 'Thomas Martin SARL'],
      ]),
  },
  {
    title: 'a company named after a person is not the person',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Helena Costa', 'Helena Costa Lda'],
        ['Peter Lang', 'Peter Lang Verlag AG'],
        ['Rosa Fuentes', 'Rosa Fuentes e Hijos SL'],
        ['Nils Dahl', 'Nils Dahl AB'],
      ]),
  },
  {
    title: 'a person is not the company with the same name',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Marco Bianchi Srl', 'Bianchi Marco'],
        ['Ingrid Falk AB', 'Ingrid Falk'],
        ['Dirk Maas BV', 'Maas D'],
      ]),
  },
  {
    title: 'company suffixes of other countries',
    cause: 3,
    fill: (trap) =>
      addOther(trap, [
        ['Nordic Timber Oy', 'Nordic Timber AS'],
        ['Solmar Trading SL', 'Solmar Trading SA'],
        ['Delta Foods Sp. z o.o.', 'Delta Foods S.A.'],
        ['Orion Maritime ApS', 'Orion Maritime A/S'],
        ['Vela Nautica SRL', 'Vela Nautica SNC'],
        ['Tatra Steel s.r.o.', 'Tatra Steel a.s.'],
      ]),
  },
  {
    title: 'customers whose names are equal without marks',
    cause: 3,
    fill: (trap) =>
      addEither(
        trap,
        [
          ['Jan Möller', 'Jan Moller'],
          ['José Peña', 'José Pena'],
          ['Ana Çelik', 'Ana Celik'],
        ],
        ([own]) => toBankLetters(own.normalize('NFD').replace(/\p{M}/gu, '')).toUpperCase(),
      ),
  },
  {
    title: 'two partners are named in one payer field',
    cause: 3,
    fill: (trap) =>
      addEither(
        trap,
        [
          ['Rhys Morgan', 'Cerys Morgan'],
          ['Paul Lefort', 'Inès Lefort'],
          ['Piet Bakker', 'Els Visser'],
        ],
        ([one, two]) => `${one} / ${two}`.toUpperCase(),
      ),
  },
  {
    title: 'other spellings with the exact id',
    cause: 3,
    fill: (trap) => addSpelling(trap, spellings),
  },
];
