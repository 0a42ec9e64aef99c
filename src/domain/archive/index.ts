/** Archive rules: names of exported files, document retention and the rotation of archive checks. */
export * from './check-rotation.ts';
export * from './export-names.ts';
export * from './retention.ts';
