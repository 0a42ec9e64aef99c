import { resolve } from 'node:path';
import { CliError } from '../../errors/cli-error.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';
import { writeVerifiedFile } from '../shared/write-verified-file.ts';

/** Writes the original file of an import to `output`, byte for byte. */
export async function writeImportSource({ session }: CommandContext, id: number, output: string) {
  const { client, site } = await session.openSite();
  const { sha256, bytes } = await client.bank.getImport({ site, id });
  const { blob } = await client.bank.source({ site, id });
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw new CliError('storage', `The original file of import ${id} is missing.`);
  const file = resolve(output);
  const damaged = new CliError('corrupt', `The stored original file of import ${id} is damaged.`);
  await writeVerifiedFile(file, offered.stream, sha256, damaged);
  return { import: id, file, bytes, sha256 };
}
