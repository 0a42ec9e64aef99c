import { EventEmitter } from 'node:events';
import type { ReadStream } from 'node:tty';
import { describe, expect, test } from 'vitest';
import { readApiKey } from '../../../src/cli/input/api-key.ts';

/** A fake terminal that records its raw mode and its output. */
class Terminal extends EventEmitter {
  readonly isTTY = true;
  raw = false;
  readonly printed: string[] = [];
  setRawMode(raw: boolean) {
    this.raw = raw;
    return this;
  }
  resume() {
    return this;
  }
  pause() {
    return this;
  }
  type(text: string) {
    expect(this.raw).toBe(true);
    for (const char of text) this.emit('data', Buffer.from(char));
  }
}

function promptForKey(apiKey?: string) {
  const terminal = new Terminal();
  const output = { write: (text: string) => terminal.printed.push(text) };
  const answer = readApiKey({ apiKey }, 'Acme', terminal as unknown as ReadStream, output);
  return { terminal, answer };
}

describe('the API key', () => {
  test('is read from the environment without a prompt', async () => {
    const { terminal, answer } = promptForKey('from-env');
    expect(await answer).toBe('from-env');
    expect(terminal.printed).toEqual([]);
  });

  test('is prompted for without echo', async () => {
    const { terminal, answer } = promptForKey();
    terminal.type('sekret\u007f\u007fcret\r');
    expect(await answer).toBe('sekrcret');
    expect(terminal.raw).toBe(false);
    expect(terminal.printed.join('')).toBe('API key for Acme (hidden): \n');
  });

  test.each(['\u0003', '\u0004', '\r'])('is not required if %j cancels the prompt', async (typed) => {
    const { terminal, answer } = promptForKey();
    terminal.type(typed);
    await expect(answer).rejects.toMatchObject({ value: { code: 'canceled' } });
    expect(terminal.raw).toBe(false);
  });

  test('can be prompted for only in a terminal', async () => {
    const input = { isTTY: false } as ReadStream;
    await expect(readApiKey({ apiKey: undefined }, 'Acme', input)).rejects.toMatchObject({
      value: { code: 'auth', hint: 'Set TIEOUT_API_KEY for this command.' },
    });
  });
});
