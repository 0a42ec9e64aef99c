import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { CLI_ENTRY, temporaryFolder } from './run-tieout.ts';

interface Step {
  readonly command: string;
  readonly note: string;
}

/** Returns the first code block of a section of the README, as commands with their notes. */
function readCommandList(section: string): Step[] {
  const readme = readFileSync(join(appRoot, 'README.md'), 'utf8');
  const [, block = ''] = /```\n(.*?)```/s.exec(readme.slice(readme.indexOf(`\n## ${section}\n`))) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [command = '', note = ''] = line.split(/ {2,}(.*)/);
      return { command, note };
    });
}

/** Fills in a placeholder from what the commands before have printed, as a reader would. */
const fillIn = (command: string, printed: string): string =>
  command
    .replace('PLAN', () => /tieout replay run (\S+)/.exec(printed)?.[1] ?? 'PLAN')
    .replace('BACKUP', () => /books-\S+\.db/.exec(printed)?.[0] ?? 'BACKUP');

function runShell(line: string, folder: string): Promise<{ code: number; output: string }> {
  const script = `tieout() { "${process.execPath}" "${CLI_ENTRY}" "$@"; }; ${line}`;
  const env = { ...process.env, TIEOUT_HOME: join(folder, 'home'), TIEOUT_API_KEY: undefined, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd: folder, env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

test('the command list of the README runs from top to bottom on a new computer', {
  timeout: 400_000,
}, async () => {
  const folder = temporaryFolder();
  const steps = readCommandList('Command line');
  expect(steps.length).toBeGreaterThan(20);
  let printed = '';
  for (const { command, note } of steps) {
    const { code, output } = await runShell(fillIn(command, printed), folder);
    const expected = note.includes('exits with 1') ? [0, 1] : [0];
    expect(expected, `${command}\n${output}`).toContain(code);
    expect(output, command).not.toMatch(/tieout: |\n\s+at /);
    printed += output;
  }
  for (const [, file = ''] of steps.map(({ command }) => /-o (\S+)/.exec(command) ?? []))
    expect(file === '' || existsSync(join(folder, file)), file).toBe(true);
  expect(printed).not.toContain('Statements without a PDF');
});
