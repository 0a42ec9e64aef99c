/** A webhook of the log as a run of failures sees it. `at`: created_at, ms UTC. */
export interface Passing {
  at: number;
  url: string;
  delivery: 0 | 1 | 2;
}

/** Webhooks to one address that were not accepted, with few in between that were. */
export interface Run {
  url: string;
  /** created_at of the first and the last that was not accepted. */
  from: number;
  to: number;
  accepted: number;
  failed: number;
  pending: number;
  /** Whether anything was accepted behind it. */
  ended: boolean;
}

/** A run ends when so many were accepted since its last failure: a fifth of its failures, between these two. */
const ENDED_BY = { least: 5, most: 50, share: 0.2 };
/** It also ends when nothing failed for so many webhooks of any address, or for so long. */
const PASSED = 1000;
const QUIET_MS = 7 * 86_400_000;
/** A run is an outage from so many on; fewer will do where none was accepted in between. */
const ENOUGH = 5;
const ENOUGH_CLEAN = 3;

interface Open extends Run {
  /** Accepted, and of any kind, since its last failure. */
  since: number;
  passed: number;
}

export interface Runs {
  /** Hears of the next webhook, in the order of created_at. */
  take(webhook: Passing): void;
  /** Whether a run is open: what comes next may belong to it. */
  isOpen(): boolean;
  /** Ends what is open; gives all outages in the order they ended. */
  end(): Run[];
}

/** Finds runs of failures in webhooks that pass in order. Where none is open, accepted ones need not be shown. */
export function findRuns(): Runs {
  const open = new Map<string, Open>();
  const found: Run[] = [];

  function close(run: Open, ended: boolean): void {
    open.delete(run.url);
    const { since: _, passed: __, ...rest } = run;
    const lost = run.failed + run.pending;
    if (lost >= ENOUGH || (lost >= ENOUGH_CLEAN && run.accepted === 0)) found.push({ ...rest, ended });
  }

  function fail(run: Open, { at, delivery }: Passing): void {
    run.to = at;
    run.accepted += run.since;
    run.since = 0;
    run.passed = 0;
    if (delivery === 2) run.pending++;
    else run.failed++;
  }

  return {
    take(webhook) {
      for (const run of open.values()) {
        run.passed++;
        if (run.passed > PASSED || webhook.at - run.to > QUIET_MS) close(run, run.since > 0);
      }
      const { at, url, delivery } = webhook;
      let run = open.get(url);
      if (delivery !== 0) {
        if (run === undefined) {
          run = {
            url,
            from: at,
            to: at,
            accepted: 0,
            failed: 0,
            pending: 0,
            ended: false,
            since: 0,
            passed: 0,
          };
          open.set(url, run);
        }
        fail(run, webhook);
        return;
      }
      // Where the log does not say what address a webhook was for, any acceptance counts.
      for (const each of [run, open.get('')]) {
        if (each === undefined) continue;
        each.since++;
        if (each.since >= tolerance(each)) close(each, true);
      }
    },
    isOpen: () => open.size > 0,
    end() {
      for (const run of open.values()) close(run, run.since > 0);
      return found;
    },
  };
}

function tolerance({ failed, pending }: Run): number {
  const share = Math.floor((failed + pending) * ENDED_BY.share);
  return Math.min(ENDED_BY.most, Math.max(ENDED_BY.least, share));
}
