import { toBankLetters } from '../text/name-forms.ts';
import { englishStems, englishTrades, surnamesWithParticle } from '../text/name-pools.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

/** Adds a customer with an unpaid payment, and the same amount from a stranger with another name. */
function addStranger(trap: TrapBuilder, customer: string, payer: string): void {
  trap.addBackground();
  trap.pay({ name: customer });
  const printed = trap.variant % 3 === 0 ? payer : toBankLetters(payer).toUpperCase();
  trap.line({ counterparty: printed }, { confirm: 'never', kind: 'stranger-namesake' });
}

/** Adds two customers with unpaid payments at one price, and a line whose name fits both. */
function addNamesakes(trap: TrapBuilder, names: readonly [string, string], printed: string): void {
  trap.addBackground();
  const [own] = names.map((name) => trap.pay({ name }));
  const payments = own === undefined ? [] : [own];
  trap.line(
    { counterparty: toBankLetters(printed).toUpperCase() },
    { payments, confirm: 'never', kind: 'initials' },
  );
}

/** Cause 3: a person is not the namesake. */
export const similarNames: readonly Trap[] = [
  {
    title: "O' is not a given name's initial",
    cause: 3,
    fill: (trap) => {
      const surname = trap.random.pick(["O'Connor", "O'Brien", "O'Malley", "O'Neill", "O'Hara", "O'Reilly"]);
      const customer = trap.random.pick(['Odile', 'Oskar', 'Ottilie', 'Olga', 'Orla']);
      addStranger(
        trap,
        `${customer} ${surname}`,
        `${trap.random.pick(['Ulrike', 'Sean', 'Mary', 'Liam'])} ${surname}`,
      );
    },
  },
  {
    title: "D' is not a given name's initial",
    cause: 3,
    fill: (trap) => {
      const surname = trap.random.pick(["D'Angelo", "D'Amico", "D'Souza", "D'Agostino"]);
      const customer = trap.random.pick(['Daria', 'Dario', 'Donato', 'Diana']);
      addStranger(
        trap,
        `${customer} ${surname}`,
        `${trap.random.pick(['Paola', 'Rita', 'Vito', 'Enzo'])} ${surname}`,
      );
    },
  },
  {
    title: 'an initial fits two customers',
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const [one = '', two = ''] = trap.givenNames(2, true);
      addNamesakes(trap, [`${one} ${surname}`, `${two} ${surname}`], `${one.slice(0, 1)}. ${surname}`);
    },
  },
  {
    title: "a stranger's initial fits the only customer of that surname",
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const [one = ''] = trap.givenNames(1);
      addStranger(trap, `${one} ${surname}`, `${one.slice(0, 1)}. ${surname}`);
    },
  },
  {
    title: 'a different given name before the same particle and surname',
    cause: 3,
    fill: (trap) => {
      const surname = trap.random.pick(surnamesWithParticle);
      const [one = '', two = ''] = trap.givenNames(2, trap.variant % 2 === 0);
      addStranger(trap, `${one} ${surname}`, `${two} ${surname}`);
    },
  },
  {
    title: 'a particle makes another surname',
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const particle = trap.random.pick(['von', 'van', 'de', 'van der', 'di']);
      const [one = ''] = trap.givenNames(1);
      addStranger(trap, `${one} ${particle} ${surname}`, `${one} ${surname}`);
    },
  },
  {
    title: 'an additional given name belongs to another person',
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const [one = '', two = ''] = trap.givenNames(2);
      addStranger(trap, `${one} ${surname}`, `${two} ${one} ${surname}`);
    },
  },
  {
    title: 'only the surname of the only customer with that surname',
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const title = trap.random.pick(['Familie', 'Eheleute', 'Erbengemeinschaft', 'Praxis Dr.', 'Nachlass']);
      addStranger(trap, `${trap.givenNames(1)[0]} ${surname}`, `${title} ${surname}`);
    },
  },
  {
    title: 'a joint account of two customers',
    cause: 3,
    fill: (trap) => {
      const surname = trap.surname();
      const [one = '', two = ''] = trap.givenNames(2);
      const printed = `${one} ${trap.random.pick(['und', 'u.', 'and', '+'])} ${two} ${surname}`;
      addNamesakes(trap, [`${one} ${surname}`, `${two} ${surname}`], printed);
    },
  },
  {
    title: 'given name and surname exchanged, both are customers',
    cause: 3,
    fill: (trap) => {
      const pairs = [
        'Martin Walter',
        'Paul Simon',
        'Ernst August',
        'Frank Thomas',
        'Otto Werner',
        'Kurt Albert',
      ];
      const [one = '', two = ''] = (pairs[trap.variant % pairs.length] as string).split(' ');
      addNamesakes(trap, [`${one} ${two}`, `${two} ${one}`], `${one} ${two}`);
    },
  },
  {
    title: 'another legal form of the same company name',
    cause: 3,
    fill: (trap) => {
      const stem = `${trap.random.pick(englishStems)} ${trap.random.pick(englishTrades)}`;
      const [one, two] = trap.random.shuffle(['Ltd', 'LLC', 'Inc', 'PLC', 'GmbH', 'AG']);
      addStranger(trap, `${stem} ${one}`, `${stem} ${two}`);
    },
  },
  {
    title: 'a sister company with one more word',
    cause: 3,
    fill: (trap) => {
      const stem = `${trap.random.pick(englishStems)} ${trap.random.pick(englishTrades)}`;
      const word = trap.random.pick(['Holding', 'International', 'Services', 'Nord', 'Leasing']);
      addStranger(trap, `${stem} Ltd`, `${stem} ${word} Ltd`);
    },
  },
];
