import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/command-registry.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { shells } from '../../src/cli/shell-files/shells.ts';
import { findOnPath } from '../tools.ts';
import { runForError, runInProcess } from './run-in-process.ts';
import { cleanUpAfterFile, temporaryFolder } from './run-tieout.ts';

const afterwards = cleanUpAfterFile();
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder(afterwards);
  for (const shell of shells) {
    const { code, stdout } = await runInProcess(['completion', shell], { home: folder });
    expect(code).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  }
});

/** Per shell: script that prints the completions of the words in its arguments, of which the last is incomplete. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of the shells
const drivers: Readonly<Record<(typeof shells)[number], string>> = {
  bash: 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tieout; printf "%s\\n" "${COMPREPLY[@]}"',
  zsh: 'compdef() { }; _describe() { print -l -- "${(@P)@[-1]}" }; compadd() { shift; print -l -- "$@" }; _files() { print FILES }; source "$0"; words=("$@"); CURRENT=$#; _tieout',
  fish: 'source $argv[1]; complete -C "$argv[2..]"',
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables of the shells

function complete(shell: (typeof shells)[number], words: readonly string[]): string[] {
  const script = join(folder, shell);
  const args = shell === 'fish' ? ['--no-config', '-c', drivers.fish] : ['-c', drivers[shell]];
  const env = { ...process.env, HOME: folder };
  const output = execFileSync(shell, [...args, script, ...words], { encoding: 'utf8', env, cwd: folder });
  return output.split('\n').flatMap((line) => /^[^:\t]+/.exec(line)?.[0] ?? []);
}

describe.each(shells)('completion in %s', (shell) => {
  test.skipIf(findOnPath(shell) === null)('follows the declarations of the commands', () => {
    const commands = Object.values(commandGroups).flatMap(Object.keys);
    expect(complete(shell, ['tieout', ''])).toEqual(expect.arrayContaining(commands));
    const subcommands = ['list', 'show', 'errors', 'outages'];
    expect(complete(shell, ['tieout', '--quiet', 'webhooks', ''])).toEqual(
      expect.arrayContaining(subcommands),
    );
    expect(complete(shell, ['tieout', 'period', ''])).not.toContain('outages');
    expect(complete(shell, ['tieout', 'replay', 'plan', '--'])).toEqual(
      expect.arrayContaining(['--ids-file', '--status', '--json', '--help']),
    );
    expect(complete(shell, ['tieout', 'webhooks', 'list', '--status', ''])).toEqual(
      expect.arrayContaining(['successful', 'failed', 'pending']),
    );
    expect(complete(shell, ['tieout', 'completion', ''])).toEqual(expect.arrayContaining([...shells]));
  });
});

test('completion of an unknown shell is wrong usage', async () => {
  expect((await runForError(['completion', 'tcsh'], { home: folder }, 2)).message).toMatch(/bash, zsh, fish/);
});

test('the files of the packages are a completion per shell and a page per command', () => {
  const share = join(folder, 'share');
  execFileSync(process.execPath, [join(appRoot, 'src/cli/write-shell-files.ts'), share]);
  const pages = readdirSync(join(share, 'man', 'man1'));
  const commands = Object.values(commandGroups).flatMap(Object.keys);
  expect(pages.toSorted()).toEqual(['tieout.1', ...commands.map((name) => `tieout-${name}.1`)].toSorted());
  const scripts = [
    ['bash', 'bash-completion/completions/tieout'],
    ['zsh', 'zsh/vendor-completions/_tieout'],
    ['fish', 'fish/vendor_completions.d/tieout.fish'],
  ];
  for (const [shell = '', path = ''] of scripts)
    expect(readFileSync(join(share, path), 'utf8')).toBe(readFileSync(join(folder, shell), 'utf8'));
  if (findOnPath('groff') === null) return;
  for (const page of pages) {
    const file = join(share, 'man', 'man1', page);
    const { stderr } = spawnSync('groff', ['-man', '-z', '-ww', file], { encoding: 'utf8' });
    expect(stderr, page).toBe('');
  }
});

test('tieout man prints a page that names each option with its choices', async () => {
  const { stdout } = await runInProcess(['man', 'allocations'], { home: folder });
  expect(stdout).toMatch(/^\.TH TIEOUT\\-ALLOCATIONS 1 /);
  expect(stdout).toContain('prorate\\-delay\\-capture, prorate\\-attempt\\-capture, no\\-prorate');
  expect((await runInProcess(['man'], { home: folder })).stdout).toContain('.SH SEE ALSO');
  expect((await runForError(['man', 'women'], { home: folder }, 2)).message).toContain('women');
});
