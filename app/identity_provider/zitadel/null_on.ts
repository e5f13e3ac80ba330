/** What the provider says no to where that answers the question, too: `missing` and `taken` of a question. */
export class Missing extends Error {}
export class Taken extends Error {}

/** What `work` answers; null when it throws an error of this kind. */
export async function nullOn<T>(
  kind: abstract new (...parameters: never[]) => Error,
  work: () => Promise<T>
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof kind) return null
    throw error
  }
}
