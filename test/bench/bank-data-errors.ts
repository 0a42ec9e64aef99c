import { createLabeledData, type LabeledData, type LineHint, RandomSource } from './labeled-bank-data.ts';

/** Labeled data with one kind of defect each, by name: problems that merchants meet. */
export const bankDataErrors: readonly (readonly [
  name: string,
  make: (payments: number, seed: number) => LabeledData,
])[] = [
  [
    'slips of the pen in references',
    (payments, seed) => withWrongDigits(createLabeledData({ payments, seed }), 0.02, seed),
  ],
  [
    'a tenth of the statements not there',
    (payments, seed) => {
      const draw = new RandomSource(seed);
      return withoutPayments(createLabeledData({ payments, seed }), () => draw.chance(0.1));
    },
  ],
  [
    'a month of statements not there',
    (payments, seed) =>
      withoutPayments(createLabeledData({ payments, seed }), (day) => day.startsWith('2026-05')),
  ],
  [
    'lines that the bank wrote twice',
    (payments, seed) => withDuplicates(createLabeledData({ payments, seed }), 0.02, seed),
  ],
  [
    'no payout report',
    (payments, seed) => withoutReport(createLabeledData({ payments, seed, processor: 0.5 })),
  ],
];

/** Changes one digit in this number of lines, so that they show the ID of another payment or of none. */
function withWrongDigits(data: LabeledData, share: number, seed: number): LabeledData {
  const draw = new RandomSource(seed);
  const hints = new Map<number, LineHint>(data.hints);
  const lines = data.lines.map((line) => {
    if (!draw.chance(share)) return line;
    const field = /\d{4}/.test(line.reference ?? '') ? 'reference' : 'description';
    const text = line[field] ?? '';
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
    if (digits.length < 4) return line;
    const at = draw.of(digits);
    const digit = (Number(text[at]) + 1 + draw.integerBelow(9)) % 10;
    hints.set(line.id, 'nothing');
    return { ...line, [field]: `${text.slice(0, at)}${digit}${text.slice(at + 1)}` };
  });
  return { ...data, lines, hints };
}

/** Removes the payments of some days, so that their lines belong to no payment. */
function withoutPayments(data: LabeledData, isGone: (paid_on: string) => boolean): LabeledData {
  const gone = new Set(data.payments.filter(({ paid_on }) => isGone(paid_on)).map(({ id }) => id));
  return {
    ...data,
    payments: data.payments.filter(({ id }) => !gone.has(id)),
    truth: new Map([...data.truth].map(([line, of]) => [line, of.some((id) => gone.has(id)) ? [] : of])),
  };
}

/** Duplicates this number of lines. Which of the two belongs to the payment cannot be determined. */
function withDuplicates(data: LabeledData, share: number, seed: number): LabeledData {
  const draw = new RandomSource(seed);
  const truth = new Map(data.truth);
  const hints = new Map<number, LineHint>(data.hints);
  const twins = data.lines
    .filter(() => draw.chance(share))
    .map((line, at) => ({ ...line, id: data.lines.length + 1 + at, of: line.id }));
  for (const { id, of } of twins) {
    truth.set(id, data.truth.get(of) ?? []);
    for (const each of [id, of]) hints.set(each, 'nothing');
  }
  return { ...data, lines: [...data.lines, ...twins.map(({ of: _of, ...line }) => line)], truth, hints };
}

/** Keeps only the deposits of a payment processor. */
function withoutReport(data: LabeledData): LabeledData {
  const accounts = data.accounts.filter(({ kind }) => kind === 'bank');
  const lines = data.lines.filter(({ account }) => accounts.some(({ id }) => id === account));
  const truth = new Map(lines.map(({ id }) => [id, data.truth.get(id) ?? []]));
  return { ...data, accounts, lines, truth, payouts: [], deposits: new Map() };
}
