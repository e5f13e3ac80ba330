import { locateProblem } from '#core/exceptions/locate_problem'

/**
 * Runs work for one change of a list, and adds the position of the change to its problems.
 *
 * @param index from 0
 */
export async function inChange<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw locateProblem(error, `changes.${index}`, { change: index })
  }
}
