export interface ReasonOptions {
  readonly reason?: string;
}

/** Flags and description of the `--reason` option. */
export const reasonOption = ['--reason <text>', 'reason for the audit log'] as const;

export const toReasonInput = ({ reason }: ReasonOptions) => (reason === undefined ? {} : { reason });
