import { createRoot } from 'react-dom/client';
import { App, createBackendAccess } from '../../../src/renderer/app/app.tsx';
import { fakeBackend } from '../fake-backend.ts';

/** The window over rows in memory: `?offline`, `?empty`, `?poses`, `?webhooks=1000000`. */
const asked = new URLSearchParams(location.search);
const backend = fakeBackend({
  offline: asked.has('offline'),
  empty: asked.has('empty'),
  poses: asked.has('poses'),
  ...(asked.has('webhooks') ? { webhooks: Number(asked.get('webhooks')) } : {}),
  pdf: async () => new Uint8Array(await (await fetch('/statement.pdf')).arrayBuffer()),
});
const root = document.getElementById('root');
if (root) createRoot(root).render(<App access={createBackendAccess(async () => backend)} />);
