import { runBackendThread } from '../../src/backend/backend-thread.ts';
import { openTestWriter } from './backend.ts';

runBackendThread(openTestWriter);
