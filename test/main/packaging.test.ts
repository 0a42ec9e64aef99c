import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { loadPackagingRules } from './packaging-rules.ts';

/** Tests, without packaging, that `npm run package` includes every file and package that the built app loads. */
let isPackaged: (path: string) => boolean;
/** Contents of each file that Node or Electron runs, by path. */
let builtFiles: ReadonlyMap<string, string>;

beforeAll(async () => {
  ({ packs: isPackaged } = await loadPackagingRules());
  const files = globSync('out/{main,preload}/**/*.{js,cjs}', { cwd: appRoot });
  builtFiles = new Map(files.map((file) => [file, readFileSync(join(appRoot, file), 'utf8')]));
});

const findImports = (pattern: RegExp) =>
  [...builtFiles].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, name]) => ({ file, name: name ?? '' })),
  );

const IMPORT_BY_NAME = /\b(?:require|import)\("([\w@][\w@./-]*)"\)/g;
const IMPORT_BY_PATH = /\brequire\("(\.[^"]+)"\)/g;

/** Returns the packages that the built files import. */
function getImportedPackages(): Set<string> {
  const asked = findImports(IMPORT_BY_NAME).filter(({ name }) => !isBuiltin(name));
  return new Set(asked.map(({ name }) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')));
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages: locked } = JSON.parse(readFileSync(join(appRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/**
 * Returns the folder of a package imported from `from`, as Node resolves it. Null if it is not installed, for example
 * because it is for another system.
 */
function findPackage(name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules') - 1))) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(appRoot, place, 'package.json'))) return place;
    if (folder === '') return null;
  }
}

/** Returns the folders of these packages and all their dependencies. */
function withDependencies(names: Iterable<string>): string[] {
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    const place = findPackage(name, from);
    if (place === null || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies } = locked[place] ?? {};
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, place);
  };
  for (const name of names) add(name, '');
  return [...places];
}

/**
 * Packages that are not included. Electron provides itself, and only tests draw pages with the canvas package; pdf.js
 * works without it.
 */
const notPackaged = ['electron', '@napi-rs/canvas'];

test('every imported package is a runtime dependency', () => {
  const asked = [...getImportedPackages()].filter((name) => !notPackaged.includes(name));
  expect(asked).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'pino', '@napi-rs/keyring']));
  for (const name of asked) expect(locked[`node_modules/${name}`], name).toBeDefined();
  for (const place of withDependencies(asked)) expect(locked[place]?.dev, place).not.toBe(true);
});

test('packages loaded modules but not bundled ones', () => {
  const from = createRequire(join(appRoot, 'out', 'main', 'cli.js'));
  const asked = [...getImportedPackages()].filter((name) => !notPackaged.includes(name));
  for (const name of asked) {
    const [first = ''] = findImports(IMPORT_BY_NAME)
      .map(({ name: path }) => path)
      .filter((path) => path === name || path.startsWith(`${name}/`));
    expect(isPackaged(from.resolve(first)), name).toBe(true);
  }
  for (const place of withDependencies(asked))
    expect(isPackaged(join(appRoot, place, 'package.json')), place).toBe(true);
  for (const name of ['zod', '@orpc/server', 'commander', 'hucre', 'saxes']) {
    expect(getImportedPackages(), name).not.toContain(name);
    expect(isPackaged(join(appRoot, 'node_modules', name, 'package.json')), name).toBe(false);
  }
});

test('includes the license of every packaged package', () => {
  const asked = [...getImportedPackages()].filter((name) => !notPackaged.includes(name));
  const addedTexts = readFileSync(join(appRoot, 'resources', 'LICENSES.md'), 'utf8');
  expect(isPackaged(join(appRoot, 'resources', 'LICENSES.md'))).toBe(true);
  const places = withDependencies(asked);
  expect(places.length).toBeGreaterThan(20);
  for (const place of places) {
    const files = globSync('{licen[cs]e,Licen[cs]e,LICEN[CS]E,COPYING}*', { cwd: join(appRoot, place) });
    const hasFile = files.some((file) => isPackaged(join(appRoot, place, file)));
    if (!hasFile) expect(addedTexts, place).toContain(`## ${place.split('node_modules/').at(-1)}\n`);
  }
});

test('packages only this system’s native addons, outside the archive', () => {
  const { platform, arch } = process;
  const addons = globSync('node_modules/{better-sqlite3,@napi-rs/keyring*,keytar}/**/*.node', {
    cwd: appRoot,
  });
  const packed = addons.filter((file) => isPackaged(join(appRoot, file)));
  const [sqlite = '', ...others] = packed.filter((file) => file.includes('better-sqlite3'));
  expect(sqlite).toContain(`${platform}-${arch}.node`);
  expect(others).toEqual([]);
  expect(packed.some((file) => file.includes('keyring'))).toBe(true);
  expect(isPackaged(join(appRoot, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.c'))).toBe(false);
});

describe('the build output', () => {
  test('is packaged completely, including files loaded by path', () => {
    const entries = [
      ...['index', 'cli', 'reader', 'writer', 'pdf-text-thread', 'sandbox'].map(
        (name) => `out/main/${name}.js`,
      ),
      'out/preload/index.cjs',
      'out/renderer/index.html',
      'out/renderer/self-check.html',
      'resources/icon.png',
    ];
    const loaded = findImports(IMPORT_BY_PATH).map(({ file, name }) => join(dirname(file), name));
    for (const file of [...entries, ...loaded]) {
      const path = join(appRoot, file);
      expect(existsSync(path) && isPackaged(path), file).toBe(true);
    }
    const all = globSync('out/{main,preload,renderer}/**', { cwd: appRoot });
    for (const file of all.filter((each) => statSync(join(appRoot, each)).isFile()))
      expect(isPackaged(join(appRoot, file)), file).toBe(!file.endsWith('.map'));
    for (const name of ['DejaVuSans.ttf', 'DroidSansFallbackFull.ttf', 'NanumGothic.ttf', 'LICENSES.txt'])
      expect(all).toContain(join('out', 'main', 'fonts', name));
  });

  test('includes the licenses of all contents', () => {
    expect(isPackaged(join(appRoot, 'LICENSE'))).toBe(true);
    const licenses = (part: string) => readFileSync(join(appRoot, 'out', part, 'LICENSES.md'), 'utf8');
    for (const name of ['zod', 'commander', 'hucre', 'saxes', 'pdfjs-dist', '@orpc/server'])
      expect(licenses('main')).toContain(`## ${name} - `);
    for (const name of ['react', 'react-dom', 'react-aria-components', 'uplot', 'lucide-react', 'pdfjs-dist'])
      expect(licenses('renderer')).toContain(`## ${name} - `);
  });

  test('includes the licenses of the fonts, character maps and decoders of pdf.js', () => {
    const included = readFileSync(join(appRoot, 'out', 'renderer', 'pdf', 'LICENSES.txt'), 'utf8');
    const files = globSync('node_modules/pdfjs-dist/{standard_fonts,cmaps,wasm}/LICENSE*', { cwd: appRoot });
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(included).toContain(readFileSync(join(appRoot, file), 'utf8'));
  });
});

test('has a large enough icon for every system', async () => {
  const { builder } = await loadPackagingRules();
  for (const { icon } of [builder.linux, builder.mac, builder.win]) {
    const png = readFileSync(join(appRoot, icon));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
  }
  expect(isPackaged(join(appRoot, builder.linux.icon))).toBe(true);
});

test('the app has one identity in the package, for Windows and for Linux', async () => {
  const { builder } = await loadPackagingRules();
  const { productName, desktopName } = JSON.parse(readFileSync(join(appRoot, 'package.json'), 'utf8')) as {
    productName: string;
    desktopName: string;
  };
  expect(builder.productName).toBe(productName);
  // Linux finds the icon of a window by the name of the desktop entry, which is the name of the program.
  expect(desktopName).toBe(`${builder.linux.executableName}.desktop`);
  const main = readFileSync(join(appRoot, 'src', 'main', 'index.ts'), 'utf8');
  expect(main).toContain(`const APP_ID = '${builder.appId}';`);
});

test('every build target has the project data it needs', async () => {
  const { builder } = await loadPackagingRules();
  const { homepage, author } = JSON.parse(readFileSync(join(appRoot, 'package.json'), 'utf8')) as {
    homepage?: string;
    author?: string;
  };
  // The builder rejects these targets without a project homepage and a maintainer address.
  const hasProjectData = homepage !== undefined && /<.+@.+>/.test(author ?? '');
  for (const target of ['deb', 'rpm', 'freebsd', 'pacman', 'apk'])
    expect(hasProjectData || !builder.linux.target.includes(target), target).toBe(true);
});

test('on macOS, the hardened runtime allows only what V8 and the native addons need', async () => {
  const { mac } = (await loadPackagingRules()).builder;
  expect(mac).toMatchObject({ hardenedRuntime: true, entitlementsInherit: mac.entitlements });
  const entitlements = readFileSync(join(appRoot, mac.entitlements), 'utf8');
  expect([...entitlements.matchAll(/<key>(.+)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
    'com.apple.security.cs.disable-library-validation',
  ]);
});

describe('file types', () => {
  const bankFiles = ['csv', 'tsv', 'txt', 'xlsx', 'xml', 'ofx', 'qfx', 'qbo', 'qif', 'sta', 'mt940', '940'];

  test('macOS offers the app for bank files and packs, without making it the default program', async () => {
    const { builder } = await loadPackagingRules();
    expect(builder.mac.fileAssociations).toEqual([
      { name: 'Bank file', ext: bankFiles, role: 'Viewer', rank: 'Alternate' },
      { name: 'Evidence pack or archive export', ext: 'zip', role: 'Viewer', rank: 'Alternate' },
    ]);
  });

  test('Linux knows the types of bank files and packs', async () => {
    const { mimeTypes, fileAssociations } = (await loadPackagingRules()).builder.linux;
    expect(mimeTypes).toEqual(expect.arrayContaining(['text/csv', 'application/xml', 'application/zip']));
    // electron-builder writes a list of extensions as one pattern that matches no file.
    for (const { ext, mimeType } of fileAssociations) {
      expect(bankFiles).toContain(ext);
      expect(mimeType).toMatch(/^application\/[a-z0-9.-]+$/);
    }
  });

  test('the Windows installer adds the app to "Open with" only, and removes it again', async () => {
    const { builder } = await loadPackagingRules();
    // With these, electron-builder would make the app the default program.
    expect(builder).not.toHaveProperty('fileAssociations');
    expect(builder.win).not.toHaveProperty('fileAssociations');
    const script = readFileSync(join(appRoot, builder.nsis.include), 'utf8');
    const types = [...script.matchAll(/!insertmacro \$\{MACRO\} "(\w+)" "Tieout\.(\w+)"/g)];
    expect(types.map(([, extension, type]) => [extension, type])).toEqual([
      ...bankFiles.map((extension) => [extension, 'BankFile']),
      ['zip', 'EvidencePack'],
    ]);
    const [, install = '', uninstall = ''] = script.split(/!macro custom(?:Un)?Install/);
    expect(install).toContain('forEachFileType addToOpenWith');
    expect(uninstall).toContain('forEachFileType removeFromOpenWith');
    expect(script).not.toMatch(/WriteRegStr SHELL_CONTEXT "Software\\Classes\\\.\$\{EXT\}"/);
  });
});
