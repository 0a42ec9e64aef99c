import { parsePort } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineServeCommand: DefineCommand = (command) => {
  command
    .option('--port <n>', 'local port (default: any free port)', parsePort)
    .option('--no-open', 'print the address without opening a browser')
    .addHelpText(
      'after',
      '\nIf no site is connected, the demo site opens. With --json, only the address is printed.',
    )
    .run(async (cli, options: { port?: number; open: boolean }) => {
      const { serveApp } = await import('../../launch/serve-app.ts');
      return serveApp(cli, { ...options, demo: false });
    });
};
