/** Resolves once it is true, however slow the machine; only what never becomes true is an error. */
export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const limit = Date.now() + 30_000;
  while (!(await isTrue())) {
    if (Date.now() > limit) throw new Error('Waited in vain.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
