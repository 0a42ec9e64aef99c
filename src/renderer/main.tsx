import './backend-client/zod-without-eval.ts';
import { createRoot } from 'react-dom/client';
import { App, createBackendAccess } from './app/app.tsx';
import { connectBackend } from './backend-client/connect-backend.ts';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App access={createBackendAccess(connectBackend)} />);
