import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FileAssociation } from 'electron-builder';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** The part of electron-builder's configuration that the tests use. */
export interface BuilderConfig {
  readonly appId: string;
  readonly productName: string;
  readonly asar: boolean;
  readonly asarUnpack: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly linux: {
    readonly executableName: string;
    readonly icon: string;
    readonly target: readonly string[];
    readonly mimeTypes: readonly string[];
    readonly fileAssociations: readonly FileAssociation[];
  };
  readonly mac: {
    readonly icon: string;
    readonly entitlements: string;
    readonly fileAssociations: readonly FileAssociation[];
  };
  readonly win: { readonly icon: string };
  readonly nsis: { readonly include: string };
}

type Stats = ReturnType<typeof statSync>;
interface FileMatcher {
  createFilter(): (path: string, stats: Stats) => boolean;
}

/** The part of electron-builder that reads the configuration and selects files. */
interface ConfigReader {
  getConfig(project: string, file: string, given: null): Promise<BuilderConfig>;
}
interface FileMatchers {
  getNodeModuleFileMatcher(
    app: string,
    to: string,
    expand: (text: string) => string,
    own: object,
    packager: object,
  ): FileMatcher;
  getMainFileMatchers(
    app: string,
    to: string,
    expand: (text: string) => string,
    own: object,
    packager: object,
    out: string,
    compiled: boolean,
  ): readonly FileMatcher[];
}

/**
 * Returns the configuration of `npm run package` and electron-builder's own filter of the files it packages for this
 * system.
 */
export async function loadPackagingRules(): Promise<{
  builder: BuilderConfig;
  packs(path: string): boolean;
}> {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  const { getConfig } = load('app-builder-lib/out/util/config/config.js') as ConfigReader;
  const builder = await getConfig(appRoot, 'resources/electron-builder.yml', null);
  const matchers = load('app-builder-lib/out/fileMatcher.js') as FileMatchers;
  const expand = (text: string) =>
    text.replaceAll('$' + '{platform}', process.platform).replaceAll('$' + '{arch}', process.arch);
  const packager = {
    config: builder,
    projectDir: appRoot,
    buildResourcesDir: 'resources',
    debugLogger: { isEnabled: false },
  };
  const filterModules = matchers
    .getNodeModuleFileMatcher(appRoot, '/app', expand, {}, packager)
    .createFilter();
  const [main] = matchers.getMainFileMatchers(
    appRoot,
    '/app',
    expand,
    {},
    { info: packager },
    join(appRoot, 'dist'),
    false,
  );
  const own = main?.createFilter() ?? (() => false);
  return {
    builder,
    packs: (path) => (path.includes('node_modules') ? filterModules : own)(path, statSync(path)),
  };
}
