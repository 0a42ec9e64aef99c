import { cutAtWidth, toBankLetters } from '../text/name-forms.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const print = (name: string, width: number): string => cutAtWidth(toBankLetters(name).toUpperCase(), width);

/** Adds lines with cut names of strangers, so that the column's width shows in the data. */
function addCutLines(trap: TrapBuilder, width: number): void {
  for (let n = 0; n < 12; n++) {
    const long = `${trap.company('Beteiligungsgesellschaft mbH')} und Partner`;
    trap.line(
      { counterparty: print(long, width), amount_in_cents: 700_000 + n * 919, days: n },
      { confirm: 'never', kind: 'stranger' },
    );
  }
}

const STEMS: Readonly<Record<number, string>> = {
  16: 'Hotel ',
  27: 'Schlosserei Stahl ',
  35: 'Fachgrosshandel Sanitaer ',
};

/** Draws a company name without its form that fills a column of 16, 27 or 35 characters. */
function drawStem(trap: TrapBuilder, width: number): string {
  const words = STEMS[width] ?? '';
  const length = width - words.length;
  return `${words}${toBankLetters(trap.surname())
    .replace(/[^A-Za-z]/g, '')
    .padEnd(length, 'ermann')
    .slice(0, length)}`;
}

/** Cause 2: the beginning of a name is not the name. */
export const cutNames: readonly Trap[] = [
  ...[16, 27, 35].map(
    (width): Trap => ({
      title: `a company's name cut at ${width} characters, both companies are customers`,
      cause: 2,
      fill: (trap) => {
        trap.addBackground();
        addCutLines(trap, width);
        const stem = drawStem(trap, width);
        const own = trap.pay({ name: `${stem} & Söhne KG`, paid_on: trap.start });
        trap.pay({ name: `${stem} GmbH`, paid_on: trap.start });
        trap.line(
          { counterparty: stem.toUpperCase() },
          { payments: [own], confirm: 'never', kind: 'truncated-name' },
        );
      },
    }),
  ),
  {
    title: "a stranger's name cut at 16 characters is a customer's name without its form",
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const stem = drawStem(trap, 16);
      trap.pay({ name: `${stem} GmbH` });
      trap.line(
        { counterparty: print(`${stem} & Söhne KG`, 16) },
        { confirm: 'never', kind: 'stranger-namesake' },
      );
    },
  },
  {
    title: 'a cut company name contains the surname and the initial of a person',
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const surname = trap.surname().padEnd(8, 'en').slice(0, 8);
      const [first = ''] = trap.givenNames(1);
      trap.pay({ name: `${first} ${surname}` });
      trap.line(
        { counterparty: print(`Hotel ${surname} ${first.slice(0, 1)}inkehr`, 16) },
        { confirm: 'never', kind: 'stranger-namesake' },
      );
    },
  },
  {
    title: 'an exact reference beside a cut name that fits another customer',
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const stem = drawStem(trap, 16);
      const own = trap.pay({ name: `${stem} & Söhne KG` });
      trap.pay({ name: stem });
      trap.line(
        { counterparty: print(`${stem} & Söhne KG`, 16), reference: `INV ${own.statement_id}` },
        { payments: [own], kind: 'truncated-name' },
      );
    },
  },
  {
    title: 'a surname without its last letter, cut, is a complete surname',
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const surname = trap.surname();
      const first = 'Katharinamariella'.slice(0, 15 - toBankLetters(surname).length);
      trap.pay({ name: `${first} ${surname}` });
      trap.line(
        { counterparty: print(`${first} ${surname}mann`, 16) },
        { confirm: 'never', kind: 'stranger-namesake' },
      );
    },
  },
  ...[16, 27].map(
    (width): Trap => ({
      title: `a stranger's longer company name cut at ${width} characters is a customer's name`,
      cause: 2,
      fill: (trap) => {
        trap.addBackground();
        addCutLines(trap, width);
        const stem = drawStem(trap, width);
        trap.pay({ name: stem });
        const ending = trap.random.pick([
          's Nachfolger KG',
          'ova Trading',
          'berg GmbH',
          ' Immobilien AG',
          ' & Co',
        ]);
        trap.line(
          { counterparty: print(`${stem}${ending}`, width) },
          { confirm: 'never', kind: 'stranger-namesake' },
        );
      },
    }),
  ),
  {
    title: 'a surname first, cut within the given name, is a complete given name',
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const surname = toBankLetters(trap.surname())
        .replace(/[^A-Za-z]/g, '')
        .padEnd(9, 'er')
        .slice(0, 9);
      const given = trap.random.pick(['Chris', 'Marie', 'Klara', 'Julia', 'Frank']);
      trap.pay({ name: `${given} ${surname}` });
      trap.line(
        { counterparty: print(`${surname}, ${given}tine`, 16) },
        { confirm: 'never', kind: 'stranger-namesake' },
      );
    },
  },
  {
    title: "a stranger's complete name of the column's width begins a customer's name",
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 16);
      const surname = trap.random.pick(['Bauer', 'Weber', 'Fuchs', 'Kraus', 'Stein']);
      const given = trap.random.pick(['Maximilian', 'Alexandria', 'Antoinette']);
      trap.pay({ name: `${given} ${surname}mann` });
      trap.pay({ name: trap.person().replace(/ .*/, ` ${surname}`), amount_in_cents: trap.price + 100 });
      trap.line(
        { counterparty: `${given} ${surname}`.toUpperCase() },
        { confirm: 'never', kind: 'stranger-namesake' },
      );
    },
  },
  {
    title: 'two customers whose names are equal up to the width',
    cause: 2,
    fill: (trap) => {
      trap.addBackground();
      addCutLines(trap, 27);
      const stem = `${trap.random.pick(['Werkzeug', 'Maschinen', 'Apparate'])}bau ${trap.surname()}`.padEnd(
        20,
        'er',
      );
      const own = trap.pay({ name: `${stem} Service Nord GmbH` });
      trap.pay({ name: `${stem} Service Nordwest AG`, paid_on: trap.start });
      trap.line(
        { counterparty: print(`${stem} Service Nord GmbH`, 27) },
        { payments: [own], confirm: 'never', kind: 'truncated-name' },
      );
    },
  },
];
