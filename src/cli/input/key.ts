import type { ReadStream } from 'node:tty';
import { Failure } from '../failure.ts';

/**
 * Asks for a key on the terminal, without showing it. `TIEOUT_API_KEY` goes first; a key is never a flag, since
 * arguments can be read by every user of the machine.
 * Errors: `auth` where there is neither the variable nor a terminal, `cancelled` on Ctrl-C or an empty answer.
 */
export async function givenKey(
  environment: { readonly apiKey: string | undefined },
  site: string,
  input: ReadStream = process.stdin,
  output: { write(text: string): unknown } = process.stderr,
): Promise<string> {
  if (environment.apiKey) return environment.apiKey;
  if (!input.isTTY) {
    throw new Failure(
      'auth',
      `There is no API key for ${site} in the keychain, and no terminal to ask for it.`,
      'Set TIEOUT_API_KEY for this run.',
    );
  }
  output.write(`API key of ${site} (not shown): `);
  const key = await hiddenLine(input);
  output.write('\n');
  if (key === null || key === '') throw new Failure('cancelled', 'No key given; nothing was changed.');
  return key;
}

/** A line typed with the echo off; null on Ctrl-C or Ctrl-D. */
function hiddenLine(input: ReadStream): Promise<string | null> {
  return new Promise((resolve) => {
    let typed = '';
    const end = (line: string | null) => {
      input.off('data', take).setRawMode(false).pause();
      resolve(line);
    };
    const take = (chunk: Buffer | string) => {
      for (const char of String(chunk)) {
        if (char === '\r' || char === '\n') return end(typed);
        if (char === '\u0003' || char === '\u0004') return end(null);
        if (char === '\u007f' || char === '\b') typed = typed.slice(0, -1);
        else if (char >= ' ') typed += char;
      }
    };
    input.setRawMode(true).resume().on('data', take);
  });
}
