/** Writes the completion scripts and the manual into a folder laid out like `/usr/share`, given as argument. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listProgramCommands } from './run-command-line.ts';
import { readAppVersion } from './runtime/app-paths.ts';
import { listCompletions } from './shell-files/completion-words.ts';
import { formatManPages } from './shell-files/man-page.ts';
import { completionFormats } from './shell-files/shells.ts';

const [folder = ''] = process.argv.slice(2);
if (folder === '') throw new Error('Usage: node write-shell-files.ts FOLDER');
const program = await listProgramCommands();
const completions = listCompletions(program);
const files = {
  'bash-completion/completions/tieout': completionFormats.bash(completions),
  'zsh/vendor-completions/_tieout': completionFormats.zsh(completions),
  'fish/vendor_completions.d/tieout.fish': completionFormats.fish(completions),
  ...Object.fromEntries(
    formatManPages(program, readAppVersion()).map(({ name, content }) => [`man/man1/${name}.1`, content]),
  ),
};
for (const [name, content] of Object.entries(files)) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
