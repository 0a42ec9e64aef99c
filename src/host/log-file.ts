import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Level, pino } from 'pino';
import { getLogFilePath } from './home-folder.ts';
import type { Redactor } from './redactor.ts';

/** Log entry. Never contains amounts or customers. */
export interface LogRecord {
  readonly level: Level;
  readonly msg: string;
  readonly [field: string]: unknown;
}
export type LogWriter = (record: LogRecord) => void;

export type OpenLogFile = ReturnType<typeof openLogFile>;

/**
 * Opens `logs/tieout.log`. At `limit` bytes it is renamed, and at most `keep` older files are preserved. The redactor
 * processes entire lines, so that no field can contain a key.
 */
export function openLogFile(options: {
  home: string;
  redactor: Redactor;
  level?: Level;
  limit?: number;
  keep?: number;
}) {
  const { home, redactor, level = 'info', limit = 5_000_000, keep = 3 } = options;
  const path = getLogFilePath(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openRotatingFile(path, limit, keep);
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => file.write(redactor.redact(line)) },
  );
  return {
    path,
    log({ level: recordLevel, msg, ...fields }: LogRecord): void {
      logger[recordLevel](fields, msg);
    },
    close: () => file.close(),
  };
}

function openRotatingFile(path: string, limit: number, keep: number) {
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
