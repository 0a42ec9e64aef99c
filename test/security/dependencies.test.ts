import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const read = (path: string) => JSON.parse(readFileSync(join(appRoot, path), 'utf8')) as unknown;
const { lockfileVersion, packages } = read('package-lock.json') as {
  lockfileVersion: number;
  packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');
const getName = (path: string) => path.replace(/^.*node_modules\//, '');

/** Licenses that allow use in a product under any license, by their SPDX identifier. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT'],
  ...['Python-2.0', 'WTFPL'],
]);

/** Tools of the development under other licenses. No part of them is in the packaged app. */
const DEVELOPMENT_TOOLS: readonly { readonly name: RegExp; readonly license: string }[] = [
  { name: /^axe-core$/, license: 'MPL-2.0' },
  { name: /^lightningcss(-|$)/, license: 'MPL-2.0' },
  { name: /^caniuse-lite$/, license: 'CC-BY-4.0' },
];

/** Returns true if an SPDX expression offers at least one permissive license for each part that must be obeyed. */
const isPermissive = (expression: string) =>
  expression
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((license) => PERMISSIVE.has(license)));

/** Returns the license of a package. A lock file lacks it if the package states it in an old form. */
function findLicense(path: string, { license }: LockedPackage): string {
  if (license !== undefined) return license;
  const own = readFileSync(join(appRoot, path, 'LICENSE'), 'utf8');
  return /^\s*(?:The )?MIT License/i.test(own) ? 'MIT' : 'unknown';
}

test('every package has a permissive license, except named tools of the development', () => {
  const others = installed.flatMap(([path, locked]) => {
    const license = findLicense(path, locked);
    const isTool = DEVELOPMENT_TOOLS.some(
      (tool) => locked.dev === true && tool.name.test(getName(path)) && tool.license === license,
    );
    return isPermissive(license) || isTool ? [] : [`${getName(path)}: ${license}`];
  });
  expect(others).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-or-later', false],
  ['UNLICENSED', false],
])('the license %s is permissive: %s', (license, expected) => {
  expect(isPermissive(license)).toBe(expected);
});

test('there is one lock file, and it matches package.json', () => {
  const manifest = read('package.json') as LockedPackage;
  const foreign = [
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lock',
    'bun.lockb',
    'deno.lock',
  ];
  expect(foreign.filter((file) => existsSync(join(appRoot, file)))).toEqual([]);
  expect(lockfileVersion).toBe(3);
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'] as const)
    expect(packages['']?.[kind], kind).toEqual(manifest[kind]);
});

test('every package comes from the registry, not from a folder, a repository or a file', () => {
  const foreign = installed.filter(
    ([, { resolved, link }]) =>
      link === true || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
  );
  expect(foreign.map(([path]) => path)).toEqual([]);
});

test('workflows install exactly the packages of the lock file', () => {
  const folder = join(appRoot, '.github', 'workflows');
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text, file).toContain('npm ci');
    expect(text, file).not.toMatch(/\b(npm (install|i|update)|npx|yarn|pnpm)\b/);
  }
});
