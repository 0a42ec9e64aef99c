/** Loads the module that writes files chosen by the user. Loaded on demand, because most commands write none. */
export async function loadOutputWriter() {
  return await (await import('../backend/index.ts')).loadOutputWriter();
}
