import { runBackendThread } from './backend-thread.ts';
import { openBackendReader } from './open-backend-reader.ts';

runBackendThread(openBackendReader);
