import { exitCodes } from '../../errors/exit-codes.ts';
import { createIntegerParser } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

interface DemoOptions {
  readonly headless?: true;
  readonly port?: number;
  readonly open: boolean;
}

export const defineDemoCommand: DefineCommand = (command, handle) => {
  command
    .option('--headless', 'run all steps in the terminal instead of opening the app')
    .option('--port <n>', 'local port of the app (default: any free port)', createIntegerParser(0, 65_535))
    .option('--no-open', 'print the address without opening the app')
    .action(
      handle(async (cli, { headless, ...options }: DemoOptions) => {
        if (!headless) {
          const { serveApp } = await import('../../launch/serve-app.ts');
          return serveApp(cli, { ...options, demo: true });
        }
        const { runDemoTour, formatDemoSummary } = await import('../../demo/demo-tour.ts');
        cli.interrupt.setMessage('Stopped. Stored data is kept. Run the same command to continue.');
        const result = await runDemoTour(cli);
        await cli.output.document(result, () => formatDemoSummary(result));
        return result.ok ? exitCodes.success : exitCodes.findings;
      }),
    );
};
