/** Fields of a webhook that are needed to find outages. `at` is `created_at` in UTC milliseconds. */
export type WebhookDelivery = { at: number; url: string; delivery: 0 | 1 | 2 };

/** A run of failed webhooks to one address, with few accepted webhooks in between. */
export interface FailureRun {
  url: string;
  /** Time of the first failure (`created_at`, UTC milliseconds). */
  from: number;
  to: number;
  accepted: number;
  failed: number;
  pending: number;
  /** True if a webhook was accepted after the last failure. */
  ended: boolean;
}

/** Accepted webhooks that end a run: 20% of its failures, at least 5, at most 50. Chosen by judgment. */
const ENDED_BY = { least: 5, most: 50, share: 0.2 };
/** Maximum number of webhooks to any address between two failures of one run. Chosen by judgment. */
const MAX_PASSED = 1000;
/** Maximum time between two failures of one run, in milliseconds. Chosen by judgment. */
const MAX_QUIET_MS = 7 * 86_400_000;
/** Minimum number of failures of an outage. Chosen by judgment. */
const MIN_FAILURES = 5;
/** Minimum number of failures of an outage without any accepted webhook. Chosen by judgment. */
const MIN_CLEAN_FAILURES = 3;

interface OpenRun extends FailureRun {
  /** Number of webhooks accepted since the run's last failure. */
  acceptedSince: number;
  /** Number of webhooks to any address since the run's last failure. */
  passed: number;
}

/** Finds outages in webhooks ordered by time. While no run is open, the caller may skip accepted webhooks. */
export class OutageFinder {
  readonly #open = new Map<string, OpenRun>();
  readonly #outages: FailureRun[] = [];

  /** Adds the next webhook in the order of `created_at`. */
  take(webhook: WebhookDelivery): void {
    for (const run of this.#open.values()) {
      run.passed++;
      if (run.passed > MAX_PASSED || webhook.at - run.to > MAX_QUIET_MS)
        this.#close(run, run.acceptedSince > 0);
    }
    if (webhook.delivery === 0) this.#addAccepted(webhook.url);
    else this.#addFailure(webhook);
  }

  /** Returns true if a run is open, so that the next webhook may belong to it. */
  isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Ends the open runs and returns all outages in the order in which they ended. */
  end(): FailureRun[] {
    for (const run of this.#open.values()) this.#close(run, run.acceptedSince > 0);
    return this.#outages;
  }

  /** Counts an accepted webhook for the run of its address and for the run of webhooks without an address. */
  #addAccepted(url: string): void {
    for (const run of [this.#open.get(url), this.#open.get('')]) {
      if (run === undefined) continue;
      run.acceptedSince++;
      if (run.acceptedSince >= countAcceptedToEnd(run)) this.#close(run, true);
    }
  }

  #addFailure({ at, url, delivery }: WebhookDelivery): void {
    const counts = { accepted: 0, failed: 0, pending: 0, acceptedSince: 0, passed: 0 };
    const run = this.#open.get(url) ?? { url, from: at, to: at, ended: false, ...counts };
    this.#open.set(url, run);
    run.to = at;
    run.accepted += run.acceptedSince;
    run.acceptedSince = 0;
    run.passed = 0;
    if (delivery === 2) run.pending++;
    else run.failed++;
  }

  #close({ acceptedSince: _, passed: __, ...run }: OpenRun, ended: boolean): void {
    this.#open.delete(run.url);
    const notAccepted = run.failed + run.pending;
    if (notAccepted >= MIN_FAILURES || (notAccepted >= MIN_CLEAN_FAILURES && run.accepted === 0))
      this.#outages.push({ ...run, ended });
  }
}

function countAcceptedToEnd({ failed, pending }: FailureRun): number {
  const share = Math.floor((failed + pending) * ENDED_BY.share);
  return Math.min(ENDED_BY.most, Math.max(ENDED_BY.least, share));
}
