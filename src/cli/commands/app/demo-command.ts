import { exitCode } from '../../errors/exit-codes.ts';
import { integer } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

interface DemoOptions {
  readonly headless?: true;
  readonly port?: number;
  readonly open: boolean;
}

export const defineDemoCommand: DefineCommand = (command, handle) => {
  command
    .option('--headless', 'do the main job here in the terminal instead of opening the app')
    .option('--port <n>', 'port of the app on this machine; any free one when left out', integer(0, 65_535))
    .option('--no-open', 'print the address of the app and open nothing')
    .action(
      handle(async (cli, { headless, ...serving }: DemoOptions) => {
        if (!headless) {
          const { serveApp } = await import('../../launch/serve-app.ts');
          return serveApp(cli, { ...serving, demo: true });
        }
        const { runDemoTour, formatDemoSummary } = await import('../../demo/demo-tour.ts');
        cli.interrupt.setMessage('Stopped; what was stored is kept. Run the same command to go on.');
        const done = await runDemoTour(cli);
        await cli.output.document(done, () => formatDemoSummary(done));
        return done.ok ? exitCode.success : exitCode.findings;
      }),
    );
};
