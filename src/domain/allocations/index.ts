/** Changes of quantities: what a file asks for, what a change would do, and whether one whose answer was lost was carried out. */
export * from './change-file.ts';
export * from './csv.ts';
export * from './lookup.ts';
export * from './preview.ts';
