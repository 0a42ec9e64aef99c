import type { World } from '../model/world.ts';
import { generateInsurance } from './insurance.ts';
import { generatePremiums } from './premiums.ts';
import { generateSaas } from './saas.ts';
import { generateUtilities } from './utilities.ts';
import { generateWholesale } from './wholesale.ts';

export const generators = {
  insurance: generateInsurance,
  premiums: generatePremiums,
  saas: generateSaas,
  utilities: generateUtilities,
  wholesale: generateWholesale,
} as const;

export type GeneratorName = keyof typeof generators;
export const generatorNames = Object.keys(generators) as GeneratorName[];

/** Returns the world of a seed. The seed also decides on the generator, so that it reproduces the world alone. */
export function generateWorld(seed: number, lines: number): World {
  const name = generatorNames[seed % generatorNames.length] as GeneratorName;
  return generators[name](seed, lines);
}
