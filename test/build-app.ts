import { buildAppWindow } from '../src/cli/launch/app-build.ts';

/** Builds the app before the first test if its source is newer, because many tests run the built program. */
export default async function buildApp(): Promise<void> {
  await buildAppWindow((line) => void process.stderr.write(`${line}\n`));
}
