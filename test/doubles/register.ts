/** `node --import test/doubles/register.ts …` runs what was built for Electron with the double in its place. */
import { registerHooks } from 'node:module';

const url = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url, shortCircuit: true } : next(specifier, context),
});
