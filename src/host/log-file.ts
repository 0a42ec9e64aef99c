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

/** Maximum number of warnings and errors with the same message per minute. Chosen by judgment. */
const MAX_REPEATS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

export type OpenLogFile = ReturnType<typeof openLogFile>;

/**
 * Opens `logs/tieout.log`. At `limit` bytes it is renamed, and at most `keep` older files are preserved. The redactor
 * processes entire lines, so that no field can contain a key. Repeated warnings and errors are counted instead of written,
 * so that a flood of invalid requests cannot push all other records out of the files.
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
  const repeats = createRepeatCounter();
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => file.write(redactor.redact(line)) },
  );
  return {
    path,
    log({ level: recordLevel, msg, ...fields }: LogRecord): void {
      const isLimited = recordLevel === 'warn' || recordLevel === 'error';
      if (isLimited && !repeats.admit(msg, writeOmitted)) return;
      logger[recordLevel](fields, msg);
    },
    close() {
      repeats.end(writeOmitted);
      file.close();
    },
  };
  function writeOmitted(omitted: string, times: number): void {
    logger.warn({ omitted, times }, 'Repeated records were omitted.');
  }
}

type OmittedReport = (msg: string, times: number) => void;

/** Counts the records of each message per minute. */
function createRepeatCounter() {
  const counters = new Map<string, { readonly since: number; times: number }>();
  const report = (msg: string, times: number, onOmitted: OmittedReport) => {
    if (times > MAX_REPEATS_PER_MINUTE) onOmitted(msg, times - MAX_REPEATS_PER_MINUTE);
  };
  return {
    /** Returns true if a record is to be written. When a minute is over, reports how many records it omitted. */
    admit(msg: string, onOmitted: OmittedReport): boolean {
      const now = performance.now();
      const counter = counters.get(msg);
      if (counter && now - counter.since < MINUTE_MS) {
        counter.times += 1;
        return counter.times <= MAX_REPEATS_PER_MINUTE;
      }
      if (counter) report(msg, counter.times, onOmitted);
      counters.set(msg, { since: now, times: 1 });
      return true;
    },
    end(onOmitted: OmittedReport): void {
      for (const [msg, { times }] of counters) report(msg, times, onOmitted);
      counters.clear();
    },
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
        // Ignored, because no log file of this age exists, or another window has already moved the file.
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
        // Ignored, because a full disk must not end the work that is being logged.
      }
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
