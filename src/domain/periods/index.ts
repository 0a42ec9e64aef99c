export * from './canonical-json.ts';
export * from './field-differences.ts';
export * from './period-order.ts';
export * from './period-transitions.ts';
export * from './person-names.ts';
