/**
 * Resolves once it is true, however slow the machine; only what never becomes true within `patience` milliseconds is an
 * error.
 */
export async function until(isTrue: () => Promise<boolean> | boolean, patience = 120_000): Promise<void> {
  const limit = Date.now() + patience;
  while (!(await isTrue())) {
    if (Date.now() > limit) throw new Error('Waited in vain.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
