import { whole } from '../input/options.ts';
import type { Define } from '../verbs.ts';

export const define: Define = (command, act) => {
  command
    .option('--port <n>', 'port on this machine; any free one when left out', whole(0, 65_535))
    .option('--no-open', 'print the address and open nothing')
    .addHelpText(
      'after',
      '\nWith no site connected it opens on the demo site. With --json it prints the address only.',
    )
    .action(
      act(async (cli, options: { port?: number; open: boolean }) => {
        const { serveApp } = await import('../serving.ts');
        return serveApp(cli, { ...options, demo: false });
      }),
    );
};
