import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import { parsePort } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

interface DemoOptions {
  readonly headless?: true;
  readonly port?: number;
  readonly open: boolean;
}

export const defineDemoCommand: DefineCommand = (command) => {
  command
    .option('--headless', 'run all steps in the terminal instead of opening the app')
    .option('--port <n>', 'local port of the app (default: any free port)', parsePort)
    .option('--no-open', 'print the address without opening the app')
    .run(async (cli, { headless, ...options }: DemoOptions) => {
      if (!headless) {
        const { serveApp } = await import('../../launch/serve-app.ts');
        return serveApp(cli, { ...options, demo: true });
      }
      const { runDemoTour, formatDemoSummary } = await import('../../demo/demo-tour.ts');
      cli.interrupt.setMessage('Stopped. Stored data is kept. Run the same command to continue.');
      const result = await runDemoTour(cli);
      await cli.output.document(result, () => formatDemoSummary(result));
      return getSuccessExitCode(result.ok);
    });
};
