/**
 * Verifies confirmed matches and their certificates against the rows. Imports nothing, so that a bug in the matching
 * code cannot hide itself here.
 */
type Row = { id: number; amount_in_cents: number; currency: string; gateway_transaction_id: string | null };
type Texts = { description: string; reference: string | null; counterparty: string | null };
type BankRow = Row & Texts & { account: number; booked_on: string; payout_id: string | null };
type Ids = { statement_id: number; payment_id: number | null; subscription_id: number | null };
export type VerifiableLine = Readonly<BankRow>;
export type VerifiablePayment = Readonly<Row & Ids & { paid_on: string; names: readonly string[] }>;
type Share = Readonly<{ id: number; allocated_in_cents: number }>;
type Days = Readonly<{ from_days: number; to_days: number }>;
/** Line and payment that a fact describes. Without both, the fact describes every line and payment of the match. */
type Member = { readonly line?: number | undefined; readonly payment?: number | undefined };
type Fact = Member & { readonly fact: string; readonly value?: string | undefined };
type Certificate = Readonly<{ facts: readonly Fact[]; window: Days; usual: Days; slip_rate: number }>;
/** A confirmed match. `certificate` is null if a person or a match rule made the match. */
export type VerifiableMatch = Readonly<{
  id: number | string;
  lines: readonly Share[];
  payments: readonly Share[];
  adjustments: readonly { amount_in_cents: number }[];
  certificate: Certificate | null;
}>;
type Rows = { lines: Iterable<VerifiableLine>; payments: Iterable<VerifiablePayment> };
type Pair = { line: VerifiableLine; payment: VerifiablePayment; members: readonly Row[]; proof: Certificate };

const MAX_SLIP_RISK = 1e-5;
/** Words that identify no person or company: legal forms and forms of address. */
const IGNORED =
  /^(mr|mrs|ms|dr|prof|herr|frau|the|and|und|et|inc\w*|llc|ltd|limited|plc|gmbh|mbh|ag|kg|kgaa|ohg|ug|sas?|sarl|srl|spa|bv|nv|co|corp\w*|company|llp|lp|pty|gbr|ek|ev|ab|oy|as|aps|firma)$/;

/**
 * Returns the problems of the matches. The scope `all` requires all lines, payments and confirmed matches. The scope
 * `facts` requires only the rows of the given matches, and checks only their amounts and stated facts.
 */
export function verifyMatches(rows: Rows, matches: readonly VerifiableMatch[], scope: 'all' | 'facts') {
  const books = indexRows(rows, matches);
  return matches.flatMap((match) => {
    const problems = [...listWrongAmounts(books, match), ...listUnproved(books, match, scope === 'all')];
    return problems.map((problem) => ({ match: match.id, problem }));
  });
}

type Books = ReturnType<typeof indexRows>;

function indexRows(rows: Rows, matches: readonly VerifiableMatch[]) {
  const lines = new Map([...rows.lines].map((line) => [line.id, line]));
  const payments = new Map([...rows.payments].map((payment) => [payment.id, payment]));
  const claimed = new Map<Row | undefined, number>();
  const claim = (row: Row | undefined, cents: number) => claimed.set(row, (claimed.get(row) ?? 0) + cents);
  const counts = new Map<number, number>();
  for (const match of matches) {
    for (const { id, allocated_in_cents } of match.lines) claim(lines.get(id), allocated_in_cents);
    for (const { id, allocated_in_cents } of match.payments) claim(payments.get(id), allocated_in_cents);
    const [line, payment] = [lines.get(match.lines[0]?.id ?? -1), payments.get(match.payments[0]?.id ?? -1)];
    if (!line?.counterparty || payment === undefined) continue;
    const change = contradicts(line.counterparty, payment.names) ? -1 : 1;
    counts.set(line.account, (counts.get(line.account) ?? 4) + change);
  }
  return {
    lines,
    payments,
    claimed,
    linesByAmount: Map.groupBy(lines.values(), toKey),
    paymentsByAmount: Map.groupBy(payments.values(), toKey),
    ids: new Set([...payments.values()].flatMap(listIds)),
    quoted: new Set([...lines.values()].flatMap(listNumbers)),
    isOpen: (row: Row) => claimed.get(row) !== row.amount_in_cents,
    /** If most matches of an account contradict the counterparty field, the field does not contain payers. */
    namesOther: (line: VerifiableLine, { names }: VerifiablePayment) =>
      (counts.get(line.account) ?? 0) >= 0 && contradicts(line.counterparty, names),
  };
}

function* listWrongAmounts(books: Books, match: VerifiableMatch): Generator<string> {
  const sum = (cents: readonly number[]) => cents.reduce((total, each) => total + each, 0);
  const total = (shares: readonly Share[]) => sum(shares.map((share) => share.allocated_in_cents));
  const adjusted = sum(match.adjustments.map((each) => each.amount_in_cents));
  if (total(match.lines) !== total(match.payments) + adjusted) yield 'the amounts do not balance';
  const rows = [
    ...match.lines.map(({ id }) => books.lines.get(id)),
    ...match.payments.map(({ id }) => books.payments.get(id)),
  ];
  if (new Set(rows.map((row) => row?.currency)).size > 1)
    yield 'a row does not exist or has another currency';
  for (const row of rows) {
    const [cents, claimed] = [row?.amount_in_cents ?? 0, books.claimed.get(row) ?? 0];
    if (Math.abs(claimed) > Math.abs(cents) || claimed * cents < 0)
      yield `row ${row?.id} is matched more than once`;
  }
}

/** Yields the stated facts that the rows contradict. If all rows are known, also yields equally likely matches. */
function* listUnproved(books: Books, match: VerifiableMatch, hasAllRows: boolean): Generator<string> {
  const proof = match.certificate;
  if (proof === null) return;
  const lines = match.lines.flatMap(({ id }) => books.lines.get(id) ?? []);
  const { facts, window, usual, slip_rate } = proof;
  const [{ fact, value = '', payment: reversed = -1 } = { fact: '' }] = facts as [Fact?];
  if (usual.from_days < window.from_days || usual.to_days > window.to_days || slip_rate <= 0)
    yield 'the certificate’s days or slip rate are impossible';
  if (fact === '') yield 'the certificate states no fact';
  if (fact === 'payout')
    yield* listPayoutProblems(books, lines, { id: value, window: hasAllRows ? window : null });
  const ids = fact === 'reversal' ? [reversed] : match.payments.map(({ id }) => id);
  const payments = ids.flatMap((id) => books.payments.get(id) ?? []);
  const members = [...lines, ...payments];
  for (const line of lines)
    for (const payment of payments) {
      const own = facts.filter((each) => isAbout(each, line, payment));
      const pair = { line, payment, members, proof: { ...proof, facts: own } };
      yield* listWrongFacts(pair);
      // A line that may name one customer may pay for several.
      const isForOthers =
        lines.length < payments.length && payments.some((each) => !books.namesOther(line, each));
      if (hasAllRows) yield* listAlternatives(books, pair, isForOthers);
    }
}

const isAbout = (fact: Fact, line: Row, payment: Row): boolean =>
  (fact.line ?? line.id) === line.id && (fact.payment ?? payment.id) === payment.id;

function* listAlternatives(books: Books, pair: Pair, isForOthers: boolean): Generator<string> {
  if (!isForOthers && books.namesOther(pair.line, pair.payment))
    yield `line ${pair.line.id} names another payer`;
  yield* listOtherPayments(books, pair);
  yield* listOtherLines(books, pair);
}

/** Yields other deposits and payouts that fit equally well. A payout's line has the deposit's amount, negated. */
function* listPayoutProblems(
  books: Books,
  lines: readonly VerifiableLine[],
  { id, window }: { id: string; window: Days | null },
): Generator<string> {
  const [deposit, another] = lines.filter((line) => line.payout_id !== id);
  const payout = lines.find((line) => line.payout_id === id);
  if (deposit === undefined || another !== undefined) yield 'the payout has not exactly one deposit';
  if (window === null || deposit === undefined || payout === undefined || quotes(deposit, id)) return;
  const listOthers = (row: VerifiableLine) =>
    (books.linesByAmount.get(toKey(row)) ?? []).filter((each) => !lines.includes(each) && books.isOpen(each));
  for (const other of listOthers(deposit))
    if (other.payout_id === null && isNear(window, payout.booked_on, other.booked_on))
      yield `line ${other.id} is as likely`;
  for (const other of listOthers(payout))
    if (other.payout_id !== null && isNear(window, other.booked_on, deposit.booked_on))
      yield `payout ${other.payout_id} is as likely`;
}

function* listWrongFacts({ line, payment, proof }: Pair): Generator<string> {
  if (proof.facts.length === 0) yield `no fact connects line ${line.id} with payment ${payment.id}`;
  for (const { fact, value = '' } of proof.facts) {
    const ids = fact === 'subscription' ? [String(payment.subscription_id)] : listIds(payment);
    if (/id|subscription|reversal/.test(fact) && !(quotes(line, value) && ids.includes(value)))
      yield `line ${line.id} does not quote ${value}`;
    if (fact === 'name' && !names(line, payment)) yield `line ${line.id} does not name the customer`;
  }
}

/** Yields other payments of the same amount that no fact rules out. Matched payments count only for a reversal. */
function* listOtherPayments(books: Books, { line, payment, members, proof }: Pair): Generator<string> {
  const [id, isNamed] = [findId(proof), isByName(proof)];
  const isReversal = payment.amount_in_cents * line.amount_in_cents < 0;
  const others = (books.paymentsByAmount.get(toKey(payment)) ?? []).filter(
    (other) =>
      !members.includes(other) &&
      isNear(proof.window, other.paid_on, line.booked_on) &&
      (isReversal || books.isOpen(other)) &&
      !(isNamed && !haveOneCustomer(other, payment)) &&
      !books.namesOther(line, other),
  );
  for (const other of others)
    if (id === '' || listIds(other).includes(id)) yield `payment ${other.id} is as likely`;
  const mayBeMeant = (other: VerifiablePayment) => {
    const meant = listIds(other)[listIds(payment).indexOf(id)] ?? '';
    if (!isOneSlip(id, meant) || !isNear(proof.usual, other.paid_on, line.booked_on)) return false;
    if (prefersName(line, payment, other)) return false;
    const isNamed = books.linesByAmount.get(toKey(line))?.some((each) => each !== line && names(each, other));
    return isNamed !== true && !listIds(other).some((each) => books.quoted.has(each));
  };
  const slips = isNamed || id === '' ? 0 : others.filter(mayBeMeant).length;
  if ((slips * proof.slip_rate) / (9 * id.length) > MAX_SLIP_RISK) yield `${id} may be a typing error`;
}

/** Yields other lines of the same amount that no fact rules out. */
function* listOtherLines(books: Books, { line, payment, members, proof }: Pair): Generator<string> {
  const [id, own] = [findId(proof), listIds(payment)];
  const isExcluded = (other: VerifiableLine): boolean => {
    if (id !== '' && !quotes(other, id)) return true;
    if (isByName(proof) && (!names(other, payment) || hasForeignWord(other, payment))) return true;
    const quoted = listNumbers(other).filter((each) => books.ids.has(each));
    return quoted.length > 0 && !quoted.some((each) => own.includes(each));
  };
  for (const other of books.linesByAmount.get(toKey(line)) ?? []) {
    const isNearby = isNear(proof.window, payment.paid_on, other.booked_on);
    if (!isNearby || members.includes(other) || !books.isOpen(other) || isExcluded(other)) continue;
    if (!books.namesOther(other, payment)) yield `line ${other.id} is as likely`;
  }
}

const toKey = (row: Row): string => `${row.currency} ${row.amount_in_cents}`;
const findId = ({ facts }: Certificate) => facts.find(({ fact }) => /id|reversal/.test(fact))?.value ?? '';
const isByName = ({ facts }: Certificate) => facts.some(({ fact }) => /name|subscription/.test(fact));
const haveOneCustomer = (a: VerifiablePayment, b: VerifiablePayment): boolean =>
  (a.subscription_id !== null && a.subscription_id === b.subscription_id) ||
  a.names.some((name) => b.names.includes(name));
const listIds = (row: VerifiablePayment): string[] =>
  [row.id, row.statement_id, row.payment_id, row.gateway_transaction_id].map((id) => String(id ?? ''));
const listNumbers = (line: VerifiableLine) => `${line.reference} ${line.description}`.match(/\d{4,}/g) ?? [];

function isNear({ from_days, to_days }: Days, paid: string, booked: string): boolean {
  const lag = (Date.parse(booked) - Date.parse(paid)) / 86_400_000;
  return lag >= from_days && lag <= to_days;
}

const compact = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
const quotes = ({ reference, description, gateway_transaction_id }: VerifiableLine, id: string): boolean =>
  [reference, description, gateway_transaction_id].some((text) => compact(text ?? '').includes(compact(id)));

/** Returns true if one digit is wrong, missing or added, or if two neighbors are swapped. */
function isOneSlip(quoted: string, id: string): boolean {
  if (Math.abs(quoted.length - id.length) > 1 || quoted === id) return false;
  const from = [...quoted].findIndex((digit, at) => digit !== id[at]);
  const [a, b] = [quoted, id].map((text) => text.slice(from < 0 ? quoted.length : from)) as [string, string];
  return (
    a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b || `${a[1]}${a[0]}${a.slice(2)}` === b
  );
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'a' };
const splitWords = (text: string): string[] => {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßøłæ]/g, (letter) => LETTERS[letter] ?? '');
  return (
    plain
      .replace(/[\p{M}'’\x60]/gu, '')
      .replace(/([aou])e/g, '$1')
      .match(/\p{L}+/gu) ?? []
  );
};
const listWords = (text: string): string[] => splitWords(text).filter((word) => !IGNORED.test(word));

const isSimilar = (a: string, b: string): boolean =>
  a.startsWith(b) || b.startsWith(a) || (a.length > 3 && b.length > 3 && isOneSlip(a, b));
const isAmong = (word: string, words: readonly string[]) => words.some((each) => isSimilar(word, each));

/** Returns true if the text names another person or company than each of the names. */
function contradicts(text: string | null, customerNames: readonly string[]): boolean {
  const words = listWords(text ?? '');
  const differs = (name: string): boolean => {
    const own = listWords(name);
    const isJoined = words.join('') === own.join('') || words.toSorted().join('') === own.toSorted().join('');
    const foreign = words.filter((word) => !isAmong(word, splitWords(name)));
    const isComplete = own.every((word) => isAmong(word, words));
    return !isJoined && (foreign.length === words.length || (foreign.length > 0 && !isComplete));
  };
  return words.length > 0 && customerNames.length > 0 && customerNames.every(differs);
}

/** Returns true if the line contains all words of one of the customer's names. The end of the name may be cut off. */
function names(
  { counterparty, description, reference }: VerifiableLine,
  payment: VerifiablePayment,
): boolean {
  const texts = [counterparty, description, reference].map((text) => listWords(text ?? '').join(''));
  return payment.names
    .map(listWords)
    .some((own) =>
      texts.some(
        (text) =>
          own.every((word) => text.includes(word)) || (text.length > 9 && own.join('').startsWith(text)),
      ),
    );
}

/** Returns true if the line contains a word of the payment's customer that the other customer's name has not. */
function prefersName(line: VerifiableLine, { names }: VerifiablePayment, other: VerifiablePayment): boolean {
  const [own, others] = [names.flatMap(listWords), other.names.flatMap(listWords)];
  const words = [line.counterparty, line.description, line.reference].flatMap((text) =>
    listWords(text ?? ''),
  );
  return words.some((word) => word.length > 2 && own.includes(word) && !isAmong(word, others));
}

/** Returns true if the payer's name or a legal form in the line's text has a word that no customer name contains. */
function hasForeignWord(line: VerifiableLine, payment: VerifiablePayment): boolean {
  const forms = splitWords(`${line.description} ${line.reference ?? ''}`).filter((word) =>
    IGNORED.test(word),
  );
  const own = payment.names.flatMap(splitWords);
  return [...splitWords(line.counterparty ?? ''), ...forms].some((word) => {
    const at = own.findIndex((each) => (word.length > 1 ? each === word : each.startsWith(word)));
    return at === -1 || own.splice(at, 1).length === 0;
  });
}
