import { resolve } from 'node:path';
import type { Cli } from '../act.ts';
import { Failure } from '../failure.ts';
import { writeWhole } from './statement-pdf.ts';

/** Writes the file of an import to `output`, byte for byte as it was given. */
export async function writeSource({ session }: Cli, id: number, output: string) {
  const { client, site } = await session.local();
  const { sha256, bytes } = await client.bank.getImport({ site, id });
  const { blob } = await client.bank.source({ site, id });
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw new Failure('storage', `The file of import ${id} is gone.`);
  const file = resolve(output);
  const damaged = new Failure('corrupt', `The kept file of import ${id} is not what was imported any more.`);
  await writeWhole(file, offered.stream, sha256, damaged);
  return { import: id, file, bytes, sha256 };
}
