/** Proration schemes that a request may name, by direction of the change (interface 2.2). */
export const prorationSchemes = {
  upgrade: ['prorate-delay-capture', 'prorate-attempt-capture', 'no-prorate'],
  downgrade: ['prorate', 'no-prorate'],
} as const;
