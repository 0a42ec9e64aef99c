import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findElectronProgram } from '../../src/cli/launch/electron-program.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import type { SelfCheckReport } from '../../src/host/index.ts';
import { createAppEnvironment, createTemporaryHome } from './electron-test-app.ts';
import { packagedProgram } from './packaged.ts';

const programs: [name: string, program: string | null, args: readonly string[]][] = [
  ['the built app', findElectronProgram(process.env), [appRoot]],
  ['the packaged app', packagedProgram(), []],
];

/** Ports, one-time files, pdf.js, saving, clipboard, printing to a PDF, a killed thread and a killed page. */
test.each(programs.filter(([, program]) => program !== null))(
  'every check of %s passes',
  async (_name, program, args) => {
    const env = createAppEnvironment(createTemporaryHome());
    const { stdout } = await promisify(execFile)(program ?? '', [...args, '--check'], { cwd: appRoot, env });
    const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SelfCheckReport;
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.start.connected_ms).toBeGreaterThan(0);
    expect(report.start.first_paint_ms).toBeGreaterThan(0);
  },
);
