import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import yazl from 'yazl';
import { syncFolder } from '../sites/durableFile.ts';
import { gathered } from './folderSink.ts';
import { hashOfFile } from './reading.ts';
import { type BagSink, DamagedSource } from './sink.ts';

/**
 * A bag as a ZIP file, its files stored as they are (a PDF is compressed already), as ZIP64 where counts or sizes ask for it. All
 * files stand in one folder of the ZIP, named after it. It gets its name when it is whole; stopped, it begins anew.
 * @param at the moment every file in it is dated, ms UTC: the same each time it is made
 */
export async function zipSink(path: string, at: number): Promise<BagSink> {
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`);
  const top = basename(path).replace(/\.zip$/i, '');
  const zip = new yazl.ZipFile();
  const file = createWriteStream(part, { flags: 'wx', mode: 0o644 });
  const failed = new Promise<never>((_, reject) => {
    file.once('error', reject);
    zip.once('error', reject);
  });
  failed.catch(() => undefined);
  const written = once(file, 'close');
  written.catch(() => undefined);
  zip.outputStream.pipe(file);
  const options = { mtime: new Date(at), mode: 0o100644, compress: false };

  /** Adds one file and waits until it is in: nothing gathers, however many follow. */
  const add = (name: string, size: number | null, openStream: () => Readable) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => {
        const sized = size === null ? options : { ...options, size };
        zip.addReadStreamLazy(`${top}/${name}`, sized, (take) => {
          const stream = openStream();
          stream.once('end', resolve).once('error', reject);
          take(null, stream);
        });
      }),
    ]);

  return {
    async copy({ path: name, source, sha256, bytes }) {
      const held = await hashOfFile(source).catch(() => null);
      if (held === null || held.sha256 !== sha256) throw new DamagedSource(name);
      const from = await open(source, 'r');
      await add(name, bytes, () => from.createReadStream({ highWaterMark: Math.min(bytes + 1, 256 * 1024) }));
      return 'written';
    },
    async write(name, content) {
      const hash = createHash('sha256');
      let bytes = 0;
      const counted = function* () {
        for (const piece of gathered(content)) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
      };
      await add(name, null, () => Readable.from(counted()));
      return { path: name, sha256: hash.digest('hex'), bytes };
    },
    async *earlier() {
      // A ZIP file is made anew each time; what stood under its name is replaced when the new one is whole.
    },
    async finish() {
      zip.end();
      await Promise.race([failed, written]);
      const whole = await open(part, 'r+');
      try {
        await whole.sync();
      } finally {
        await whole.close();
      }
      await rename(part, path);
      syncFolder(dirname(path));
    },
    async abandon() {
      zip.outputStream.unpipe(file);
      file.destroy();
      await written.catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

/** Whether a ZIP file stands there already. */
export async function standsAlready(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
