import { deliveries } from './deliveries.ts';
import { payments } from './payments.ts';
import type { Plant } from './plant.ts';
import { statements } from './statements.ts';

export type { Plant } from './plant.ts';

/** Every plantable error with the one rule that must report it. */
export const plants: readonly Plant[] = [...statements, ...payments, ...deliveries];
