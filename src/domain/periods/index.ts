export * from './canonical-json.ts';
export * from './certification.ts';
export * from './field-differences.ts';
export * from './figure-comments.ts';
export * from './last-sign-off.ts';
export * from './period-order.ts';
export * from './period-transitions.ts';
export * from './person-names.ts';
