/** Distinguishes a service that fails on single records from one that fails on everything. */
export interface Strikes {
  /** Records a success. */
  good(): void;
  /** Records a failure. Throws the error if too many have failed in a row. */
  bad(error: Error): void;
  /** Returns true if too many have failed in a row, so that the service is considered at fault. */
  hopeless(): boolean;
}

/** Number of consecutive failures after which the service is considered at fault. Chosen by judgment. */
const IN_A_ROW = 12;

export function createStrikes(): Strikes {
  let row = 0;
  return {
    good() {
      row = 0;
    },
    bad(error) {
      if (++row >= IN_A_ROW) throw error;
    },
    hopeless: () => row >= IN_A_ROW,
  };
}
