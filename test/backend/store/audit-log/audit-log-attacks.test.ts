import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AuditLogVerifier,
  type StoredAuditEntry,
} from '../../../../src/backend/store/audit-log/audit-log-verifier.ts';
import { computeRoot } from '../../evidence-pack/independent-verifier.ts';

/**
 * Attacks on a log by someone who can recompute every hash, given one receipt that was stored elsewhere. `RUNS=100000`
 * for a long run, with `SEED` for other data.
 */
const RUNS = Number(process.env['RUNS'] ?? 300);
const SEED = process.env['SEED'];
const parameters = { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) };

type Content = Omit<StoredAuditEntry, 'seq' | 'previous_hash' | 'hash'>;

const content: fc.Arbitrary<Content> = fc.record({
  at: fc.integer({ min: 0, max: 4e12 }),
  user: fc.constantFrom('ada', 'bo', 'unknown'),
  action: fc.constantFrom('exceptions.accept', 'bank.import', 'report.write', 'pack.write', 'match.confirm'),
  subject: fc.string({ maxLength: 8 }),
  reason: fc.string({ maxLength: 8 }),
  detail: fc.constantFrom('{}', '{"cents":9850}', '{"name":"Bo Diddley"}'),
});
const history = fc.array(content, { minLength: 2, maxLength: 20 });

/** Returns the log of these entries with every hash computed as its documentation says, without the product. */
function buildLog(entries: readonly Content[]): StoredAuditEntry[] {
  let previous_hash = '0'.repeat(64);
  return entries.map((entry, index) => {
    const { at, user, action, subject, reason, detail } = entry;
    const text = JSON.stringify([previous_hash, at, user, action, subject, reason, detail]);
    const hash = createHash('sha256').update(Buffer.of(0)).update(text).digest('hex');
    const stored = { ...entry, seq: index + 1, previous_hash, hash };
    previous_hash = hash;
    return stored;
  });
}

const computeReceipt = (log: readonly StoredAuditEntry[], entries: number): string =>
  computeRoot(log.slice(0, entries).map(({ hash }) => Buffer.from(hash, 'hex')));

interface Verdict {
  readonly brokenAt: number | null;
  readonly proven: number | null;
}

function verify(log: readonly StoredAuditEntry[], receipt: string): Verdict {
  const verifier = new AuditLogVerifier([receipt]);
  for (const entry of log) {
    const error = verifier.add(entry);
    if (error !== null) return { brokenAt: error.seq, proven: null };
  }
  return { brokenAt: null, proven: verifier.countProvenEntries(receipt) };
}

/** Verifies the same from the documented format, without code of the product. */
function verifyIndependently(log: readonly StoredAuditEntry[], receipt: string): Verdict {
  const rebuilt = buildLog(log);
  const broken = log.findIndex(
    ({ seq, previous_hash, hash }, at) =>
      seq !== at + 1 || previous_hash !== rebuilt[at]!.previous_hash || hash !== rebuilt[at]!.hash,
  );
  if (broken !== -1) return { brokenAt: broken + 1, proven: null };
  const at = log.findIndex((_, index) => computeReceipt(log, index + 1) === receipt);
  return { brokenAt: null, proven: at === -1 ? null : at + 1 };
}

/** An attack on the entry at `at` (0-based). Returns the entries of the forged log. */
type Attack = (entries: readonly Content[], at: number, other: Content) => readonly Content[];
const replaceAt = (entries: readonly Content[], at: number, change: Partial<Content>) =>
  entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry));

const attacks: Readonly<Record<string, Attack>> = {
  'another user': (all, at) => replaceAt(all, at, { user: `${all[at]!.user}!` }),
  'another action': (all, at) => replaceAt(all, at, { action: `${all[at]!.action}d` }),
  'another subject': (all, at) => replaceAt(all, at, { subject: `${all[at]!.subject} ` }),
  'another reason': (all, at) => replaceAt(all, at, { reason: `${all[at]!.reason}.` }),
  'another detail': (all, at) => replaceAt(all, at, { detail: '{"cents":1}' }),
  'an earlier time': (all, at) => replaceAt(all, at, { at: all[at]!.at - 1 }),
  'a later time': (all, at) => replaceAt(all, at, { at: all[at]!.at + 86_400_000 }),
  'a dropped entry': (all, at) => all.toSpliced(at, 1),
  'an inserted entry': (all, at, other) => all.toSpliced(at, 0, other),
  'a repeated entry': (all, at) => all.toSpliced(at, 0, all[at]!),
  'the entry moved to the end': (all, at) => [...all.toSpliced(at, 1), all[at]!],
  'an old backup that is continued': (all, at, other) => [...all.slice(0, at), other, other],
  'a forked copy of the same length': (all, at, other) => [
    ...all.slice(0, at),
    ...all.slice(at).map((entry) => ({ ...entry, user: other.user, subject: `${other.subject}?` })),
  ],
  'everything written again on the same day': (all, at) => all.map((each) => ({ ...each, at: all[at]!.at })),
};

const isSameBeginning = (a: readonly Content[], b: readonly Content[], entries: number): boolean =>
  JSON.stringify(buildLog(a.slice(0, entries))) === JSON.stringify(buildLog(b.slice(0, entries)));

const attacked = fc.record({
  entries: history,
  pick: fc.nat(),
  covered: fc.nat(),
  other: content,
  kind: fc.constantFrom(...Object.keys(attacks)),
});

describe('given one earlier receipt', () => {
  it('every attack on an entry that the receipt covers is detected although all hashes are recomputed', () => {
    fc.assert(
      fc.property(attacked, ({ entries, pick, covered, other, kind }) => {
        const size = 1 + (covered % entries.length);
        const receipt = computeReceipt(buildLog(entries), size);
        const forged = attacks[kind]!(entries, pick % size, other);
        fc.pre(!isSameBeginning(entries, forged, size));
        const log = buildLog(forged);
        const verdict = verify(log, receipt);
        expect(verdict, kind).toEqual({ brokenAt: null, proven: null });
        expect(verifyIndependently(log, receipt), kind).toEqual(verdict);
      }),
      parameters,
    );
  });

  it('every attack without recomputed hashes is detected, and the first changed entry is named', () => {
    fc.assert(
      fc.property(attacked, ({ entries, pick, other, kind }) => {
        const at = pick % entries.length;
        const genuine = buildLog(entries);
        const forged = attacks[kind]!(genuine, at, other).map((entry, index) => ({
          ...(genuine[index] ?? genuine.at(-1)!),
          ...entry,
        }));
        const first = forged.findIndex(
          (entry, index) => JSON.stringify(entry) !== JSON.stringify(genuine[index]),
        );
        fc.pre(first !== -1);
        const receipt = computeReceipt(genuine, genuine.length);
        const verdict = verify(forged, receipt);
        expect(verdict, kind).toEqual({ brokenAt: first + 1, proven: null });
        expect(verifyIndependently(forged, receipt), kind).toEqual(verdict);
      }),
      parameters,
    );
  });

  it('an honest log is proven up to the receipt, however it continues', () => {
    fc.assert(
      fc.property(history, fc.array(content, { maxLength: 10 }), fc.nat(), (entries, later, covered) => {
        const size = 1 + (covered % entries.length);
        const receipt = computeReceipt(buildLog(entries), size);
        // The log continues after the receipt, or after a backup from then was restored. Clocks may be set back.
        for (const log of [
          buildLog([...entries, ...later]),
          buildLog([...entries.slice(0, size), ...later]),
        ]) {
          const verdict = verify(log, receipt);
          expect(verdict).toEqual({ brokenAt: null, proven: size });
          expect(verifyIndependently(log, receipt)).toEqual(verdict);
        }
      }),
      parameters,
    );
  });
});
