import { afterEach, describe, expect, test, vi } from 'vitest';
import { verifyMatches } from '../../../src/domain/match-verification/verify-matches.ts';
import { type MatchGroup, type MatchInput, runMatching } from '../../../src/domain/matching/index.ts';
import { CertificateWriter } from '../../../src/domain/matching/proof/certificates.ts';
import { IdProof } from '../../../src/domain/matching/proof/id-proof.ts';
import { PayerNames } from '../../../src/domain/matching/proof/payer-names.ts';
import { ProofGate } from '../../../src/domain/matching/proof/proof-gate.ts';
import { type MatchDraft, MatchState, ROW_FREE } from '../../../src/domain/matching/state/match-state.ts';
import { createLabeledData } from '../../bench/labeled-bank-data.ts';
import { generateWorld, generatorNames } from '../../corpus/generators/index.ts';
import { bank, line, payment, processor } from '../matching/sample-rows.ts';
import { traps } from '../matching/traps/situations.ts';
import { TrapRows, trapVariants } from '../matching/traps/variants.ts';

const toVerifiable = ({ key, lines, payments, adjustments, reasons }: MatchGroup) => ({
  id: key,
  lines,
  payments,
  adjustments,
  certificate: reasons.find(({ certificate }) => certificate !== undefined)?.certificate ?? null,
});

/** Matches the rows and returns the problems that the verification finds in the confirmed matches. */
function listProblems(input: MatchInput): string[] {
  const [lines, payments] = [[...input.lines], [...input.payments]];
  const groups = [...runMatching({ ...input, lines, payments }).groups()];
  const matches = groups.filter(({ status }) => status === 'confirmed').map(toVerifiable);
  return verifyMatches({ lines, payments }, matches, 'all').map(({ problem }) => problem);
}

const accounts = [bank, processor];
const trapInputs: MatchInput[] = trapVariants.flatMap((variant) =>
  traps.map(([, trap]) => ({ accounts, ...trap(new TrapRows(variant), variant) })),
);
const market = { payments: 400, twins: 0.05, refunds: 0.05, split: 0.03, joined: 0.03, foreign: 0.05 };
const marketInputs: MatchInput[] = [1, 2, 3].map((seed) => createLabeledData({ ...market, seed }));
const twins: MatchInput = {
  accounts,
  payments: [payment({ id: 1001 }), payment({ id: 1002 })],
  lines: [line({ id: 1 }), line({ id: 2, description: 'Deposit' })],
};
const worlds = Array.from({ length: generatorNames.length * 2 }, (_, n) => generateWorld(4200 + n, 300));
const inputs = [...trapInputs, ...marketInputs, twins, ...worlds];

afterEach(() => {
  vi.restoreAllMocks();
});

test('finds no problem in the matches of the matcher', () => {
  expect(inputs.flatMap(listProblems)).toEqual([]);
});

test('finds no problem where names in texts, initials or cut names exclude other payments', () => {
  const larger = [4218, 4241, 4246].map((seed) => generateWorld(seed, 1000));
  expect(larger.flatMap(listProblems)).toEqual([]);
});

describe('names a certificate in which', () => {
  const payments = [
    payment({ id: 1001, names: ['Ada Moll'] }),
    payment({ id: 1002, names: ['Bo Lind'], amount_in_cents: 5100 }),
  ];
  const lines = [
    line({ id: 1, reference: 'INV 5001001', counterparty: 'ADA MOLL' }),
    line({ id: 2, counterparty: 'BO LIND', amount_in_cents: 5100 }),
  ];
  const matches = [...runMatching({ accounts, lines, payments }).groups()].map(toVerifiable);
  type Match = (typeof matches)[number];
  type Certificate = NonNullable<Match['certificate']>;
  const tamper = (change: (certificate: Certificate) => Partial<Certificate>) =>
    matches.map((match) => {
      const { certificate } = match;
      return certificate === null
        ? match
        : { ...match, certificate: { ...certificate, ...change(certificate) } };
    });
  const list = (tampered: readonly Match[]) => [
    ...new Set(verifyMatches({ lines, payments }, tampered, 'all').map(({ match }) => match)),
  ];
  const keys = matches.map(({ id }) => id);

  test.each<[string, (certificate: Certificate) => Partial<Certificate>]>([
    ['the id belongs to another payment', () => ({ facts: [{ fact: 'id', value: '5001002' }] })],
    ['the number belongs to nobody', () => ({ facts: [{ fact: 'subscription', value: '7009999' }] })],
    ['the facts are removed', () => ({ facts: [] })],
    ['the facts are about another payment', () => ({ facts: [{ fact: 'name', line: 1, payment: 1 }] })],
    ['the slip rate is zero', () => ({ slip_rate: 0 })],
    [
      'the usual days exceed the window',
      ({ window }) => ({ usual: { ...window, to_days: window.to_days + 1 } }),
    ],
  ])('%s', (_, change) => {
    expect(list(matches)).toEqual([]);
    expect(keys).toHaveLength(2);
    expect(list(tamper(change))).toEqual(keys);
  });

  test('the rows of two matches are exchanged', () => {
    const [first, second] = matches as [Match, Match];
    expect(
      list([
        { ...first, payments: second.payments },
        { ...second, payments: first.payments },
      ]),
    ).toEqual(keys);
  });
});

/** Replaces every match that the matcher adds. */
function replaceDrafts(replace: (draft: MatchDraft, state: MatchState) => MatchDraft): void {
  const original = MatchState.prototype.addMatch;
  vi.spyOn(MatchState.prototype, 'addMatch').mockImplementation(function (this: MatchState, draft) {
    original.call(this, replace(draft, this));
  });
}

const isPair = ({ status, lines, payments }: MatchDraft): boolean =>
  status === 'confirmed' && lines.length === 1 && payments.length === 1;

/** Bugs planted in the matcher. */
const mutants: readonly (readonly [title: string, plant: () => void])[] = [
  [
    'the gate lets every match pass',
    () => vi.spyOn(ProofGate.prototype, 'findObjection').mockReturnValue(null),
  ],
  ['every payer is the customer', () => vi.spyOn(PayerNames.prototype, 'relate').mockReturnValue('same')],
  ['no payer is compared', () => vi.spyOn(PayerNames.prototype, 'relate').mockReturnValue(null)],
  [
    'slips and dates of ids are ignored',
    () => vi.spyOn(IdProof.prototype, 'judgePair').mockReturnValue(null),
  ],
  [
    'ambiguous matches are confirmed',
    () => {
      vi.spyOn(ProofGate.prototype, 'findObjection').mockReturnValue(null);
      replaceDrafts((draft) => (draft.status === 'ambiguous' ? { ...draft, status: 'confirmed' } : draft));
    },
  ],
  [
    'a cent is lost',
    () =>
      replaceDrafts((draft, { payments }) =>
        isPair(draft)
          ? { ...draft, paymentCents: [payments.openCents.at(draft.payments[0] as number) - 1] }
          : draft,
      ),
  ],
  [
    'another payment of the amount is matched',
    () =>
      replaceDrafts((draft, { payments }) => {
        if (!isPair(draft)) return draft;
        const [own] = draft.payments as [number];
        for (let row = 0; row < payments.length; row++)
          if (row !== own && payments.amountCents.at(row) === payments.amountCents.at(own))
            return { ...draft, payments: [row] };
        return draft;
      }),
  ],
  ['slips in groups are ignored', () => vi.spyOn(IdProof.prototype, 'judgeGroup').mockReturnValue(null)],
  [
    'a reversal takes back another payment of the amount',
    () =>
      replaceDrafts((draft, { payments }) => {
        const own = draft.reversedPayment ?? -1;
        if (draft.status !== 'confirmed' || own === -1) return draft;
        for (let row = 0; row < payments.length; row++)
          if (row !== own && payments.amountCents.at(row) === payments.amountCents.at(own))
            return { ...draft, reversedPayment: row };
        return draft;
      }),
  ],
  [
    'a payment stays free after its match',
    () => {
      vi.spyOn(ProofGate.prototype, 'findObjection').mockReturnValue(null);
      const original = MatchState.prototype.addMatch;
      vi.spyOn(MatchState.prototype, 'addMatch').mockImplementation(function (this: MatchState, draft) {
        original.call(this, draft);
        for (const row of draft.payments) this.paymentState[row] = ROW_FREE;
      });
    },
  ],
  [
    'the certificate states an id that the line does not quote',
    () => {
      const original = CertificateWriter.prototype.write;
      vi.spyOn(CertificateWriter.prototype, 'write').mockImplementation(function (
        this: CertificateWriter,
        match,
      ) {
        const certificate = original.call(this, match);
        return certificate && { ...certificate, facts: [{ fact: 'id' as const, value: '77777777' }] };
      });
    },
  ],
  [
    'the certificate states no fact',
    () => {
      const original = CertificateWriter.prototype.write;
      vi.spyOn(CertificateWriter.prototype, 'write').mockImplementation(function (
        this: CertificateWriter,
        match,
      ) {
        const certificate = original.call(this, match);
        return certificate && { ...certificate, facts: [] };
      });
    },
  ],
];

describe('the verification catches a matcher in which', () => {
  test.each(mutants)('%s', (_, plant) => {
    plant();
    expect(inputs.flatMap(listProblems).length).toBeGreaterThan(0);
  });
});

test('names another deposit that fits a payout', () => {
  const deposit = { ...line({ id: 1, amount_in_cents: 8800 }), payout_id: null as string | null };
  const payout = { ...deposit, id: 2, account: processor.id, amount_in_cents: -8800, payout_id: 'po_77' };
  const days = { from_days: -2, to_days: 9 };
  const certificate = {
    facts: [{ fact: 'payout', value: 'po_77' }],
    window: days,
    usual: days,
    slip_rate: 0.01,
  };
  const members = [deposit, payout].map(({ id, amount_in_cents }) => ({
    id,
    allocated_in_cents: amount_in_cents,
  }));
  const match = { id: 5, lines: members, payments: [], adjustments: [], certificate };
  const verify = (lines: (typeof deposit)[], scope: 'all' | 'facts' = 'all') =>
    verifyMatches({ lines: [deposit, payout, ...lines], payments: [] }, [match], scope);
  const other = { ...deposit, id: 3 };
  expect(verify([])).toEqual([]);
  expect(verify([other])).toEqual([{ match: 5, problem: 'line 3 is as likely' }]);
  expect(verify([other], 'facts')).toEqual([]);
  expect(verify([{ ...payout, id: 4, payout_id: 'po_78' }])).toEqual([
    { match: 5, problem: 'payout po_78 is as likely' },
  ]);
});

test('is one file that imports nothing', async () => {
  const { readFile, readdir } = await import('node:fs/promises');
  const folder = new URL('../../../src/domain/match-verification/', import.meta.url);
  expect(await readdir(folder)).toEqual(['verify-matches.ts']);
  expect(await readFile(new URL('verify-matches.ts', folder), 'utf8')).not.toMatch(/^import|import\(/m);
});
