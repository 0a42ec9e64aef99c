/** Fields of a webhook that are needed to find outages. `at` is `created_at` in UTC milliseconds. */
export interface WebhookDelivery {
  at: number;
  url: string;
  delivery: 0 | 1 | 2;
}

/** A run of failed webhooks to one address with few accepted ones in between. */
export interface FailureRun {
  url: string;
  /** Time of the first failure (`created_at`, UTC milliseconds). */
  from: number;
  to: number;
  accepted: number;
  failed: number;
  pending: number;
  /** True if webhooks were accepted after the last failure. */
  ended: boolean;
}

/**
 * Number of accepted webhooks since the last failure that ends a run: a share of its failures, within these limits.
 * Chosen by judgment.
 */
const ENDED_BY = { least: 5, most: 50, share: 0.2 };
/**
 * Number of consecutive webhooks to any address, without a failure at the run's address, that ends a run. Chosen by
 * judgment.
 */
const PASSED = 1000;
const QUIET_MS = 7 * 86_400_000;
/** Minimum number of failures of an outage. Chosen by judgment. */
const ENOUGH = 5;
const ENOUGH_CLEAN = 3;

interface Open extends FailureRun {
  /** Number of webhooks accepted since the run's last failure. */
  since: number;
  passed: number;
}

export interface OutageFinder {
  /** Adds the next webhook in the order of `created_at`. */
  take(webhook: WebhookDelivery): void;
  /** Returns true if a run is open, so that the next webhook may belong to it. */
  isOpen(): boolean;
  /** Ends the open runs and returns all outages in the order in which they ended. */
  end(): FailureRun[];
}

/** Finds outages in a sequence of webhooks ordered by time. Accepted webhooks can be skipped while no run is open. */
export function createOutageFinder(): OutageFinder {
  const open = new Map<string, Open>();
  const found: FailureRun[] = [];

  function close(run: Open, ended: boolean): void {
    open.delete(run.url);
    const { since: _, passed: __, ...rest } = run;
    const lost = run.failed + run.pending;
    if (lost >= ENOUGH || (lost >= ENOUGH_CLEAN && run.accepted === 0)) found.push({ ...rest, ended });
  }

  function fail(run: Open, { at, delivery }: WebhookDelivery): void {
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
      // If the log does not contain a webhook's address, any accepted webhook counts.
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

function tolerance({ failed, pending }: FailureRun): number {
  const share = Math.floor((failed + pending) * ENDED_BY.share);
  return Math.min(ENDED_BY.most, Math.max(ENDED_BY.least, share));
}
