import type { Random } from '../model/random.ts';
import { foldName } from './name-forms.ts';
import {
  companyForms,
  companyKinds,
  englishForms,
  englishStems,
  englishTrades,
  firstNames,
  surnames,
  surnamesWithParticle,
} from './name-pools.ts';

export interface NameOptions {
  /** Number of different surnames or company stems. A small number gives many namesakes. */
  readonly families: number;
  readonly companyShare: number;
  readonly particleShare: number;
  readonly english: boolean;
}

export interface DrawnName {
  readonly name: string;
  readonly company: boolean;
}

/** Draws names of customers and of strangers, and no name twice. */
export class NameFactory {
  readonly #random: Random;
  readonly #options: NameOptions;
  readonly #families: readonly string[];
  readonly #stems: readonly string[];
  readonly #used = new Set<string>();

  constructor(random: Random, options: NameOptions) {
    this.#random = random;
    this.#options = options;
    this.#families = random.shuffle([...surnames]).slice(0, options.families);
    this.#stems = random.shuffle([...englishStems]).slice(0, options.families);
  }

  draw(): DrawnName {
    for (let tries = 0; ; tries++) {
      const company = this.#random.chance(this.#options.companyShare);
      const name = company ? this.#drawCompany(tries) : this.#drawPerson(tries);
      if (this.claim(name)) return { name, company };
    }
  }

  /** Draws a different name with the same surname, company stem or beginning. */
  drawNamesake({ name, company }: DrawnName): DrawnName {
    for (let tries = 0; ; tries++) {
      const other = company ? this.#drawCompanyNamesake(name) : this.#drawPersonNamesake(name);
      const numbered = tries < 20 ? other : `${other} ${this.#drawSuffix()}`;
      if (this.claim(numbered)) return { name: numbered, company };
    }
  }

  /** Returns false if a name that a bank writes the same way exists. */
  claim(name: string): boolean {
    const key = foldName(name).join(' ');
    if (this.#used.has(key)) return false;
    this.#used.add(key);
    return true;
  }

  #drawPerson(tries: number): string {
    const particle = this.#random.chance(this.#options.particleShare);
    const surname = particle ? this.#random.pick(surnamesWithParticle) : this.#random.pick(this.#families);
    const first = this.#random.pick(firstNames);
    if (tries > 10)
      return `${first} ${this.#random.pick(firstNames)} ${surname}-${this.#random.pick(surnames)}`;
    const middle = tries > 3 || this.#random.chance(0.1) ? ` ${this.#random.pick(firstNames)}` : '';
    return `${first}${middle} ${surname}`;
  }

  #drawCompany(tries: number): string {
    const stem = this.#random.pick(this.#options.english ? this.#stems : this.#families);
    const suffix = tries > 6 ? ` ${this.#drawSuffix()}` : '';
    if (this.#options.english) {
      return `${stem} ${this.#random.pick(englishTrades)}${suffix} ${this.#random.pick(englishForms)}`;
    }
    return `${this.#random.pick(companyKinds)} ${stem}${suffix} ${this.#random.pick(companyForms)}`;
  }

  #drawSuffix(): string {
    return (
      this.#random.pick(['Nord', 'Süd', 'West', 'Ost', 'Mitte', 'Hafen', 'Markt', 'Altstadt']) +
      this.#drawTown()
    );
  }

  #drawTown(): string {
    return this.#random.pick([
      '',
      '',
      ' Kiel',
      ' Ulm',
      ' Bonn',
      ' Trier',
      ' Jena',
      ' Graz',
      ' Wels',
      ' Basel',
    ]);
  }

  #drawPersonNamesake(name: string): string {
    const words = name.split(' ');
    const first = this.#random.pick(firstNames);
    return [first, ...words.slice(1)].join(' ');
  }

  #drawCompanyNamesake(name: string): string {
    const forms: readonly string[] = this.#options.english ? englishForms : companyForms;
    const form = forms.find((each) => name.endsWith(` ${each}`)) ?? '';
    const stem = name.slice(0, name.length - form.length).trim();
    return `${stem} ${this.#random.pick(forms)}`;
  }
}
