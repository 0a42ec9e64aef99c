export * from './canonical.ts';
export * from './differences.ts';
export * from './moves.ts';
export * from './names.ts';
export * from './order.ts';
