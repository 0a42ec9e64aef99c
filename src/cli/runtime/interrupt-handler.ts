import { exitCodes } from '../errors/exit-codes.ts';

/** Handles Ctrl-C by aborting a signal and ending the process within one second. */
export interface InterruptHandler {
  readonly signal: AbortSignal;
  /** Sets the message printed after Ctrl-C, which usually explains how to resume. */
  setMessage(message: string): void;
  /** Declares that Ctrl-C is the normal way to end the command, without a message and with exit code 0. */
  treatAsNormalEnd(): void;
  /** Prints the message if it has not been printed yet, and returns the exit code. */
  report(): typeof exitCodes.interrupted | typeof exitCodes.success;
  dispose(): void;
}

/** Time after Ctrl-C at which the process ends, in milliseconds. It is below the required maximum of one second. */
const GRACE_MS = 950;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export function listenForInterrupt(print: (message: string) => void): InterruptHandler {
  const controller = new AbortController();
  let message: string | null = 'Stopped.';
  let isReported = false;

  const report = () => {
    if (message === null) return exitCodes.success;
    if (!isReported) print(message);
    isReported = true;
    return exitCodes.interrupted;
  };
  const leave = () => process.exit(report());
  const interrupt = () => {
    if (controller.signal.aborted) return leave();
    controller.abort();
    setTimeout(leave, GRACE_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);

  return {
    signal: controller.signal,
    setMessage(text) {
      message = text;
    },
    treatAsNormalEnd() {
      message = null;
    },
    report,
    dispose() {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}

/** Resolves when Ctrl-C is pressed. */
export function waitForInterrupt({ signal }: InterruptHandler): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
