import { listSpellings } from '../indexes/customer-names.ts';

/**
 * Relation of a named payer to a customer. `same`: the complete name. `compatible`: an initial, a part, a name with
 * additional words or a cut name, which is no proof. `different`: another person or company.
 */
export type NameRelation = 'same' | 'compatible' | 'different';

/** All relations, and null for a text that names nobody, so that a relation can be stored as a number. */
export const nameRelations: readonly (NameRelation | null)[] = [null, 'same', 'compatible', 'different'];

/** Minimum length of a word that shows another company in an extended name. Chosen by judgment. */
const MIN_EXTENSION_LENGTH = 3;

/** Properties of the column that contains the payer's name. */
export interface PayerColumn {
  /** True if the bank may have cut this name, because it is as long as the longest name of the column. */
  readonly mayBeCut: boolean;
  /** True if so many names of the column are as long as this one that the bank probably cuts them. */
  readonly isCut: boolean;
}

const LEGAL_FORMS: ReadonlyMap<string, string> = new Map(
  (
    'inc incorporated=inc llc ltd limited=ltd plc gmbh ggmbh ag kg kgaa ohg ug mbh=gmbh se eg ev ek gbr corp corporation=corp ' +
    'co company=co llp lp pty sa sas sasu sarl eurl sci snc scop srl srls spa sapa bv nv vof cv ab hb kb oy oyj as asa ans ' +
    'aps ivs hf ehf sl slu sll scp lda ltda eireli spzoo zoo sro kft zrt bt doo dd ad ead ood eood uab kk pte bhd'
  )
    .split(' ')
    .map((form) => form.split('=') as [string, string?])
    .map(([form, same]) => [form, same ?? form]),
);
/** Words between the partners of a firm. */
export const CONJUNCTIONS = new Set('and und et og och'.split(' '));
/**
 * Legal forms after which a company's name ends. `GmbH` is none of them, because `& Co. KG` often follows it, and neither
 * are forms with which other words begin.
 */
const FINAL_FORMS = new Set('inc ltd llc plc ag kg kgaa ohg bv nv srl sarl'.split(' '));
const IGNORED_WORDS = new Set('mr mrs ms miss dr prof herr frau mme mlle the firma fa'.split(' '));
/** Words that belong to the family name that follows them. */
const PARTICLES = new Set(
  'o d l mc mac de la le du des van der den von vom zu zum zur di da del della dos das do ten ter el al bin ibn st san af av'.split(
    ' ',
  ),
);
/** Minimum length of a name of a single word that identifies a customer. Chosen by judgment. */
const MIN_SINGLE_WORD_LENGTH = 5;

interface ParsedName {
  /** The letters and digits, with one space between words. */
  readonly text: string;
  /** All words except forms of address. */
  readonly words: readonly string[];
  /** Words without legal forms. Particles are joined with the next word. */
  readonly core: readonly string[];
}

/**
 * Returns the letters and digits of a name in the spellings that banks use: `Müller` is `muller` or `mueller`. Names are
 * equal if they share a spelling, so `Michal` and `Michael` differ.
 */
export const listNameForms = (name: string): string[] => [
  ...new Set(
    listSpellings(name).map((spelling) =>
      spelling
        .replace(/['’`]/g, '')
        .replace(/&/g, ' & ')
        .replace(/[^\p{L}\p{N}&]+/gu, ' ')
        .trim()
        .replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, ''),
    ),
  ),
];

/** Returns the closest relation of a payer's name to one of a customer's names; null if the text names nobody. */
export function relateNames(
  payer: string,
  customerNames: readonly string[],
  column: PayerColumn,
): NameRelation | null {
  const forms = parseForms(payer);
  if (forms.every(({ core }) => core.length === 0) || customerNames.length === 0) return null;
  let closest: NameRelation = 'different';
  for (const customer of customerNames.flatMap(parseForms)) {
    for (const form of forms) {
      const relation = relateName(form, customer, column);
      if (relation === 'same') return 'same';
      if (relation === 'compatible') closest = 'compatible';
    }
  }
  return closest;
}

/** Returns true if a name ends with a legal form that no other word follows. */
export const endsWithLegalForm = (name: string): boolean =>
  parseForms(name).every(({ words }) => FINAL_FORMS.has(words.at(-1) ?? ''));

/** Returns true if a payer's name has all words of a customer's name and another one, as that of another company. */
export function isExtendedName(payer: string, customerNames: readonly string[]): boolean {
  const [form] = parseForms(payer);
  return customerNames.flatMap(parseForms).some((customer) => {
    const rest = [...(form?.core ?? [])];
    for (const word of customer.core) {
      const at = rest.indexOf(word);
      if (at === -1) return false;
      rest.splice(at, 1);
    }
    return rest.some((word) => word.length >= MIN_EXTENSION_LENGTH);
  });
}

/** Returns the words of each spelling of a name. Empty if the name has a number, which no word of a text confirms. */
export const listNameWords = (name: string): (readonly string[])[] =>
  /\d/.test(name) ? [] : listSpellings(name).map((form) => listWords(form.match(/\p{L}+|&/gu) ?? []));

/** Returns the words except forms of address. Conjunctions become equal, and so do forms of the same kind of company. */
const listWords = (words: readonly string[]): string[] =>
  words
    .filter((word) => !IGNORED_WORDS.has(word))
    .map((word) => (CONJUNCTIONS.has(word) ? '&' : (LEGAL_FORMS.get(word) ?? word)));

/** Words of a text that show a company. Legal forms that are also ordinary words are left out. */
export const COMPANY_WORDS: readonly string[] = [...LEGAL_FORMS.keys()].filter(
  (form) => !['co', 'as', 'se', 'ek', 'ev', 'sa', 'ad', 'dd', 'company', 'limited'].includes(form),
);

const parseForms = (name: string): ParsedName[] => listNameForms(name).map(parseName);

function parseName(text: string): ParsedName {
  const words = listWords(text.split(' '));
  const core: string[] = [];
  let particle = '';
  for (const word of words) {
    if (word === '&' || LEGAL_FORMS.has(word)) continue;
    if (PARTICLES.has(word)) particle += word;
    else {
      core.push(particle + word);
      particle = '';
    }
  }
  if (particle !== '') core.push(particle);
  return { text, words, core };
}

/** Compares two spellings. A name without its legal form, or with another one, may be another company's. */
function relateName(payer: ParsedName, customer: ParsedName, column: PayerColumn): NameRelation {
  const [word = ''] = customer.core;
  const isDistinctive = customer.core.length > 1 || word.length >= MIN_SINGLE_WORD_LENGTH;
  if (isRotation(payer.words, customer.words)) return isDistinctive && !column.isCut ? 'same' : 'compatible';
  if (column.mayBeCut && isCutOf(payer, customer)) return 'compatible';
  return sharesWords(payer.core, customer.core) ? 'compatible' : 'different';
}

/** Returns true if words are equal in the same order, apart from words that were moved from the end to the beginning. */
export function isRotation<Word>(words: readonly Word[], others: readonly Word[]): boolean {
  if (words.length !== others.length) return false;
  return others.some((_, by) => words.every((word, at) => word === others[(at + by) % others.length]));
}

const isCutOf = (payer: ParsedName, customer: ParsedName): boolean =>
  customer.text.length > payer.text.length && customer.text.startsWith(payer.text);

/**
 * Returns true if all words of the payer's name occur in the customer's, complete, cut, as an initial or misspelled, or if
 * all words of the customer's name occur in the payer's. An initial beside another word is another person's.
 */
function sharesWords(payer: readonly string[], customer: readonly string[]): boolean {
  const rest = [...customer];
  const take = (word: string, areAlike: (a: string, b: string) => boolean): 'word' | 'initial' | null => {
    const at = rest.findIndex((other) => areAlike(word, other));
    if (at === -1) return null;
    const [other = ''] = rest.splice(at, 1);
    return Math.min(word.length, other.length) > 2 ? 'word' : 'initial';
  };
  const equal = payer.map((word) => take(word, (a, b) => a === b));
  const similar = payer.map((word, at) => (equal[at] === null ? take(word, areSimilarWords) : null));
  if (![...equal, ...similar].includes('word')) return false;
  const isExplained = payer.every((_, at) => equal[at] !== null || similar[at] !== null);
  return isExplained || (rest.length === 0 && !similar.includes('initial'));
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
