/** Titles of the traps that the current matcher or import does not avoid. Remove a title once its test passes. */
export const knownFailures: ReadonlySet<string> = new Set<string>();
