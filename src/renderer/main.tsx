import './backend/jitless.ts';
import { createRoot } from 'react-dom/client';
import { App, openBackend } from './app.tsx';
import { connectBackend } from './backend/connect.ts';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App access={openBackend(connectBackend)} />);
