import { locateProblem } from '#core/exceptions/locate_problem'

/** Runs work for one place in a document, and adds the place to its problems. */
export async function atPlace<T>(place: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw place === undefined ? error : locateProblem(error, place, { field: place })
  }
}
