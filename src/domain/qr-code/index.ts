export * from './qr-code.ts';
export * from './qr-code-drawings.ts';
