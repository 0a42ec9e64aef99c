import { deliveries } from './deliveries.ts';
import { payments } from './payments.ts';
import type { Plant } from './plant.ts';
import { statements } from './statements.ts';

export type { Plant } from './plant.ts';

/** All errors that can be planted, each with the rule that must report it. */
export const plants: readonly Plant[] = [...statements, ...payments, ...deliveries];
