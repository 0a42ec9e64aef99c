import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { packagedProgram } from './packaged.ts';

/** Check 19: the fuses set by `npm run package` are read back from the packaged program. */
type Wire = Readonly<Record<string, number | string>>;
/** State of a fuse in the program. */
const [OFF, ON] = [...Buffer.from('01')];
const builder = createRequire(createRequire(join(appRoot, 'package.json')).resolve('electron-builder'));
const { getCurrentFuseWire, FuseV1Options } = createRequire(builder.resolve('app-builder-lib/package.json'))(
  '@electron/fuses',
) as {
  getCurrentFuseWire(program: string): Promise<Wire>;
  FuseV1Options: Readonly<Record<string, number>>;
};

const burnt: [fuse: string, on: boolean][] = [
  ['RunAsNode', false],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['GrantFileProtocolExtraPrivileges', false],
  ['EnableEmbeddedAsarIntegrityValidation', true],
  ['OnlyLoadAppFromAsar', true],
  ['EnableCookieEncryption', true],
];

test.each(burnt)('%s is %s in the packaged program', async (fuse, on) => {
  const wire = await getCurrentFuseWire(packagedProgram() ?? '');
  expect(wire[String(FuseV1Options[fuse])]).toBe(on ? ON : OFF);
});
