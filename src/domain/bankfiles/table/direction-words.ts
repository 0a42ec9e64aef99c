import { foldCaseAndAccents, normalizeColumnName } from './table-rows.ts';

export type Direction = 'in' | 'out';

/** Words for money that leaves and money that enters the account, one language per line, outgoing words first. */
const WORDS: readonly (readonly [outgoing: string, incoming: string])[] = [
  [
    'debit|debits|debited|dr|db|dbit|out|outgoing|outbound|withdrawal|withdrawals|withdrawn|paid out|money out|sent|cash out',
    'credit|credits|credited|cr|crdt|in|incoming|inbound|deposit|deposits|deposited|paid in|money in|received|cash in',
  ],
  [
    'soll|belastung|belastungen|lastschrift|lastschriften|ausgang|ausgaben|ausgabe|auszahlung|abgang',
    'haben|gutschrift|gutschriften|eingang|einnahmen|einnahme|einzahlung|zugang',
  ],
  [
    'af|uit|afschrijving|afgeschreven|uitgaand|uitgaven',
    'bij|bijschrijving|bijgeschreven|inkomend|inkomsten',
  ],
  ['debet|uttag|utgaende|utgift', 'kredit|insattning|inkommande|inkomst'],
  [
    'ud|udgift|udbetaling|haevet|ut|utbetaling|ut fra konto|belastet',
    'ind|indtaegt|indbetaling|indsat|inn|innbetaling|inn pa konto|godskrevet',
  ],
  ['otto|panot pois|veloitus|tilitapahtuma ulos', 'pano|hyvitys'],
  ['debit|sortie|sorties|retrait|depense', 'credit|entree|entrees|versement|recette'],
  [
    'debe|cargo|cargos|adeudo|gasto|gastos|salida|salidas|retiro|retiros|egreso|egresos|debito|debitos',
    'haber|abono|abonos|ingreso|ingresos|entrada|entradas|deposito|depositos|credito|creditos',
  ],
  ['dare|addebito|addebiti|uscita|uscite|a debito', 'avere|accredito|accrediti|entrata|entrate|a credito'],
  ['saida|saidas|levantamento|levantamentos', 'entrada|entradas|deposito|depositos'],
  [
    'obciazenie|obciazenia|wyplata|wyplaty|wydatki|wychodzace|wn|winien',
    'uznanie|uznania|wplata|wplaty|wplywy|przychodzace|ma',
  ],
  [
    'vydaj|vydaje|vydej|odchozi|odchadzajuca|debet|ma dati',
    'prijem|prijmy|prichozi|prichadzajuca|kredit|dal',
  ],
  ['terheles|kimeno|kiadas|tartozik', 'jovairas|bejovo|bevetel|kovetel'],
  ['debit|plati|iesiri', 'credit|incasari|intrari'],
  ['isplata|duguje|odliv|v breme|rashod', 'uplata|potrazuje|priliv|v dobro|prihod'],
  ['дебит|дебет|расход|списание|разход', 'кредит|приход|зачисление|приход'],
  ['χρεωση|χρεωσεις|εξοδα', 'πιστωση|πιστωσεις|εσοδα'],
  ['borc|cikan|giden', 'alacak|giren|gelen'],
  [
    '借|借方|支出|出金|お支払金額|支払い金額|支払金額|お引出し|お引き出し|引出し|出金額|払',
    '贷|貸|贷方|貸方|收入|入金|お預り金額|預かり金額|預り金額|お預入れ|お預け入れ|預入れ|入金額|入',
  ],
  ['출금|출금액', '입금|입금액'],
  ['חובה', 'זכות'],
  ['مدين', 'دائن'],
];

/** Abbreviations, outgoing first. Several languages use the same letter, so the letters of a column decide together. */
const ABBREVIATIONS: readonly (readonly [outgoing: string, incoming: string, names: string])[] = [
  ['d', 'c', 'debit|credit|debet|debito|credito'],
  ['d', 'k', 'debet|kredit|debit'],
  ['s', 'h', 'soll|haben'],
  ['d', 'h', 'debe|haber'],
  ['d', 'a', 'dare|avere'],
  ['a', 'b', 'af|bij'],
  ['b', 'a', 'borc|alacak'],
  ['c', 'a', 'cargo|abono'],
  ['md', 'd', 'madati|dal'],
  ['w', 'd', 'withdrawal|deposit'],
  ['t', 'j', 'terheles|jovairas'],
  ['t', 'k', 'tartozik|kovetel'],
  ['χ', 'π', 'χρεωση|πιστωση|προσημο'],
  ['д', 'к', 'дебет|кредит|дебит'],
  ['-', '+', ''],
  ['\u2212', '+', ''],
];
/** Number of leading `ABBREVIATIONS` that apply whenever a column contains no other letters. */
const COMMON_ABBREVIATIONS = 4;

const normalize = (text: string): string =>
  foldCaseAndAccents(text.trim())
    .replace(/[.:]+$/, '')
    .replace(/[\s_-]+(?=\S)/g, ' ');

const toWords = (side: 0 | 1): ReadonlySet<string> =>
  new Set(WORDS.flatMap((pair) => pair[side].split('|').map(normalize)));
const outgoingWords = toWords(0);
const incomingWords = toWords(1);

/** Column names of outgoing and of incoming amounts, compared after `normalizeColumnName`. */
export const columnNamesByDirection = {
  debit: [...outgoingWords].map(normalizeColumnName),
  credit: [...incomingWords].map(normalizeColumnName),
};

/**
 * Returns the direction of each text of a direction column. Texts that are unknown, or that mean different directions in
 * different languages, are missing. The column's header can decide between languages.
 */
export function resolveDirections(texts: Iterable<string>, header: string): Map<string, Direction> {
  const directions = new Map<string, Direction>();
  const letters = new Map<string, string>();
  for (const text of texts) {
    const plain = normalize(text);
    if (outgoingWords.has(plain) && !incomingWords.has(plain)) directions.set(text, 'out');
    else if (incomingWords.has(plain) && !outgoingWords.has(plain)) directions.set(text, 'in');
    else letters.set(text, plain);
  }
  const pairs = findAbbreviations(new Set(letters.values()), header);
  for (const [text, letter] of letters) {
    const sides = new Set(pairs.map(([outgoing]) => (letter === outgoing ? 'out' : 'in')));
    if (sides.size === 1) directions.set(text, [...sides][0] as Direction);
  }
  return directions;
}

function findAbbreviations(letters: ReadonlySet<string>, header: string): typeof ABBREVIATIONS {
  const fitting = ABBREVIATIONS.filter(([outgoing, incoming]) =>
    [...letters].every((letter) => letter === outgoing || letter === incoming),
  );
  const plainHeader = normalizeColumnName(header);
  const named = fitting.filter(
    ([outgoing, incoming, names]) =>
      names.split('|').some((name) => name.length > 1 && plainHeader.includes(name)) ||
      [outgoing + incoming, incoming + outgoing].includes(plainHeader),
  );
  if (named.length > 0) return named;
  const common = fitting.filter((pair) => ABBREVIATIONS.indexOf(pair) < COMMON_ABBREVIATIONS);
  return common.length > 0 ? common : fitting;
}
