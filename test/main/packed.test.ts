import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildAppWindow } from '../../src/cli/launch/app-build.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { packing } from './packing.ts';

/** What `npm run package` puts into the app is all that the built app asks for, looked at without making it. */
let packs: (path: string) => boolean;
/** The text of each file that Node or Electron runs. */
let built: ReadonlyMap<string, string>;

beforeAll(async () => {
  await buildAppWindow(() => undefined);
  ({ packs } = await packing());
  const files = globSync('out/{main,preload}/**/*.{js,cjs}', { cwd: appRoot });
  built = new Map(files.map((file) => [file, readFileSync(join(appRoot, file), 'utf8')]));
});

const found = (pattern: RegExp) =>
  [...built].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, name]) => ({ file, name: name ?? '' })),
  );

const BY_NAME = /\b(?:require|import)\("([\w@][\w@./-]*)"\)/g;
const BY_PLACE = /\brequire\("(\.[^"]+)"\)/g;

/** The packages that what was built asks for by name. */
function askedFor(): Set<string> {
  const asked = found(BY_NAME).filter(({ name }) => !isBuiltin(name));
  return new Set(asked.map(({ name }) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')));
}

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages: locked } = JSON.parse(readFileSync(join(appRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

/** Where a package that `from` asks for lies, as Node looks for it; null where it is not installed, as for another system. */
function placeOf(name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules') - 1))) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(appRoot, place, 'package.json'))) return place;
    if (folder === '') return null;
  }
}

/** These packages and all they depend on: where each lies. */
function withDependencies(names: Iterable<string>): string[] {
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    const place = placeOf(name, from);
    if (place === null || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies } = locked[place] ?? {};
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, place);
  };
  for (const name of names) add(name, '');
  return [...places];
}

/** Electron gives itself. The other draws pages, which only tests do outside the window: pdf.js does without it. */
const given = ['electron', '@napi-rs/canvas'];

test('every imported package is a runtime dependency', () => {
  const asked = [...askedFor()].filter((name) => !given.includes(name));
  expect(asked).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'pino', '@napi-rs/keyring']));
  for (const name of asked) expect(locked[`node_modules/${name}`], name).toBeDefined();
  for (const place of withDependencies(asked)) expect(locked[place]?.dev, place).not.toBe(true);
});

test('packages loaded modules but not bundled ones', () => {
  const from = createRequire(join(appRoot, 'out', 'main', 'cli.js'));
  const asked = [...askedFor()].filter((name) => !given.includes(name));
  for (const name of asked) {
    const [first = ''] = found(BY_NAME)
      .map(({ name: path }) => path)
      .filter((path) => path === name || path.startsWith(`${name}/`));
    expect(packs(from.resolve(first)), name).toBe(true);
  }
  for (const place of withDependencies(asked)) {
    for (const file of ['package.json', 'LICENSE', 'LICENSE.md', 'license']) {
      const path = join(appRoot, place, file);
      if (existsSync(path)) expect(packs(path), path).toBe(true);
    }
  }
  for (const name of ['zod', '@orpc/server', 'commander', 'hucre', 'saxes']) {
    expect(askedFor(), name).not.toContain(name);
    expect(packs(join(appRoot, 'node_modules', name, 'package.json')), name).toBe(false);
  }
});

test('packages only this system’s native addons, outside the archive', () => {
  const { platform, arch } = process;
  const addons = globSync('node_modules/{better-sqlite3,@napi-rs/keyring*,keytar}/**/*.node', {
    cwd: appRoot,
  });
  const packed = addons.filter((file) => packs(join(appRoot, file)));
  const [sqlite = '', ...others] = packed.filter((file) => file.includes('better-sqlite3'));
  expect(sqlite).toContain(`${platform}-${arch}.node`);
  expect(others).toEqual([]);
  expect(packed.some((file) => file.includes('keyring'))).toBe(true);
  expect(packs(join(appRoot, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.c'))).toBe(false);
});

describe('the build output', () => {
  test('is packaged completely, including files loaded by path', () => {
    const entries = [
      ...['index', 'cli', 'reader', 'writer', 'pdf-text-thread', 'sandbox'].map(
        (name) => `out/main/${name}.js`,
      ),
      'out/preload/index.cjs',
      'out/renderer/index.html',
      'resources/icon.png',
    ];
    const loaded = found(BY_PLACE).map(({ file, name }) => join(dirname(file), name));
    for (const file of [...entries, ...loaded]) {
      const path = join(appRoot, file);
      expect(existsSync(path) && packs(path), file).toBe(true);
    }
    const all = globSync('out/{main,preload,renderer}/**', { cwd: appRoot });
    for (const file of all.filter((each) => statSync(join(appRoot, each)).isFile()))
      expect(packs(join(appRoot, file)), file).toBe(!file.endsWith('.map'));
    for (const name of ['DejaVuSans.ttf', 'DroidSansFallbackFull.ttf', 'NanumGothic.ttf', 'LICENSES.txt'])
      expect(all).toContain(join('out', 'main', 'fonts', name));
  });

  test('includes the licenses of all contents', () => {
    expect(packs(join(appRoot, 'LICENSE'))).toBe(true);
    const licenses = (part: string) => readFileSync(join(appRoot, 'out', part, 'LICENSES.md'), 'utf8');
    for (const name of ['zod', 'commander', 'hucre', 'saxes', 'pdfjs-dist', '@orpc/server'])
      expect(licenses('main')).toContain(`## ${name} - `);
    for (const name of ['react', 'react-dom', 'react-aria-components', 'uplot', 'lucide-react', 'pdfjs-dist'])
      expect(licenses('renderer')).toContain(`## ${name} - `);
  });
});

test('has a large enough icon for every system', async () => {
  const { builder } = await packing();
  for (const { icon } of [builder.linux, builder.mac, builder.win]) {
    const png = readFileSync(join(appRoot, icon));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
  }
  expect(packs(join(appRoot, builder.linux.icon))).toBe(true);
});

test('every build target has the project data it needs', async () => {
  const { builder } = await packing();
  const { homepage, author } = JSON.parse(readFileSync(join(appRoot, 'package.json'), 'utf8')) as {
    homepage?: string;
    author?: string;
  };
  // The builder refuses these without an address of the project and of its maintainer.
  const told = homepage !== undefined && /<.+@.+>/.test(author ?? '');
  for (const target of ['deb', 'rpm', 'freebsd', 'pacman', 'apk'])
    expect(told || !builder.linux.target.includes(target), target).toBe(true);
});
