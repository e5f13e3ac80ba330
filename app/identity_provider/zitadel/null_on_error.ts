/** For a `missing` or `taken` that is an expected result rather than a failure. */
export class Missing extends Error {}
export class Taken extends Error {}

/** The result of `work`, or null if it throws an error of this class. */
export async function nullOnError<T>(
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
