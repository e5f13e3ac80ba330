import { ConciergeProblem } from './problem.ts'

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * The body of a successful response.
 *
 * @throws ConciergeProblem, ConciergeUnreachable
 *
 * @example
 * const { data } = await unwrap(concierge.api.GET('/api/profile/me'))
 */
export async function unwrap<T>(answer: Answer<T> | Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (!response.ok) throw new ConciergeProblem(response.status, error)
  return data as T
}
