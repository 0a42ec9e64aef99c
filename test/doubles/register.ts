/** `node --import test/doubles/register.ts …` runs code built for Electron with the test double. */
import { registerHooks } from 'node:module';

const url = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url, shortCircuit: true } : next(specifier, context),
});
