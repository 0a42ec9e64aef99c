import { exit } from './exit.ts';

/** Ctrl-C: asks once, and does not wait longer than a second. */
export interface Stop {
  readonly signal: AbortSignal;
  /** What to say at the end instead of the usual words: how to go on. */
  onStop(sentence: string): void;
  /** From now on Ctrl-C is the usual way to end the command, and nothing to speak of. */
  isUsual(): void;
  /** Says that it was stopped, once, by `say`; gives the exit code. */
  said(): typeof exit.interrupted | typeof exit.done;
  end(): void;
}

const grace = 950;
const signals = ['SIGINT', 'SIGTERM'] as const;

export function listenForStop(say: (sentence: string) => void): Stop {
  const controller = new AbortController();
  let sentence: string | null = 'Stopped.';
  let told = false;

  const said = () => {
    if (sentence === null) return exit.done;
    if (!told) say(sentence);
    told = true;
    return exit.interrupted;
  };
  const leave = () => process.exit(said());
  const interrupt = () => {
    if (controller.signal.aborted) return leave();
    controller.abort();
    setTimeout(leave, grace).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);

  return {
    signal: controller.signal,
    onStop(words) {
      sentence = words;
    },
    isUsual() {
      sentence = null;
    },
    said,
    end() {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}

/** Resolves at Ctrl-C. */
export function stopped({ signal }: Stop): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
