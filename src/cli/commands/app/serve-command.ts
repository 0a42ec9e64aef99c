import { createIntegerParser } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineServeCommand: DefineCommand = (command, handle) => {
  command
    .option('--port <n>', 'local port (default: any free port)', createIntegerParser(0, 65_535))
    .option('--no-open', 'print the address without opening a browser')
    .addHelpText(
      'after',
      '\nIf no site is connected, the demo site opens. With --json, only the address is printed.',
    )
    .action(
      handle(async (cli, options: { port?: number; open: boolean }) => {
        const { serveApp } = await import('../../launch/serve-app.ts');
        return serveApp(cli, { ...options, demo: false });
      }),
    );
};
