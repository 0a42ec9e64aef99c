import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { loadOutputWriter } from '../../../host/output-file.ts';
import { CliError } from '../../errors/cli-error.ts';
import type { CommandContext } from '../../runtime/cli-command.ts';

/** Options of a command that writes one file. */
export interface OutputOptions {
  readonly output: string;
  readonly replace?: true;
}

/**
 * Checks an output path before the content is downloaded. Returns the path, and a function that writes the content.
 * That function throws `damaged` if the content does not have the expected SHA-256.
 */
export async function prepareOutputFile({ session }: CommandContext, { output, replace }: OutputOptions) {
  const { resolveOutputFile, writeOutputFile } = await loadOutputWriter();
  const file = resolveOutputFile(resolve(output), { home: session.home, replace: replace === true });
  return {
    path: file.path,
    async write(content: Readable, expected: string, damaged: CliError): Promise<void> {
      await writeOutputFile(file, content, ({ sha256 }) => {
        if (sha256 !== expected) throw damaged;
      });
    },
    /** Writes a text after verifying its SHA-256. */
    async writeText(text: string, expected: string): Promise<void> {
      await this.write(
        Readable.from([Buffer.from(text)]),
        expected,
        new CliError('corrupt', 'The content is damaged.'),
      );
    },
  };
}
