import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Verifies an unpacked evidence pack by what its README.txt says, without any code of the product. Returns what is wrong,
 * in no particular words. `receipt` is the root that a person stored elsewhere.
 */
export function verifyIndependently(folder: string, receipt?: string): string[] {
  const pack = new UnpackedBag(folder);
  const wrong = pack.findManifestErrors();
  if (!pack.has('data/pack.json') || !pack.has('data/audit.jsonl'))
    return [...wrong, 'no pack.json or audit.jsonl'];
  const info = parse(pack.text('data/pack.json'));
  const lines = pack.text('data/audit.jsonl').split('\n').filter(Boolean).map(parse);
  if (info === null || lines.includes(null)) return [...wrong, 'not JSON'];
  const log = lines as LogEntry[];
  const leaves = log.map(({ hash }) => Buffer.from(String(hash), 'hex'));
  wrong.push(...findLogErrors(log), ...findSignatureErrors(log, leaves));
  const { entries, head } = info.audit ?? {};
  if (entries > log.length || (entries > 0 && computeRoot(leaves.slice(0, entries)) !== head))
    wrong.push('reported log');
  if (receipt !== undefined && !leaves.some((_, at) => computeRoot(leaves.slice(0, at + 1)) === receipt))
    wrong.push('receipt');
  return [...wrong, ...findFileErrors(pack, log), ...findSignOffErrors(pack, info, log, leaves)];
}

interface LogEntry {
  seq: number;
  at: number;
  user: string;
  action: string;
  subject: string;
  reason: string;
  detail: string;
  previous_hash: string;
  hash: string;
}

// biome-ignore lint/suspicious/noExplicitAny: The content of an attacked file can be anything.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

class UnpackedBag {
  readonly #folder: string;
  readonly paths: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => statSync(join(folder, path)).isFile());
  }

  has = (path: string): boolean => existsSync(join(this.#folder, path));
  text = (path: string): string => readFileSync(join(this.#folder, path), 'utf8');
  sha256 = (path: string): string =>
    createHash('sha256')
      .update(readFileSync(join(this.#folder, path)))
      .digest('hex');

  findManifestErrors(): string[] {
    if (!this.has('manifest-sha256.txt') || !this.has('tagmanifest-sha256.txt')) return ['no manifest'];
    const manifest = ['manifest-sha256.txt', 'tagmanifest-sha256.txt'].flatMap((path) =>
      this.text(path)
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(66), line.slice(0, 64)] as const),
    );
    const listed = new Map(manifest);
    return [
      ...manifest.flatMap(([path, sha256]) => (this.has(path) && this.sha256(path) === sha256 ? [] : [path])),
      ...this.paths.filter((path) => path !== 'tagmanifest-sha256.txt' && !listed.has(path)),
    ];
  }
}

function findLogErrors(log: readonly LogEntry[]): string[] {
  let previous = '0'.repeat(64);
  return log.flatMap(({ seq, at, user, action, subject, reason, detail, previous_hash, hash }, index) => {
    const leaf = createHash('sha256')
      .update(Buffer.of(0))
      .update(JSON.stringify([previous, at, user, action, subject, reason, detail]))
      .digest('hex');
    const isValid = seq === index + 1 && previous_hash === previous && hash === leaf;
    previous = String(hash);
    return isValid ? [] : [`entry ${index + 1}`];
  });
}

/** Every sign-off is signed with the recorded key of the person, and the log up to then is the one that was signed. */
function findSignatureErrors(log: readonly LogEntry[], leaves: readonly Buffer[]): string[] {
  const keys = new Map<string, string>();
  return log.flatMap(({ seq, action, subject, reason, detail }) => {
    const { signature, ...signed } = parse(detail) ?? {};
    if (action === 'people.add') keys.set(subject, signed.key);
    if (!/^periods\.(submit|approve|reject|close|reopen)$/.test(action)) return [];
    if (signature === undefined && !signed.key) return keys.has(signed.name) ? [`unsigned ${seq}`] : [];
    const { entries, hash } = signed.log ?? {};
    const isLog = entries >= 0 && entries < seq && computeRoot(leaves.slice(0, entries)) === hash;
    const isKnownKey = keys.get(signed.name) === signed.key;
    const text = toCanonicalJson({ action, subject, reason, detail: signed });
    return isLog && isKnownKey && isSigned(text, signed.key, signature) ? [] : [`signature ${seq}`];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: The content of an attacked file can be anything.
function toCanonicalJson(value: any): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${toCanonicalJson(value[name])}`).join(',')}}`;
}

function isSigned(text: string, key: unknown, signature: unknown): boolean {
  try {
    const x = Buffer.from(String(key), 'hex').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), publicKey, Buffer.from(String(signature), 'hex'));
  } catch {
    return false;
  }
}

/** Merkle tree hash of RFC 9162, section 2.1.1, over hashed leaves. */
export function computeRoot(leaves: readonly Buffer[]): string {
  if (leaves.length === 0) return createHash('sha256').digest('hex');
  const root = (part: readonly Buffer[]): Buffer => {
    if (part.length === 1) return part[0]!;
    const left = 2 ** Math.floor(Math.log2(part.length - 1));
    return createHash('sha256')
      .update(Buffer.of(1))
      .update(root(part.slice(0, left)))
      .update(root(part.slice(left)))
      .digest();
  };
  return root(leaves).toString('hex');
}

function findFileErrors(pack: UnpackedBag, log: readonly LogEntry[]): string[] {
  const last = log.at(-1);
  const stated = last?.action === 'pack.files' ? parse(last.detail)?.files : null;
  if (typeof stated !== 'object' || stated === null) return ['no pack.files'];
  const statements = pack.has('data/index.csv')
    ? [...pack.text('data/index.csv').matchAll(/^statement,\d+,(data[^,]+),\d+,([0-9a-f]{64}),/gm)]
    : [];
  const expected = new Map<string, string>(Object.entries(stated));
  for (const [, path, sha256] of statements) expected.set(path!, sha256!);
  const present = pack.paths.filter((path) => path.startsWith('data/') && path !== 'data/audit.jsonl');
  return [
    ...present.filter((path) => expected.get(path) !== pack.sha256(path)),
    ...[...expected.keys()].filter((path) => !pack.has(path)),
  ];
}

const states: Readonly<Record<string, readonly [state: string, role: string]>> = {
  'periods.open': ['open', ''],
  'periods.submit': ['submitted', 'prepared'],
  'periods.approve': ['reviewed', 'reviewed'],
  'periods.reject': ['open', 'rejected'],
  'periods.close': ['closed', 'closed'],
  'periods.reopen': ['open', 'reopened'],
};

function findSignOffErrors(
  pack: UnpackedBag,
  // biome-ignore lint/suspicious/noExplicitAny: The content of an attacked file can be anything.
  info: any,
  log: readonly LogEntry[],
  leaves: readonly Buffer[],
): string[] {
  const steps = log.filter(({ action, subject }) => subject === info.period && states[action] !== undefined);
  const signatures = steps
    .filter(({ action }) => states[action]![1] !== '')
    .map(({ seq, at, action, reason, detail }) => ({
      role: states[action]![1],
      user: parse(detail)?.name,
      at: new Date(at).toISOString(),
      text: reason === '' ? null : reason,
      self_review: parse(detail)?.is_self_review,
      key: parse(detail)?.key ?? null,
      statements: parse(detail)?.statements ?? [],
      receipt: computeRoot(leaves.slice(0, seq)),
    }));
  const state = steps.length === 0 ? 'none' : states[steps.at(-1)!.action]![0];
  const closing = steps.findLast(({ action }) => action === 'periods.close');
  return [
    ...(JSON.stringify(signatures) === JSON.stringify(info.signatures) ? [] : ['signatures']),
    ...(state === info.state ? [] : ['state']),
    ...(pack.has('data/figures.json') && pack.sha256('data/figures.json') === info.digest ? [] : ['figures']),
    ...(state === 'closed' && parse(closing!.detail)?.figures !== info.digest ? ['signed figures'] : []),
  ];
}
