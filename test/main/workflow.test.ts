import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** Checks the public CI without running it: what its steps name exists, and no required step is missing. */
interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly if?: string;
}
interface Job {
  readonly 'runs-on': string;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (path: string) => readFileSync(join(appRoot, path), 'utf8');
// electron-builder reads its configuration with this parser.
const { load } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))('js-yaml') as {
  load(text: string): unknown;
};
const workflow = load(read('.github/workflows/ci.yml')) as Workflow;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const getCommands = ({ steps }: Job) => steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
const allCommands = Object.values(workflow.jobs).flatMap(getCommands).join('\n');
const electronJob = workflow.jobs['electron'];
const electronCommands = electronJob ? getCommands(electronJob).join('\n') : '';

test('every npm script and every file that a step names exists', () => {
  const named = [...allCommands.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:-]+)/g)].map(
    ([, name = '']) => name,
  );
  const ownCommands = new Set(['ci', 'audit']);
  expect(named.filter((name) => !ownCommands.has(name) && scripts[name] === undefined)).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
  const files = [...allCommands.matchAll(/\bnode ([\w./-]+\.[jt]s)\b/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(join(appRoot, file)))).toEqual([]);
  expect(files).toContain('test/electron/compare-packages.ts');
});

test('Electron is tested on all three systems', () => {
  const systems = electronJob?.strategy?.matrix.os.map((name) => name.split('-')[0]);
  expect(systems).toEqual(['ubuntu', 'macos', 'windows']);
  expect(electronJob?.strategy?.matrix.os).toContain('ubuntu-24.04');
});

describe('the Electron job', () => {
  test.each([
    ['installs the packages of the lock file', /^npm ci$/m],
    ['runs the self-check', /npm start --silent -- --check/],
    ['packages the app', /^npm run package$/m],
    ['fails if Electron cannot be tested', /npm run test:electron -- --required/],
    ['starts the packaged program on Linux', /linux-unpacked\/tieout-desktop --check/],
    ['starts the packaged program on macOS', /Contents\/MacOS\/Tieout --check/],
    ['starts the packaged program on Windows', /win-unpacked\/Tieout\.exe --check/],
    ['compares two builds', /compare-packages\.ts dist-first dist/],
    ['builds a deb', /npm run package -- --linux deb/],
    ['installs and starts the deb', /apt-get install[^\n]*\.deb[\s\S]*tieout-desktop --check/],
    ['requires the AppArmor profile', /\/etc\/apparmor\.d\/tieout-desktop/],
  ])('%s', (_what, pattern) => {
    expect(electronCommands).toMatch(pattern);
  });

  test('downloads Electron before the self-check, and packages before the tests', () => {
    const find = (text: string) => electronCommands.indexOf(text);
    const order = [
      'npm ci',
      'electron/install.js',
      '--check',
      'npm run package',
      'test:electron',
      'dist-first',
    ];
    expect(order.map(find)).toEqual(order.map(find).sort((a, b) => a - b));
    expect(Math.min(...order.map(find))).toBeGreaterThanOrEqual(0);
  });
});

test('the tests, the advisories, the bill of materials and sampled mutations run on Linux', () => {
  for (const command of ['npm test', 'npm audit', 'npm run --silent sbom', 'npm run test:mutants'])
    expect(allCommands).toContain(command);
});

test('every job installs the Node version of the repository and may only read it', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const [name, { steps }] of Object.entries(workflow.jobs)) {
    const setup = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'));
    expect(setup?.with?.['node-version-file'], name).toBe('.nvmrc');
  }
});
