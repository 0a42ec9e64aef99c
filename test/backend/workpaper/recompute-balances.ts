import { dateAt, type RandomSite } from './random-site.ts';

type RandomStatement = RandomSite['statements'][number];
type RandomTransaction = RandomStatement['transactions'][number];

const [BEFORE, FIRST, LAST] = ['2026-09-30', '2026-10-01', '2026-10-31'] as const;

/** Line of the roll-forward and effect on the balance of a generated transaction; null if it has none. */
function findEffect({ type, amount, success }: RandomTransaction): [line: string, cents: number] | null {
  switch (type) {
    case 'charge':
      return ['charges', success ? amount : 0];
    case 'adjustment':
      return ['adjusted', success ? amount : 0];
    case 'credit':
      return ['credits', success ? 0 - Math.abs(amount) : 0];
    case 'payment':
      return !success || amount === 0 ? null : ['payments', -Math.abs(amount)];
    case 'refund':
      return null;
    default:
      return ['unknown', 0];
  }
}

interface Posting {
  readonly line: string;
  readonly day: string;
  readonly cents: number;
}

/** Posts the statements of a subscription to an account, in order. */
function postStatements(statements: readonly RandomStatement[]): Posting[] {
  const endOf = ({ open, opened, length }: RandomStatement) => (open ? 9_999 : opened + length);
  const sorted = statements.toSorted((a, b) => endOf(a) - endOf(b) || a.opened - b.opened);
  const postings: Posting[] = [];
  let previous: number | null = null;
  for (const each of sorted) {
    const post = (line: string, days: number, cents: number) =>
      postings.push({ line, day: days === 9_999 ? '9999-12-31' : dateAt(days), cents });
    post(previous === null ? 'started' : 'carried', each.opened, each.starting - (previous ?? 0));
    let balance = each.starting;
    for (const transaction of each.transactions.toSorted((a, b) => a.days - b.days)) {
      const effect = findEffect(transaction);
      if (effect === null) continue;
      balance += effect[1];
      post(effect[0], Math.min(each.opened + Math.max(transaction.days, 0), endOf(each)), effect[1]);
    }
    if (!each.open) post('footing', endOf(each), each.ending - balance);
    previous = each.ending;
  }
  return postings;
}

/** Applies decreases to the oldest increases, and increases to the oldest decreases. Returns what is left. */
function applyOldestFirst(postings: readonly Posting[]): Posting[] {
  const open: Posting[] = [];
  for (const posting of postings) {
    let { cents } = posting;
    while (cents !== 0 && open.length > 0 && Math.sign(open[0]!.cents) === -Math.sign(cents)) {
      const oldest = open.shift()!;
      const sum = oldest.cents + cents;
      if (Math.sign(sum) === Math.sign(oldest.cents)) open.unshift({ ...oldest, cents: sum });
      cents = Math.sign(sum) === Math.sign(cents) ? sum : 0;
    }
    if (cents !== 0) open.push({ ...posting, cents });
  }
  return open;
}

/** Recomputes schedule S5 from the generated statements. */
export function recomputeReceivables({ statements }: RandomSite): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, cents: number) =>
    sums.set(`S5.${name}`, (sums.get(`S5.${name}`) ?? 0) + cents + 0);
  for (const name of [
    'opening',
    'charges',
    'adjusted',
    'credits',
    'payments',
    'closing',
    'open',
    'difference',
  ])
    add(name, 0);
  for (const of of Map.groupBy(statements, ({ subscription }) => subscription).values()) {
    const postings = postStatements(of);
    for (const { line, day, cents } of postings) {
      if (day <= BEFORE) add('opening', cents);
      if (day >= FIRST && day <= LAST) add(line, cents);
      if (day <= LAST) add('closing', cents);
    }
    for (const { line, cents } of applyOldestFirst(postings.filter(({ day }) => day <= LAST)))
      add(cents > 0 ? 'open' : line === 'payments' ? 'overpaid' : 'credits-due', cents);
  }
  return sums;
}

/** Service days of the transactions of a statement, by index. `until` is the first day after the service. */
function findServices({ opened, length, transactions }: RandomStatement) {
  const stated = transactions.map(({ kind, service }) =>
    kind === 'tax' || service === null
      ? null
      : { from: opened + service.from, until: opened + service.from + service.days },
  );
  const findOnly = (of: typeof stated) => {
    const distinct = new Map(
      of.flatMap((each) => (each === null ? [] : [[`${each.from} ${each.until}`, each]])),
    );
    return distinct.size === 1 ? [...distinct.values()][0]! : null;
  };
  const base = findOnly(stated.filter((_, at) => transactions[at]!.kind === 'baseline')) ?? findOnly(stated);
  return transactions.map(({ kind, type }, at) => {
    const isLikeBase = kind === 'quantity_based_component' || type === 'adjustment' || type === 'credit';
    return stated[at] ?? (isLikeBase ? base : null) ?? { from: opened, until: opened + length };
  });
}

/** Counts the days of a service up to a day, one by one. */
function countRendered(
  { from, until }: { from: number; until: number },
  last: string,
): [rendered: number, all: number] {
  let [rendered, all] = [0, 0];
  for (let day = from; day < Math.max(until, from + 1); day++) {
    all++;
    if (dateAt(day) <= last) rendered++;
  }
  return [rendered, all];
}

/** Recomputes schedule S6 from the generated statements. */
export function recomputeDeferred({ statements }: RandomSite): Map<string, number> {
  const sums = new Map(
    ['opening', 'taxes', 'recognized', 'closing', 'difference'].map((name) => [`S6.${name}`, 0]),
  );
  const add = (name: string, cents: number) =>
    sums.set(`S6.${name}`, (sums.get(`S6.${name}`) ?? 0) + cents + 0);
  for (const statement of statements) {
    const closed = dateAt(statement.opened + statement.length);
    if (statement.open || closed > LAST) continue;
    const services = findServices(statement);
    for (const [at, transaction] of statement.transactions.entries()) {
      const [line, cents] = findEffect(transaction) ?? ['', 0];
      if (!['charges', 'adjusted', 'credits'].includes(line)) continue;
      const isNew = closed >= FIRST;
      if (transaction.kind === 'tax') {
        if (isNew) add('taxes', 0 - cents);
        continue;
      }
      const deferredOn = (last: string) => {
        const [rendered, all] = countRendered(services[at]!, last);
        return cents - Math.sign(cents) * Math.floor((Math.abs(cents) * rendered * 2 + all) / (all * 2));
      };
      const opening = isNew ? 0 : deferredOn(BEFORE);
      const closing = deferredOn(LAST);
      add('opening', opening);
      add('closing', closing);
      add('recognized', closing - opening - (isNew ? cents : 0));
    }
  }
  return sums;
}
