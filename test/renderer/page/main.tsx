import { createRoot } from 'react-dom/client';
import { App, createBackendAccess } from '../../../src/renderer/app/app.tsx';
import { createFakeBackend } from '../fake-backend.ts';

/** Opens the window with sample data. URL parameters: `?offline`, `?empty`, `?replays`, `?webhooks=1000000`. */
const parameters = new URLSearchParams(location.search);
const backend = createFakeBackend({
  offline: parameters.has('offline'),
  empty: parameters.has('empty'),
  replays: parameters.has('replays'),
  ...(parameters.has('webhooks') ? { webhooks: Number(parameters.get('webhooks')) } : {}),
  pdf: async () => new Uint8Array(await (await fetch('/statement.pdf')).arrayBuffer()),
});
const root = document.getElementById('root');
if (root) createRoot(root).render(<App access={createBackendAccess(async () => backend)} />);
