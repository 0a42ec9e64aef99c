import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { buildCopy, buildParts, digestFiles } from './build-copy.ts';

/** A second build of the same source, in another folder and time zone. */
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-build-')));

beforeAll(async () => {
  await buildCopy(copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('two builds of the same source are equal in every byte', () => {
  // The folder of the build also contains screenshots of earlier tests.
  const digestParts = (root: string) => buildParts.map((part) => digestFiles(join(root, 'out', part)));
  const first = digestParts(appRoot);
  expect(Object.keys(Object.assign({}, ...first)).length).toBeGreaterThan(100);
  expect(digestParts(copy)).toEqual(first);
});

/** Returns the folders of the packages with modules in this part of the build. */
function findBundledPackages(part: string): string[] {
  const modules = JSON.parse(readFileSync(join(copy, `modules-${part}.json`), 'utf8')) as string[];
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)];
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

test.each(['main', 'renderer'])('%s has the license text of every package that is built into it', (part) => {
  const packages = findBundledPackages(part);
  expect(packages.length).toBeGreaterThan(10);
  const notices = readFileSync(join(appRoot, 'out', part, 'LICENSES.md'), 'utf8');
  const addedTexts = readFileSync(join(appRoot, 'resources', 'LICENSES.md'), 'utf8');
  for (const folder of packages) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    expect(notices).toContain(`## ${name} - ${version} (`);
    const [license] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: folder });
    if (license) {
      const text = readFileSync(join(folder, license), 'utf8');
      expect(withoutSpace(notices), name).toContain(withoutSpace(text));
    } else expect(addedTexts).toContain(`## ${name}\n`);
  }
});

test('the preload script contains no package', () => {
  expect(findBundledPackages('preload')).toEqual([]);
});
