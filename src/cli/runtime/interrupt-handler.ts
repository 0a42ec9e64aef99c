import { exitCode } from '../errors/exit-codes.ts';

/** Handles Ctrl-C: aborts the signal, then ends the process within a second. */
export interface InterruptHandler {
  readonly signal: AbortSignal;
  /** Sets the message printed after Ctrl-C, usually how to resume. */
  setMessage(message: string): void;
  /** Declares that Ctrl-C is the normal way to end the command: no message, exit code 0. */
  treatAsNormalEnd(): void;
  /** Prints the message once and returns the exit code. */
  report(): typeof exitCode.interrupted | typeof exitCode.success;
  dispose(): void;
}

/** Below the one second within which Ctrl-C must end a command. */
const GRACE_MS = 950;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export function listenForInterrupt(print: (message: string) => void): InterruptHandler {
  const controller = new AbortController();
  let message: string | null = 'Stopped.';
  let isReported = false;

  const report = () => {
    if (message === null) return exitCode.success;
    if (!isReported) print(message);
    isReported = true;
    return exitCode.interrupted;
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

/** Resolves on Ctrl-C. */
export function waitForInterrupt({ signal }: InterruptHandler): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
