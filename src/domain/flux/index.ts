/** Flux: the difference of a figure between two months, split into parts by subscription. */
export * from './flux-parts.ts';
export * from './flux-rows.ts';
export * from './split-flux.ts';
