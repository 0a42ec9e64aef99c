/* biome-ignore-all lint/suspicious/noConsole: a command that prints its result */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { digestFiles } from '../main/build-copy.ts';

/**
 * `node test/electron/compare-packages.ts <folder> <folder>` compares the programs that two runs of `npm run package` left
 * in these folders, file by file. Lists the differences and exits with 1 if there are any. Signatures are ignored.
 */
const SIGNATURES = /(^|[/\\])_CodeSignature[/\\]/;

/** Returns the digests of the unpacked program's files. The installers around it contain the time at which they were made. */
function digestProgram(dist: string): Record<string, string> {
  const folder = readdirSync(dist).find((name) => /-unpacked$|^mac/.test(name));
  if (folder === undefined) throw new Error(`${dist} contains no packaged program.`);
  const digests = Object.entries(digestFiles(join(dist, folder)));
  return Object.fromEntries(digests.filter(([file]) => !SIGNATURES.test(file)));
}

const [first = {}, second = {}] = process.argv.slice(2).map(digestProgram);
const files = [...new Set([...Object.keys(first), ...Object.keys(second)])];
const different = files.filter((file) => first[file] !== second[file]);
for (const file of different) console.log(`Different: ${file}`);
console.log(`${files.length - different.length} of ${files.length} files are equal.`);
process.exitCode = files.length > 0 && different.length === 0 ? 0 : 1;
