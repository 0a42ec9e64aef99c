/** How exported statements are named, how long documents are kept, and how often they are read again. Pure. */
export { DEFAULT_TEMPLATE, type NamedStatement, type NameTemplate, readTemplate, spelling } from './names.ts';
export { isPastRetention, keptUntil, newestPastRetention, USUAL_YEARS } from './retention.ts';
export { grantRound, ROUND_DAYS, type Round } from './round.ts';
