/** How long copies of the books are kept. Pure. */
export { type DatedCopy, keptCopies } from './keeping.ts';
