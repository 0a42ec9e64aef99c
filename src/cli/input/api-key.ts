import type { ReadStream } from 'node:tty';
import { CliError } from '../errors/cli-error.ts';

/**
 * Returns the API key from `TIEOUT_API_KEY`, or prompts for it on the terminal without echo. No option takes the key,
 * because other users of the computer can see command-line arguments. Throws `auth` if there is neither the variable
 * nor a terminal. Throws `canceled` on Ctrl-C or empty input.
 */
export async function readApiKey(
  environment: { readonly apiKey: string | undefined },
  site: string,
  input: ReadStream = process.stdin,
  output: { write(text: string): unknown } = process.stderr,
): Promise<string> {
  if (environment.apiKey) return environment.apiKey;
  return await promptForKey({ name: 'API key', site, variable: 'TIEOUT_API_KEY' }, input, output);
}

/** Returns the shared key from `TIEOUT_SHARED_KEY`, or prompts for it like `readApiKey`. */
export async function readSharedKey(
  environment: { readonly sharedKey?: string | undefined },
  site: string,
): Promise<string> {
  if (environment.sharedKey) return environment.sharedKey;
  const prompt = { name: 'Shared key', site, variable: 'TIEOUT_SHARED_KEY' };
  return await promptForKey(prompt, process.stdin, process.stderr);
}

async function promptForKey(
  { name, site, variable }: { name: string; site: string; variable: string },
  input: ReadStream,
  output: { write(text: string): unknown },
): Promise<string> {
  if (!input.isTTY) {
    throw new CliError(
      'auth',
      `No ${name} for ${site} is stored, and there is no terminal to prompt for one.`.replace(
        'Shared',
        'shared',
      ),
      `Set ${variable} for this command.`,
    );
  }
  output.write(`${name} for ${site} (hidden): `);
  const key = await readHiddenLine(input);
  output.write('\n');
  if (key === null || key === '') throw new CliError('canceled', 'No key was entered. Nothing was changed.');
  return key;
}

/** Reads a line from the terminal without echo. Returns null on Ctrl-C or Ctrl-D. */
function readHiddenLine(input: ReadStream): Promise<string | null> {
  return new Promise((resolve) => {
    let line = '';
    const receive = (chunk: Buffer | string) => {
      for (const char of String(chunk)) {
        if (!END_KEYS.has(char)) {
          line = applyKey(line, char);
          continue;
        }
        input.off('data', receive).setRawMode(false).pause();
        return resolve(char === '\r' || char === '\n' ? line : null);
      }
    };
    input.setRawMode(true).resume().on('data', receive);
  });
}

/** Characters that end the input: Enter, Ctrl-C and Ctrl-D. */
const END_KEYS = new Set(['\r', '\n', '\u0003', '\u0004']);

function applyKey(line: string, key: string): string {
  if (key === '\u007f' || key === '\b') return line.slice(0, -1);
  return key >= ' ' ? line + key : line;
}
