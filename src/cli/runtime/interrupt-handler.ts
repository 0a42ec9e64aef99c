import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';

/** Milliseconds after Ctrl-C at which the process ends, below the required maximum of one second. */
const GRACE_MS = 950;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Handles Ctrl-C by aborting a signal and ending the process within one second. */
export class InterruptHandler {
  readonly #controller = new AbortController();
  readonly #print: (message: string) => void;
  #message: string | null = 'Stopped.';
  #isReported = false;

  constructor(print: (message: string) => void) {
    this.#print = print;
    for (const signal of SIGNALS) process.on(signal, this.#interrupt);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sets the message printed after Ctrl-C. Null means that Ctrl-C is the normal way to end the command. */
  setMessage(message: string | null): void {
    this.#message = message;
  }

  /** Prints the interrupt message unless it was already printed. Returns the exit code. */
  report(): ExitCode {
    if (this.#message === null) return exitCodes.success;
    if (!this.#isReported) this.#print(this.#message);
    this.#isReported = true;
    return exitCodes.interrupted;
  }

  dispose(): void {
    for (const signal of SIGNALS) process.off(signal, this.#interrupt);
  }

  readonly #interrupt = () => {
    const leave = () => process.exit(this.report());
    if (this.signal.aborted) leave();
    this.#controller.abort();
    setTimeout(leave, GRACE_MS).unref();
  };
}

/** Resolves when Ctrl-C is pressed. */
export function waitForInterrupt({ signal }: InterruptHandler): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
