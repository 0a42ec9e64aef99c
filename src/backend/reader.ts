import { runBackendThread } from './backend-thread.ts';
import { openReader } from './open-reader.ts';

runBackendThread(openReader);
