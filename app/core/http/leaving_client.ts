import { HttpContext } from '@adonisjs/core/http'
import { currentLaneRequest } from '#core/http/current_request'

const currentResponse = () => (currentLaneRequest() ?? HttpContext.get())?.response.response

/** Whether nobody waits for the response to the current request any more. */
export const hasClientLeft = (): boolean => currentResponse()?.closed === true

/**
 * Hears when the client of the current request disconnects.
 *
 * @returns what stops listening. It must be called before the response is complete.
 */
export function onClientLeaving(leave: () => void): () => void {
  const response = currentResponse()
  response?.once('close', leave)
  return () => response?.off('close', leave)
}
