import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

/** Checks 19 and 20: options of the packaged program, and scripts run by its installation. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}
interface Builder {
  readonly asar: boolean;
  readonly files: readonly { readonly filter: readonly string[] }[];
  readonly electronFuses: Record<string, boolean>;
}
/** The part of electron-builder that reads and validates its configuration. */
interface Reader {
  getConfig(project: string, file: string, given: null): Promise<Builder>;
  validateConfiguration(config: Builder, debug: { isEnabled: boolean; add(): void }): Promise<void>;
}

const manifest = read('package.json') as Manifest;
let reader: Reader;
let builder: Builder;

beforeAll(async () => {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  reader = load('app-builder-lib/out/util/config/config.js') as Reader;
  builder = await reader.getConfig(root, 'resources/electron-builder.yml', null);
});

test('electron-builder accepts the configuration', async () => {
  expect(manifest.scripts['package']).toContain('resources/electron-builder.yml');
  await reader.validateConfiguration(builder, { isEnabled: false, add: () => undefined });
});

test('fuses prevent running the program as Node, debugging it, or replacing its archive', () => {
  expect(builder.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    grantFileProtocolExtraPrivileges: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    resetAdHocDarwinSignature: true,
  });
});

test('the package contains only the build, the license and the icon, without source maps', () => {
  expect(builder.asar).toBe(true);
  const filter = builder.files
    .flatMap((files) => files.filter)
    .filter((each) => !/^!node_modules/.test(each));
  expect(filter).toEqual([
    ...[
      'out/{main,preload,renderer}/**',
      'package.json',
      'LICENSE',
      'resources/LICENSES.md',
      'resources/icon.png',
      '!**/*.map',
    ],
    '!**/*.{ts,mts,cts}',
  ]);
});

test('installing runs only allowed scripts', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  for (const name of withScripts) expect(Object.keys(manifest.allowScripts), name).toContain(name);
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) {
    expect(manifest.scripts, hook).not.toHaveProperty(hook);
  }
});

test('every package of the lock file has an integrity hash', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: boolean }>;
  };
  const loose = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  );
  expect(loose).toEqual([]);
});

test('Electron has a supported major version', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { version: string }> };
  // The oldest supported major when this was written. Raise it with each upgrade.
  expect(Number(packages['node_modules/electron']?.version.split('.')[0])).toBeGreaterThanOrEqual(43);
});

/** Dangerous calls and the only source files that may contain them. */
const dangerousCalls: [danger: string, pattern: RegExp, allowedFiles: readonly string[]][] = [
  ['opening the system’s browser', /\bshell\b[^\n]*openExternal|\.openExternal\(/, ['main/app-windows.ts']],
  ['receiving a message from a page', /ipcMain\.|\bipcMain\b.*\bon\(/, ['main/connect-handler.ts']],
  ['sending a request from Electron', /\bnet\.(fetch|request)\(/, ['main/updates/watch-updates.ts']],
  ['loading extensions into SQLite', /loadExtension/, []],
  ['making code from text', /\beval\(|new Function\(|\bvm\.|node:vm/, []],
  [
    'putting text into the page as HTML',
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write/,
    [],
  ],
  // The command hook passes variables without secrets to the user's program.
  [
    'reading the environment',
    /process\.env\b/,
    ['backend/alerts/hook-environment.ts', 'cli/index.ts', 'cli/start.ts', 'main/index.ts'],
  ],
];

test.each(dangerousCalls)('only the allowed files do this: %s', (_danger, pattern, allowedFiles) => {
  const src = join(root, 'src');
  const matchingFiles = sources(src).filter((path) =>
    pattern.test(code(readFileSync(join(src, path), 'utf8'))),
  );
  expect(matchingFiles.sort()).toEqual([...allowedFiles].sort());
});

function sources(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under)).flatMap((name) => {
    const path = under ? `${under}/${name}` : name;
    if (statSync(join(folder, path)).isDirectory()) return sources(folder, path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** Returns the source without its comments. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}
