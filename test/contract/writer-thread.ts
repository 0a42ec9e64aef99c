import { runBackendThread } from '../../src/backend/backend-thread.ts';
import { openTestWriter } from './misbehaving-backend.ts';

runBackendThread(openTestWriter);
