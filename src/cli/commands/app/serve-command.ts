import { integer } from '../../input/options.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

export const defineServeCommand: DefineCommand = (command, handle) => {
  command
    .option('--port <n>', 'port on this machine; any free one when left out', integer(0, 65_535))
    .option('--no-open', 'print the address and open nothing')
    .addHelpText(
      'after',
      '\nWith no site connected it opens on the demo site. With --json it prints the address only.',
    )
    .action(
      handle(async (cli, options: { port?: number; open: boolean }) => {
        const { serveApp } = await import('../../launch/serve-app.ts');
        return serveApp(cli, { ...options, demo: false });
      }),
    );
};
