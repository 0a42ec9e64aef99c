import { joinTexts } from '../statements/line-collector.ts';

export interface StatementDetails {
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly extra: readonly (readonly [string, string | null])[];
}

/** Matches the keys of SEPA texts in German sub-fields. Some banks spell the keys out. */
const SEPA =
  /(?:((?:ABWA|ABWE|BREF|RREF|OAMT|COAM|IBAN|BIC|PURP|DEBT)(?=\+)|(?:EREF|KREF|MREF|CRED|SVWZ)(?=[+:]))[+:])|(END-TO-END-REF|(?:CORE ?\/ ?)?MANDATSREF|GL(?:Ä|AE)UBIGER-ID)\.?: ?/g;
/** Keys that Dutch, Belgian and Nordic banks write between slashes. */
const SLASHED = new Set(
  'TRTP IBAN BIC NAME REMI EREF ORDP BENM CNTP RTRN MARF CSID SVCL PREF ULTD ULTC ULTB PURP ISDT ADDR RTYP TRCD BUSP OAMT IREF KREF BO BI ID'.split(
    ' ',
  ),
);
const PLACEHOLDER = /^(?:not ?provided|nicht ?angegeben|nonref|none|)$/i;
const spelledOutKeys = new Map(Object.entries({ E: 'EREF', C: 'MREF', M: 'MREF', G: 'CRED' }));

/** Parses an :86: field by the structure of its text: numbered sub-fields, keys between slashes, or plain text. */
export function parseStatementDetails(lines: readonly string[]): StatementDetails {
  const [first = ''] = lines;
  const numbered = /^\d{3}(?=([?~>|@+])\d{2})/.exec(first) ?? /^(?=([?~>|])\d{2})/.exec(first);
  if (numbered?.[1] !== undefined) return parseNumberedDetails(lines.join(''), numbered[1]);
  if (/^\/[A-Z]{2,4}\//.test(first)) return parseSlashedDetails(lines.join(''));
  return { description: joinTexts(lines), reference: null, counterparty: null, extra: [] };
}

/**
 * Parses numbered sub-fields such as `166?00Gutschrift?20EREF+…?21…?32Name`. Numbers 20 to 29 and 60 to 63 are the
 * purpose, 32 and 33 the counterparty.
 */
function parseNumberedDetails(text: string, separator: string): StatementDetails {
  const { code, purpose, party, fields } = splitNumberedFields(text, separator);
  const keys = parseSepaKeys(purpose);
  const reference = ignorePlaceholder(keys.get('EREF')) ?? ignorePlaceholder(keys.get('KREF'));
  const plain = keys.size === 0 ? purpose : `${keys.get('') ?? ''} ${keys.get('SVWZ') ?? ''}`;
  return {
    description: joinTexts([plain]) || joinTexts([fields.get('00')]),
    reference,
    counterparty: joinTexts([party]) || null,
    extra: [
      ['code', code || null],
      ['posting', fields.get('00') ?? null],
      ['bank', fields.get('30') ?? null],
      ['account', fields.get('31') ?? null],
      ['mandate', ignorePlaceholder(keys.get('MREF'))],
      ['creditor', ignorePlaceholder(keys.get('CRED'))],
      ['return_reason', fields.get('34') ?? null],
      ...[...keys]
        .filter(([key]) => !MAPPED_KEYS.has(key))
        .map(([key, text]) => [key, ignorePlaceholder(text)] as const),
    ],
  };
}

/** Splits a text into numbered subfields. Joins the subfields of the purpose, and those of the counterparty. */
function splitNumberedFields(text: string, separator: string) {
  const [code = '', ...parts] = text.split(separator);
  let purpose = '';
  let party = '';
  const fields = new Map<string, string>();
  for (const part of parts) {
    const number = /^\d{2}/.exec(part)?.[0];
    const value = part.slice(2);
    // If no number follows the separator, the separator is part of the text.
    if (number === undefined) purpose += separator + part;
    else if (/^(?:2\d|6[0-3])$/.test(number)) purpose += value;
    else if (number === '32' || number === '33') party += value;
    else fields.set(number, (fields.get(number) ?? '') + value);
  }
  return { code, purpose, party, fields };
}

const MAPPED_KEYS = new Set(['', 'EREF', 'SVWZ', 'MREF', 'CRED']);

/** Returns the texts by SEPA key (`EREF+`, `SVWZ+` and so on). The text before the first key has an empty key. */
function parseSepaKeys(text: string): Map<string, string> {
  const keys = new Map<string, string>();
  const matches = [...text.matchAll(SEPA)];
  if (matches.length === 0) return keys;
  keys.set('', text.slice(0, matches[0]?.index));
  matches.forEach((match, at) => {
    const name = match[1] ?? spelledOutKeys.get(match[2]?.charAt(0) ?? '') ?? '';
    const whole = text.slice(match.index + match[0].length, matches[at + 1]?.index).trim();
    // The bank's own reference number follows the value of the last spelled-out key.
    const [value = '', bankNumber] = match[2] === undefined ? [whole] : whole.split(/Ref\. (?=\S+$)/);
    if (bankNumber !== undefined) keys.set('BREF', bankNumber);
    if (!keys.has(name)) keys.set(name, value);
  });
  return keys;
}

/**
 * Parses keys between slashes, for example `/TRTP/SEPA…/IBAN/NL…/NAME/J. Doe/REMI/USTD//invoice 12/EREF/…`. Only
 * known keys start a part, so a slash inside a text is preserved.
 */
function parseSlashedDetails(text: string): StatementDetails {
  const keys = new Map<string, string[]>();
  let name = '';
  for (const word of text.split('/')) {
    if (SLASHED.has(word)) {
      name = word;
      if (!keys.has(name)) keys.set(name, []);
    } else if (name !== '') keys.get(name)?.push(word);
  }
  const value = (key: string) => joinWithSlashes(keys.get(key) ?? []) || null;
  // Some banks put the complete counterparty into one key: /CNTP/IBAN/BIC/NAME/CITY///
  const [, , party] = keys.get('CNTP') ?? [];
  const remittance = value('REMI')?.replace(/^(?:USTD|STRD\/CUR|STRD|ISO)\/{0,2}/, '') ?? null;
  return {
    description: joinTexts([remittance, value('TRTP'), value('RTRN')]),
    reference: ignorePlaceholder(value('EREF')) ?? ignorePlaceholder(value('PREF')),
    counterparty: value('NAME') ?? (party?.trim() || null),
    extra: [
      ['account', value('IBAN') ?? (keys.get('CNTP')?.[0]?.trim() || null)],
      ['bank', value('BIC')],
      ['mandate', value('MARF')],
      ['creditor', value('CSID')],
      ['return_reason', value('RTRN')],
      ['purpose', value('PURP')],
    ],
  };
}

/** Joins words with slashes, without empty words at either end. */
function joinWithSlashes(words: readonly string[]): string {
  const first = words.findIndex((word) => word !== '');
  const last = words.findLastIndex((word) => word !== '');
  return first < 0
    ? ''
    : words
        .slice(first, last + 1)
        .join('/')
        .trim();
}

const ignorePlaceholder = (text: string | null | undefined): string | null =>
  text === null || text === undefined || PLACEHOLDER.test(text.trim()) ? null : text.trim();
