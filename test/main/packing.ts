import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** As much of electron-builder's configuration as is looked at. */
export interface Builder {
  readonly asar: boolean;
  readonly asarUnpack: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly linux: { readonly icon: string; readonly target: readonly string[] };
  readonly mac: { readonly icon: string };
  readonly win: { readonly icon: string };
}

type Stats = ReturnType<typeof statSync>;
interface Matcher {
  createFilter(): (path: string, stats: Stats) => boolean;
}

/** As much of electron-builder as reads its configuration and chooses the files. */
interface Reader {
  getConfig(project: string, file: string, given: null): Promise<Builder>;
}
interface Matchers {
  getNodeModuleFileMatcher(
    app: string,
    to: string,
    expand: (text: string) => string,
    own: object,
    packager: object,
  ): Matcher;
  getMainFileMatchers(
    app: string,
    to: string,
    expand: (text: string) => string,
    own: object,
    packager: object,
    out: string,
    compiled: boolean,
  ): readonly Matcher[];
}

/** The configuration of `npm run package`, and which files of the checkout it packs for this system, by the builder's own reckoning. */
export async function packing(): Promise<{ builder: Builder; packs(path: string): boolean }> {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  const { getConfig } = load('app-builder-lib/out/util/config/config.js') as Reader;
  const builder = await getConfig(appRoot, 'resources/electron-builder.yml', null);
  const matchers = load('app-builder-lib/out/fileMatcher.js') as Matchers;
  const expand = (text: string) =>
    text.replaceAll('$' + '{platform}', process.platform).replaceAll('$' + '{arch}', process.arch);
  const packager = {
    config: builder,
    projectDir: appRoot,
    buildResourcesDir: 'resources',
    debugLogger: { isEnabled: false },
  };
  const modules = matchers.getNodeModuleFileMatcher(appRoot, '/app', expand, {}, packager).createFilter();
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
    packs: (path) => (path.includes('node_modules') ? modules : own)(path, statSync(path)),
  };
}
