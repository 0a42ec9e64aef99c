import { foldText } from '../indexes/text-runs.ts';

/**
 * Relation of a named payer to a customer. `same`: the complete name. `compatible`: an initial, a part, a name with
 * additional words or a cut name, which is no proof. `different`: another person or company.
 */
export type NameRelation = 'same' | 'compatible' | 'different';

/** Minimum length of a word that shows another company in an extended name. Chosen by judgment. */
const MIN_EXTENSION_LENGTH = 3;

/** Properties of the column that contains the payer's name. */
export interface PayerColumn {
  /** True if the bank may have cut this name, because it is as long as the longest name of the column. */
  readonly mayBeCut: boolean;
  /** True if so many names of the column are as long as this one that the bank probably cuts them. */
  readonly isCut: boolean;
  /** True if the column has enough names to know that it cuts names at this length. */
  readonly isCutKnown: boolean;
}

const LEGAL_FORMS: ReadonlyMap<string, string> = new Map(
  (
    'inc incorporated=inc llc ltd limited=ltd plc gmbh ag kg ohg ug mbh=gmbh sa sas sarl srl spa bv nv ab oy as aps ' +
    'corp corporation=corp co company=co llp lp pty gbr ev ek se sl kk eg'
  )
    .split(' ')
    .map((form) => form.split('=') as [string, string?])
    .map(([form, same]) => [form, same ?? form]),
);
const IGNORED_WORDS = new Set('mr mrs ms miss dr prof herr frau mme mlle the and und et firma fa'.split(' '));
/** Words that belong to the family name that follows them. */
const PARTICLES = new Set(
  'o d l mc mac de la le du des van der den von vom zu zum zur di da del della dos das do ten ter el al bin ibn st san af av'.split(
    ' ',
  ),
);
/** Minimum number of letters of a cut name, and of its last word, that identify a customer. Chosen by judgment. */
const MIN_CUT_NAME_LENGTH = 12;
const MIN_CUT_WORD_LENGTH = 3;
/** Minimum length of a name of a single word that identifies a customer. Chosen by judgment. */
const MIN_SINGLE_WORD_LENGTH = 5;

interface ParsedName {
  /** The words in their order, joined by spaces. */
  readonly text: string;
  /** Words without legal forms and forms of address. Particles are joined with the next word. Sorted. */
  readonly core: readonly string[];
  readonly legal: readonly string[];
}

/** Returns the letters of a name in a form in which `Müller`, `Mueller` and `MULLER` are equal. */
export const normalizeName = (name: string): string =>
  foldText(name)
    .replace(/['’`]/g, '')
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the closest relation of a payer's name to one of a customer's names; null if the text names nobody. */
export function relateNames(
  payer: string,
  customerNames: readonly string[],
  column: PayerColumn,
): NameRelation | null {
  const parsed = parseName(payer);
  if (parsed.core.length === 0 || customerNames.length === 0) return null;
  let closest: NameRelation = 'different';
  for (const name of customerNames) {
    const relation = relateName(parsed, parseName(name), column);
    if (relation === 'same') return 'same';
    if (relation === 'compatible') closest = 'compatible';
  }
  return closest;
}

/** Returns true if a payer's name has all words of a customer's name and another one, as that of another company. */
export function isExtendedName(payer: string, customerNames: readonly string[]): boolean {
  const { core } = parseName(payer);
  return customerNames.some((name) => {
    const rest = [...core];
    for (const word of parseName(name).core) {
      const at = rest.indexOf(word);
      if (at === -1) return false;
      rest.splice(at, 1);
    }
    return rest.some((word) => word.length >= MIN_EXTENSION_LENGTH);
  });
}

function parseName(name: string): ParsedName {
  const text = normalizeName(name);
  const legal: string[] = [];
  const core: string[] = [];
  let particle = '';
  for (const word of text.split(' ')) {
    const form = LEGAL_FORMS.get(word);
    if (form !== undefined) legal.push(form);
    if (form !== undefined || IGNORED_WORDS.has(word) || !/\p{L}/u.test(word)) continue;
    if (PARTICLES.has(word)) particle += word;
    else {
      core.push(particle + word);
      particle = '';
    }
  }
  if (particle !== '') core.push(particle);
  return { text, core: core.sort(), legal: legal.sort() };
}

function relateName(payer: ParsedName, customer: ParsedName, column: PayerColumn): NameRelation {
  if (payer.core.join(' ') === customer.core.join(' ')) return relateLegalForms(payer, customer, column);
  if (column.mayBeCut && isCutOf(payer, customer)) {
    return column.isCutKnown && identifiesWhenCut(payer, customer) ? 'same' : 'compatible';
  }
  return sharesWords(payer.core, customer.core) ? 'compatible' : 'different';
}

/** Compares names with equal words. A name that may be cut is only the beginning of a name. */
function relateLegalForms(payer: ParsedName, customer: ParsedName, column: PayerColumn): NameRelation {
  const [word = ''] = customer.core;
  if (customer.core.length === 1 && word.length < MIN_SINGLE_WORD_LENGTH) return 'compatible';
  if (column.isCut) return 'compatible';
  if (payer.legal.length === 0) return customer.legal.length > 0 && column.mayBeCut ? 'compatible' : 'same';
  const isContradiction = customer.legal.length > 0 && payer.legal.join() !== customer.legal.join();
  return isContradiction ? 'compatible' : 'same';
}

const isCutOf = (payer: ParsedName, customer: ParsedName): boolean =>
  customer.text.length > payer.text.length && customer.text.startsWith(payer.text);

/** Returns true if a cut name ends within a word of the customer's name and is long enough to identify it. */
function identifiesWhenCut(payer: ParsedName, customer: ParsedName): boolean {
  if (payer.text.length < MIN_CUT_NAME_LENGTH || customer.text[payer.text.length] === ' ') return false;
  const words = payer.text.split(' ');
  const last = words.at(-1) as string;
  const complete = customer.text.split(' ')[words.length - 1] as string;
  return words.length > 1 && last.length >= MIN_CUT_WORD_LENGTH && !LEGAL_FORMS.has(complete);
}

/** Returns true if the words of one name all occur in the other one, complete, cut, as an initial or misspelled. */
function sharesWords(payer: readonly string[], customer: readonly string[]): boolean {
  let equal = 0;
  let similar = 0;
  const rest = [...customer];
  const unmatched: string[] = [];
  for (const word of payer) {
    const at = rest.indexOf(word);
    if (at === -1) unmatched.push(word);
    else {
      rest.splice(at, 1);
      if (word.length > 2) equal++;
    }
  }
  for (const word of unmatched) {
    const at = rest.findIndex((other) => areSimilarWords(word, other));
    if (at === -1) continue;
    if (Math.min(word.length, (rest[at] as string).length) > 2) equal++;
    rest.splice(at, 1);
    similar++;
  }
  return equal > 0 && (similar === unmatched.length || rest.length === 0);
}

/** Returns true if one word begins with the other one, or if they differ by one letter or by two swapped letters. */
function areSimilarWords(a: string, b: string): boolean {
  if (a.startsWith(b) || b.startsWith(a)) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false;
  let from = 0;
  while (a[from] === b[from] && from < a.length) from++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)];
  const isSwap = restA.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
  return Math.max(restA.length, restB.length) <= 1 || isSwap;
}
