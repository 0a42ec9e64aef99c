import { groupedErrors } from './causes.ts';
import { webhookAndAllocationErrors } from './deliveries.ts';
import { linkErrors } from './links.ts';
import { paymentErrors } from './payments.ts';
import type { PlantedError } from './plant.ts';
import { statementErrors } from './statements.ts';

export type { PlantedError } from './plant.ts';

/** All errors that can be planted, with the rule that must report each one. */
export const plantedErrors: readonly PlantedError[] = [
  ...statementErrors,
  ...paymentErrors,
  ...linkErrors,
  ...webhookAndAllocationErrors,
  ...groupedErrors,
];
