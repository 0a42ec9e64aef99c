import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import type { PackDecisions } from '../../../src/contract/index.ts';

export interface LogEntry {
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

/** Returns the files of a pack by path. Each character of a text is one byte. */
export async function readZip(path: string): Promise<Map<string, string>> {
  const zip = await yauzl.openPromise(path);
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    files.set(
      entry.fileName.replace(/^[^/]+\/(?=bagit|bag-info|manifest|tagmanifest|data)/, ''),
      await text(stream.setEncoding('latin1')),
    );
  }
  return files;
}

export const sha256 = (content: string): string =>
  createHash('sha256').update(content, 'latin1').digest('hex');

/** Evidence pack in a folder, with the operations of an attacker who makes its checksums again. */
export class UnpackedPack {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(path: string): string {
    return readFileSync(join(this.#folder, path), 'latin1');
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), content, 'latin1');
  }

  listPayload(): string[] {
    return readdirSync(join(this.#folder, 'data'), { recursive: true, encoding: 'utf8' })
      .map((path) => `data/${path.replaceAll('\\', '/')}`)
      .filter((path) => statSync(join(this.#folder, path)).isFile());
  }

  /** Makes the bag valid again after its payload was changed, as an attacker would. */
  rebuildManifests(): void {
    const payload = this.listPayload();
    const bytes = payload.reduce((sum, path) => sum + this.read(path).length, 0);
    const oxum = `Payload-Oxum: ${bytes}.${payload.length}`;
    this.write('bag-info.txt', this.read('bag-info.txt').replace(/Payload-Oxum: .*/, oxum));
    const list = (paths: readonly string[]) =>
      paths.map((path) => `${sha256(this.read(path))}  ${path}\n`).join('');
    this.write('manifest-sha256.txt', list(payload));
    this.write('tagmanifest-sha256.txt', list(['bagit.txt', 'bag-info.txt', 'manifest-sha256.txt']));
  }

  readLog(): LogEntry[] {
    return Buffer.from(this.read('data/audit.jsonl'), 'latin1')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** Writes a log with the hash of every entry computed again. */
  rebuildLog(entries: readonly LogEntry[]): LogEntry[] {
    let previous_hash = '0'.repeat(64);
    const log = entries.map((entry, index) => {
      const { at, user, action, subject, reason, detail } = entry;
      const content = JSON.stringify([previous_hash, at, user, action, subject, reason, detail]);
      const hash = createHash('sha256').update(Buffer.of(0)).update(content).digest('hex');
      const rebuilt = { ...entry, seq: index + 1, previous_hash, hash };
      previous_hash = hash;
      return rebuilt;
    });
    const lines = log.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    this.write('data/audit.jsonl', Buffer.from(lines).toString('latin1'));
    return log;
  }

  /** Changes the decisions of an unsigned pack, so that the pack verifies without problems. */
  changeDecisions(change: (decisions: PackDecisions) => void): void {
    const path = 'data/decisions.json';
    const decisions = JSON.parse(Buffer.from(this.read(path), 'latin1').toString()) as PackDecisions;
    change(decisions);
    const content = Buffer.from(JSON.stringify(decisions)).toString('latin1');
    this.write(path, content);
    const log = this.readLog();
    const last = log.at(-1)!;
    const { files } = JSON.parse(last.detail);
    const detail = JSON.stringify({ files: { ...files, [path]: sha256(content) } });
    this.rebuildLog([...log.slice(0, -1), { ...last, detail }]);
    this.rebuildManifests();
  }
}

/** Unpacks a pack into a new folder. */
export async function unpackPack(path: string, folder: string): Promise<UnpackedPack> {
  const pack = new UnpackedPack(folder);
  for (const [file, content] of await readZip(path)) pack.write(file, content);
  return pack;
}
