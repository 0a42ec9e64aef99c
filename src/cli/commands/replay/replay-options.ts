export interface ReasonOptions {
  readonly reason?: string;
}

/** Arguments of the `--reason` option. */
export const reasonOption = ['--reason <text>', 'reason for the audit log'] as const;

export const toReason = ({ reason }: ReasonOptions) => (reason === undefined ? {} : { reason });
