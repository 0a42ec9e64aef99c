/** Tells a service that fails on single things from one that fails on everything. */
export interface Strikes {
  /** Something was read. */
  good(): void;
  /** Something could not be read. Throws the error where it is one after too many others. */
  bad(error: Error): void;
  /** Whether so many failed, with nothing read in between, that it is the service. */
  hopeless(): boolean;
}

/** Things that may fail one after the other before it is the service, and not they, that is at fault. */
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
