import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Level, pino } from 'pino';
import { logFileOf } from './home.ts';
import type { Redactor } from './redactor.ts';

/** One line of the log. Never contains amounts or customers. */
export interface LogRecord {
  readonly level: Level;
  readonly msg: string;
  readonly [field: string]: unknown;
}
export type Log = (record: LogRecord) => void;

/** The log file of a home, limited to `limit` bytes, with `keep` older files beside it (`tieout.log.1`, …). */
export interface LogFile {
  readonly path: string;
  readonly log: Log;
  close(): void;
}

/** Opens `logs/tieout.log`. Every line passes the redactor as a whole, so that no field can contain a key. */
export function openLog(options: {
  home: string;
  redactor: Redactor;
  level?: Level;
  limit?: number;
  keep?: number;
}): LogFile {
  const { home, redactor, level = 'info', limit = 5_000_000, keep = 3 } = options;
  const path = logFileOf(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = rotatingFile(path, limit, keep);
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => file.write(redactor.redact(line)) },
  );
  return {
    path,
    log: ({ level: at, msg, ...fields }) => logger[at](fields, msg),
    close: () => file.close(),
  };
}

function rotatingFile(path: string, limit: number, keep: number) {
  const open = () => openSync(path, 'a', 0o600);
  let file: number | null = open();
  let size = fstatSync(file).size;

  function rotate() {
    if (file !== null) closeSync(file);
    rmSync(`${path}.${keep}`, { force: true });
    for (let age = keep - 1; age >= 0; age -= 1) {
      try {
        renameSync(age === 0 ? path : `${path}.${age}`, `${path}.${age + 1}`);
      } catch {
        // There is none of that age, or another window has moved it.
      }
    }
    file = open();
    size = fstatSync(file).size;
  }

  return {
    write(line: string) {
      if (file === null) return;
      try {
        if (size > 0 && size + line.length > limit) rotate();
        size += writeSync(file, line);
      } catch {
        // A full disk must not end the work that is being logged.
      }
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
