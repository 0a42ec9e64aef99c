import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyEvidencePack } from '../../../src/backend/evidence-pack/verify-pack.ts';
import type { PackVerification } from '../../../src/contract/index.ts';
import { canonicalJson } from '../../../src/domain/periods/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';
import { computeRoot, verifyIndependently } from './independent-verifier.ts';
import { type LogEntry, readZip, sha256, UnpackedPack } from './unpacked-pack.ts';

const may = { site: SITE, period: '2026-05' };

let bench: PeriodBench;
/** Folder outside the app's home, because the app refuses to write there. */
let outside: string;
let folder: string;
let pack: UnpackedPack;
/** The files of the intact pack by path. */
let intact: Map<string, string>;
/** Receipt that the reviewer noted down when approving the period. */
let receipt: string;

beforeAll(async () => {
  bench = await openPeriodBench();
  const { client } = bench;
  bench.addStatements({ id: 51, on: '2026-05-04', cents: 8850 }, { id: 52, on: '2026-05-17', cents: 1235 });
  await bench.import(
    standardCsv([
      ['2026-05-06', '88.50', 'CARD', 'ch_x510'],
      ['2026-05-19', '12.35', 'CARD', 'ch_x520'],
    ]),
  );
  await bench.match();
  await client.periods.open(may);
  await bench.sign('2026-05');
  const { history } = await client.periods.get(may);
  receipt = history.find(({ action }) => action === 'approved')!.receipt;
  outside = mkdtempSync(join(tmpdir(), 'tieout-pack-'));
  const path = join(outside, 'pack.zip');
  await bench.waitForJob((await client.packs.write({ ...may, path })).job);
  intact = await readZip(path);
  folder = join(outside, 'unpacked');
  pack = new UnpackedPack(folder);
});
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of intact) write(path, content);
});
afterAll(async () => {
  rmSync(outside, { recursive: true, force: true });
  await bench.close();
});

const read = (path: string): string => pack.read(path);
const write = (path: string, content: string): void => pack.write(path, content);
const remove = (path: string): void => rmSync(join(folder, path));
const listPayload = (): string[] => pack.listPayload();
const rebuildManifests = (): void => pack.rebuildManifests();
const readLog = (): LogEntry[] => pack.readLog();
const rebuildLog = (entries: readonly LogEntry[]): LogEntry[] => pack.rebuildLog(entries);

/** Root of the tree over the first `size` entries. */
const computeRootOf = (log: readonly LogEntry[], size: number): string =>
  computeRoot(log.slice(0, size).map(({ hash }) => Buffer.from(hash, 'hex')));

/** Verifies the pack with the product and with the independent verifier, which must agree. */
async function verify(known?: string): Promise<PackVerification> {
  const verdict = await verifyEvidencePack(folder, new AbortController().signal, known);
  const wrong = verifyIndependently(folder, known);
  expect({ ok: verdict.ok, wrong }).toEqual({
    ok: verdict.ok,
    wrong: verdict.ok ? [] : expect.arrayContaining([expect.any(String)]),
  });
  return verdict;
}

it('is intact as written, and leads to the receipt of the sign-off', async () => {
  expect(await verify()).toMatchObject({ ok: true, problems: [], audit: { ok: true } });
  const { ok, audit } = await verify(receipt);
  const approved = readLog().findIndex(({ action }) => action === 'periods.approve') + 1;
  expect({ ok, proven: audit?.proven_entries }).toEqual({ ok: true, proven: approved });
  expect(audit?.receipt).toEqual({
    entries: readLog().length,
    hash: computeRootOf(readLog(), readLog().length),
  });
  expect(computeRootOf(readLog(), approved)).toBe(receipt);
});

describe('with the manifests made again', () => {
  it.each<[string, () => void, string]>([
    [
      'a figure of the report',
      () => write('data/report/report.csv', read('data/report/report.csv').replace('88.50', '98.50')),
      'data/report/report.csv',
    ],
    ['a bank file', () => editFile(/^data\/sources\//, '88.50', '98.50'), 'data/sources/'],
    [
      'a table',
      () => editFile(/^data\/tables\/statements\.csv/, '8850', '9850'),
      'data/tables/statements.csv',
    ],
    ['the figures', () => editFile(/figures\.json/, '10085', '11085'), 'data/figures.json'],
    ['a signer', () => editFile(/pack\.json/, 'Bo Diddley', 'Eve'), 'data/pack.json'],
    ['the state', () => editFile(/pack\.json/, '"state": "closed"', '"state": "open"'), 'data/pack.json'],
    ['an added file', () => write('data/sources/99-added.csv', 'a,b\n'), 'data/sources/99-added.csv'],
    ['an added statement PDF', () => write('data/statements/51.pdf', '%PDF-1.7'), 'data/statements/51.pdf'],
    ['a removed table', () => remove('data/tables/bank_lines.csv'), 'data/tables/bank_lines.csv'],
    ['the missing log', () => remove('data/audit.jsonl'), 'data/audit.jsonl'],
    ['the missing description', () => remove('data/pack.json'), 'data/pack.json'],
  ])('names %s', async (_, attack, path) => {
    attack();
    rebuildManifests();
    const { ok, problems, wrong } = await verify();
    expect({ ok, isNamed: problems.some((problem) => problem.path.startsWith(path)) }).toEqual({
      ok: false,
      isNamed: true,
    });
    expect(wrong).toBe(problems.length);
  });

  it('notices a missing tag manifest', async () => {
    rebuildManifests();
    remove('tagmanifest-sha256.txt');
    expect(await verify()).toMatchObject({ ok: false, problems: [{ path: 'tagmanifest-sha256.txt' }] });
  });

  it('notices any changed byte of any file of the payload', async () => {
    const paths = [...intact.keys()].filter((path) => path.startsWith('data/') && intact.get(path) !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (path, at, mask) => {
          const content = intact.get(path)!;
          const position = at % content.length;
          const changed = String.fromCharCode(content.charCodeAt(position) ^ mask);
          write(path, content.slice(0, position) + changed + content.slice(position + 1));
          rebuildManifests();
          expect((await verify()).ok).toBe(false);
          write(path, content);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('with the whole log made again as well', () => {
  /** How the attacker signs: with keys of their own that the log records as those of the signers, or not at all. */
  let attack: 'forged keys' | 'no signatures' | 'old signatures';

  /** Makes the log again, with the signatures that the attacker can make. */
  function signAgain(entries: readonly LogEntry[]): LogEntry[] {
    if (attack === 'old signatures') return rebuildLog(entries);
    const kept =
      attack === 'no signatures' ? entries.filter(({ action }) => action !== 'people.add') : entries;
    const keys = new Map<string, { key: string; privateKey: KeyObject }>();
    const findKey = (name: string) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
      if (!keys.has(name)) keys.set(name, { key, privateKey });
      return keys.get(name)!;
    };
    let log: LogEntry[] = [];
    for (const entry of kept) log = rebuildLog([...log, signEntry(entry, log)]);
    return log;

    function signEntry(entry: LogEntry, before: readonly LogEntry[]): LogEntry {
      const { signature, key: _, log: __, ...detail } = JSON.parse(entry.detail);
      const withDetail = (changed: object) => ({ ...entry, detail: JSON.stringify(changed) });
      if (entry.action === 'people.add') return withDetail({ key: findKey(entry.subject).key });
      if (signature === undefined) return entry;
      if (attack === 'no signatures') return withDetail({ ...detail, key: null });
      const { key, privateKey } = findKey(detail.name);
      const state = { entries: before.length, hash: computeRootOf(before, before.length) };
      const signed = { ...detail, key, log: state };
      const { action, subject, reason } = entry;
      const text = canonicalJson({ action, subject, reason, detail: signed });
      return withDetail({ ...signed, signature: sign(null, Buffer.from(text), privateKey).toString('hex') });
    }
  }

  /** Makes every hash, checksum and receipt of the pack again after the log was changed. */
  function rebuildEverything(entries: readonly LogEntry[]): void {
    const unfinished = signAgain(entries);
    const info = JSON.parse(read('data/pack.json'));
    const receipts = unfinished.flatMap(({ action }, at) =>
      /^periods\.(submit|approve|reject|close|reopen)$/.test(action)
        ? [computeRootOf(unfinished, at + 1)]
        : [],
    );
    const signed = unfinished.filter(({ action }) =>
      /^periods\.(submit|approve|reject|close|reopen)$/.test(action),
    );
    info.signatures = info.signatures.map((signature: object, at: number) => ({
      ...signature,
      ...{
        user: JSON.parse(signed[at]!.detail).name,
        key: JSON.parse(signed[at]!.detail).key ?? null,
        at: new Date(signed[at]!.at).toISOString(),
        receipt: receipts[at],
      },
    }));
    info.audit = { entries: unfinished.length - 1, head: computeRootOf(unfinished, unfinished.length - 1) };
    write('data/pack.json', JSON.stringify(info, null, 2));
    const files = Object.fromEntries(
      listPayload()
        .filter((path) => path !== 'data/audit.jsonl')
        .map((path) => [path, sha256(read(path))]),
    );
    rebuildLog([...unfinished.slice(0, -1), { ...unfinished.at(-1)!, detail: JSON.stringify({ files }) }]);
    rebuildManifests();
  }
  const change = (action: string, from: string, to: string) =>
    readLog().map((entry) =>
      entry.action === action ? { ...entry, detail: entry.detail.replace(from, to) } : entry,
    );

  const forgeries: [string, () => LogEntry[]][] = [
    [
      'another reviewer',
      () =>
        change('periods.approve', 'Bo Diddley', 'Eve').map((entry) =>
          entry.subject === 'Bo Diddley' ? { ...entry, subject: 'Eve' } : entry,
        ),
    ],
    [
      'an earlier date of a sign-off',
      () =>
        readLog().map((entry) =>
          entry.action === 'periods.submit' ? { ...entry, at: entry.at - 3_600_000 } : entry,
        ),
    ],
    ['a dropped import', () => readLog().filter(({ action }) => action !== 'bank.import')],
    [
      'two entries in another order',
      () => {
        const [first, second, ...rest] = readLog();
        return [second!, first!, ...rest];
      },
    ],
  ];

  it.each(forgeries)('names the entries that a signature does not cover anymore: %s', async (_, forge) => {
    attack = 'old signatures';
    rebuildEverything(forge());
    const { ok, audit } = await verify();
    expect({ ok, reason: audit?.reason }).toEqual({
      ok: false,
      reason: expect.stringMatching(/is not as .* signed it|does not match its signature|recorded key/),
    });
    expect(audit?.broken_at).toBeGreaterThan(0);
  });

  it.each(
    forgeries.flatMap(([name, forge]) =>
      (['forged keys', 'no signatures'] as const).map((how) => [name, how, forge] as const),
    ),
  )('only the receipt shows %s, with %s', async (_, how, forge) => {
    attack = how;
    rebuildEverything(forge());
    const forged = await verify();
    expect(forged.problems).toEqual([]);
    expect(forged.ok).toBe(true);
    const { ok, audit } = await verify(receipt);
    expect({ ok, proven: audit?.proven_entries, reason: audit?.reason }).toEqual({
      ok: false,
      proven: null,
      reason: expect.stringContaining('matches no state of the log'),
    });
  });

  it('does not accept the receipt of another log', async () => {
    expect((await verify('ab'.repeat(32))).ok).toBe(false);
  });
});

/** Replaces text in the only payload file whose path matches. */
function editFile(pattern: RegExp, from: string, to: string): void {
  const path = listPayload().find((each) => pattern.test(each))!;
  const before = read(path);
  expect(before).toContain(from);
  write(path, before.replaceAll(from, to));
}
