import { z } from 'zod';

/**
 * Prevents zod from testing whether it may compile code at run time. The page's content security policy forbids and reports that. This
 * module must be imported before the contract, because a schema reads the setting when it is created.
 */
z.config({ jitless: true });
