import { z } from 'zod';

/**
 * Prevents zod from testing whether it may compile code at run time. The page's content security policy blocks the test
 * and reports a violation. Import this module before the contract, because schemas read the setting when they are
 * created.
 */
z.config({ jitless: true });
